package cli

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur/cmd/reversi/internal/opponent"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/reversi"
)

// outsider is a program of --engine as a player. Every game at a time has a process.
type outsider struct {
	name, text string
	command    opponent.Command

	mutex   sync.Mutex
	running []*opponent.Player
}

// programs are the programs of a match by the names of their players.
type programs map[string]*outsider

// programs returns the programs of --engine, each of which was started once.
func (o *matchOptions) programs(ctx context.Context, names []string) (programs, error) {
	list := programs{}
	for _, value := range o.engines {
		name, text, ok := strings.Cut(value, "=")
		if !ok || name == "" || strings.Contains(name, ":") {
			return nil, cli.UsageError("--engine: invalid program %q (want NAME=gtp:COMMAND or NAME=nboard:COMMAND)", value)
		}
		if o.Fleet.Given() {
			return nil, cli.UsageError("--engine cannot be used with --fleet: the program runs on this machine")
		}
		if players := len(names) - len(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })); players != 1 || list[name] != nil {
			return nil, cli.UsageError("--engine: %d players are called %q (want one)", players, name)
		}
		command, err := opponent.ParseCommand(text, os.Getenv)
		if err != nil {
			return nil, cli.UsageError("--engine: %w", err)
		}
		list[name] = &outsider{name: name, text: text, command: command}
		if err := list[name].check(ctx); err != nil {
			return nil, cli.UsageError("--engine: %w", err)
		}
	}
	return list, nil
}

// close ends all processes.
func (p programs) close() {
	for _, program := range p {
		program.close()
	}
}

// check starts the program once, so that one that cannot play is noticed before the match.
func (e *outsider) check(ctx context.Context) error {
	p, err := opponent.Start(ctx, e.name, e.command)
	if err != nil {
		return err
	}
	defer p.Close()
	return p.Check(ctx)
}

// start returns a process as a player.
func (e *outsider) start(ctx context.Context) (reversi.Player, error) {
	p, err := opponent.Start(ctx, e.name, e.command)
	if err != nil {
		return nil, err
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.running = append(e.running, p)
	return p, nil
}

// close ends all processes.
func (e *outsider) close() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var wait sync.WaitGroup
	for _, p := range e.running {
		wait.Go(p.Close)
	}
	wait.Wait()
}
