package pick

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

// SelectEngines returns the engines of names, which must be available, and the available ones
// matched by patterns, each once.
func SelectEngines(names []string) (engines []ur.Engine, skipped []record.Skipped, err error) {
	for _, name := range names {
		if !strings.ContainsAny(name, "*?[") {
			e, err := Engine(name)
			if err != nil {
				return nil, nil, err
			}
			engines = addNew(engines, e)
			continue
		}
		matched, err := enginesMatching(name)
		if err != nil {
			return nil, nil, err
		}
		run, others := bench.Runnable(matched)
		if len(run) == 0 {
			return nil, nil, cli.UsageError("--engine: no engine matching %q runs on this CPU: %s %s", name, others[0].Engine, others[0].Reason)
		}
		engines = addNew(engines, run...)
		skipped = append(skipped, others...)
	}
	return engines, skipped, nil
}

func addNew(list []ur.Engine, engines ...ur.Engine) []ur.Engine {
	for _, e := range engines {
		if !slices.ContainsFunc(list, func(other ur.Engine) bool { return other.Name() == e.Name() }) {
			list = append(list, e)
		}
	}
	return list
}

// enginesMatching returns the engines matched by a pattern, at least one. A pattern without a
// slash matches either half of a name: "bits" and "*avx2" need no "/*" and "*/".
func enginesMatching(pattern string) ([]ur.Engine, error) {
	patterns := []string{pattern}
	if !strings.Contains(pattern, "/") {
		patterns = []string{pattern + "/*", "*/" + pattern}
	}
	var engines []ur.Engine
	for _, e := range engine.All() {
		matches := false
		for _, p := range patterns {
			ok, err := path.Match(p, e.Name())
			if err != nil {
				return nil, cli.UsageError("--engine: pattern %q: %w (want one as in bits/* or *avx2)", pattern, err)
			}
			matches = matches || ok
		}
		if matches {
			engines = append(engines, e)
		}
	}
	if len(engines) == 0 {
		return nil, cli.UsageError("--engine: no engine matches %q (want one of %s)", pattern, strings.Join(engineNames(), ", "))
	}
	return engines, nil
}

func engineNames() []string { return text.List(engine.All(), ur.Engine.Name) }

// Engine returns the engine of a flag --engine, which must be available; without a name it
// returns the fastest.
func Engine(name string) (ur.Engine, error) {
	if name == "" {
		return engine.Fastest(), nil
	}
	e, err := engine.Lookup(name)
	if err == nil {
		err = ur.Available(e)
	} else if near := cli.Nearest(name, engineNames()); near != "" {
		err = fmt.Errorf("%w\nDid you mean %q?", err, near)
	}
	if err != nil {
		return nil, cli.UsageError("--engine: %w", err)
	}
	return e, nil
}

// EngineFlag adds --engine, with the names of engines behind it.
func EngineFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().StringVar(name, "engine", "", usage)
	cli.CompleteFlag(cmd, "engine", CompleteEngines)
}

// CompleteEngines completes the names of available engines.
func CompleteEngines(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return text.List(engine.Available(), ur.Engine.Name), cobra.ShellCompDirectiveNoFileComp
}
