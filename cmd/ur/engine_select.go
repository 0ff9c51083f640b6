package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/engine"
)

// enginesThatRun returns all engines, apart from those that cannot run here.
func enginesThatRun() ([]ur.Engine, []bench.Skipped) {
	return splitByAvailability(engine.All())
}

// splitByAvailability parts engines into those that can run here and the others.
func splitByAvailability(all []ur.Engine) ([]ur.Engine, []bench.Skipped) {
	var engines []ur.Engine
	var skipped []bench.Skipped
	for _, e := range all {
		if err := ur.Available(e); err != nil {
			reason := strings.TrimPrefix(err.Error(), e.Name()+" ")
			skipped = append(skipped, bench.Skipped{Engine: e.Name(), Reason: reason})
			continue
		}
		engines = append(engines, e)
	}
	return engines, skipped
}

// enginesNamed returns the engines of names, all of which must be able to run, and
// those of patterns that can run here.
func enginesNamed(names []string) ([]ur.Engine, error) {
	engines, _, err := selectEngines(names)
	return engines, err
}

// selectEngines returns the engines of names, all of which must be able to run, and
// those that patterns match, each of them once. Of the latter, those that cannot run
// here are skipped.
func selectEngines(names []string) (engines []ur.Engine, skipped []bench.Skipped, err error) {
	for _, name := range names {
		if !strings.ContainsAny(name, "*?[") {
			e, err := chooseEngine(name)
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
		run, others := splitByAvailability(matched)
		if len(run) == 0 {
			return nil, nil, usageError("--engine: no engine that matches %q can run here: %s %s", name, others[0].Engine, others[0].Reason)
		}
		engines = addNew(engines, run...)
		skipped = append(skipped, others...)
	}
	return engines, skipped, nil
}

// addNew adds the engines that are not in a list yet.
func addNew(list []ur.Engine, engines ...ur.Engine) []ur.Engine {
	for _, e := range engines {
		if !slices.ContainsFunc(list, func(other ur.Engine) bool { return other.Name() == e.Name() }) {
			list = append(list, e)
		}
	}
	return list
}

// enginesMatching returns the engines that a pattern matches, one at least. A
// pattern without a slash is matched with either half of a name: "bits" and "*avx2"
// need no "/*" and "*/".
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
				return nil, usageError("--engine: pattern %q: %w", pattern, err)
			}
			matches = matches || ok
		}
		if matches {
			engines = append(engines, e)
		}
	}
	if len(engines) == 0 {
		return nil, usageError("--engine: no engine matches %q, there are %s", pattern, strings.Join(engineNames(), ", "))
	}
	return engines, nil
}

// withNearEngine adds to an error about an unknown engine which one was meant, as far
// as that can be guessed.
func withNearEngine(name string, err error) error {
	if near := nearest(name, engineNames()); near != "" {
		return &exitError{exitUsage, fmt.Errorf("%w\nDid you mean %q?", err, near)}
	}
	return err
}

// engineNames lists all engines.
func engineNames() []string {
	var names []string
	for _, e := range engine.All() {
		names = append(names, e.Name())
	}
	return names
}

// nearest returns the name that takes the fewest typing errors to become what was
// typed, or "" when it is there, or when all would take more than a third of it.
func nearest(typed string, names []string) string {
	best, least := "", len(typed)/3+1
	for _, name := range names {
		if distance := levenshtein.ComputeDistance(typed, name); distance < least {
			best, least = name, distance
		}
	}
	if least == 0 {
		return ""
	}
	return best
}
