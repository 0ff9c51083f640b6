package cli

import (
	"context"
	"os"
	"sync"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/reversi/opponent"
	"github.com/seed-09dcdc84/ur/reversi"
)

// outsider is the program of --engine, the second player of a match. Every game at a time has a
// process.
type outsider struct {
	name    string
	command opponent.Command

	mutex   sync.Mutex
	running []*opponent.Player
}

// outsider returns the program of --engine, or nil without the flag.
func (o *matchOptions) outsider(names []string) (*outsider, error) {
	if o.engine == "" {
		return nil, nil
	}
	if o.fleet.Given() {
		return nil, cli.UsageError("--engine cannot be used with --fleet: the program runs on this machine")
	}
	if names[0] == names[1] {
		return nil, cli.UsageError("both players are called %q (want another name for the program)", names[0])
	}
	command, err := opponent.ParseCommand(o.engine, os.Getenv)
	if err != nil {
		return nil, cli.UsageError("--engine: %w", err)
	}
	return &outsider{name: names[1], command: command}, nil
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
