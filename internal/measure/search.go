package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/bench/searching"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
)

// searchFlags measures the techniques of search, the time of a decision at depth 6, the
// largest overrun of 10 ms a move, the delay of a cancelled search, two threads over one, the
// regret by depth, and, where it is named, a match against perfect play of 1.5 hours.
func searchFlags(f *flag.FlagSet) func(ctx context.Context, args []string) error {
	o := searching.Options{Progress: func(what string) { fmt.Fprintf(os.Stderr, "measuring %s\n", what) }}
	f.IntVar(&o.Samples, "samples", 10, "samples of each algorithm and technique")
	f.IntVar(&o.Decisions, "decisions", 200, "decisions of Ur")
	f.IntVar(&o.Regret, "regret", 100_000, "decisions for the regret of depths 1 to 3; each ply more divides them by 4")
	f.IntVar(&o.Depths, "depths", 6, "the deepest search whose regret is measured; 0 for none")
	f.StringVar(&o.Player, "player", "search:time=100ms", "player of the match against perfect play")
	f.IntVar(&o.Games, "games", 1000, "games of the match, an even number")
	parts := f.String("parts", "", "measure only some of "+strings.Join(searching.Parts(), ","))
	out := f.String("o", "", "`file` of the record (default results/MACHINE/search.json)")
	return func(ctx context.Context, _ []string) error {
		if *parts != "" {
			o.Parts = strings.Split(*parts, ",")
		}
		machine := experiment.ReadEnvironment()
		if *out == "" {
			*out = filepath.Join("results", machine.Slug(), "search.json")
		}
		return measureSearch(ctx, o, machine, *out)
	}
}

// measureSearch measures the parts of a record and writes it.
func measureSearch(ctx context.Context, o searching.Options, machine experiment.Environment, out string) error {
	if err := checkSearch(o); err != nil {
		return err
	}
	r, err := oldSearch(o, machine, out)
	if err != nil {
		return err
	}
	if o.Depths > 0 && (o.Parts == nil || slices.Contains(o.Parts, "regret")) || slices.Contains(o.Parts, "match") {
		if o.Table, err = table(ctx); err != nil {
			return err
		}
	}
	if err := r.Measure(ctx, o); err != nil {
		return err
	}
	r.CPU, r.Go, r.Commit = machine.Processor(), machine.Go, machine.Commit
	return writeJSON(out, r)
}

// checkSearch returns an error for options out of range.
func checkSearch(o searching.Options) error {
	for _, x := range []struct {
		name        string
		n, min, max int
	}{{"samples", o.Samples, 1, 1e6}, {"decisions", o.Decisions, 1, 1e6}, {"regret", o.Regret, 1, 1e9}, {"depths", o.Depths, 0, 8}, {"games", o.Games, 2, 1e9}} {
		if x.n < x.min || x.n > x.max {
			return fmt.Errorf("%s: %d (want %d to %d)", x.name, x.n, x.min, x.max)
		}
	}
	if o.Games%2 != 0 {
		return fmt.Errorf("games: %d (want an even number)", o.Games)
	}
	for _, part := range o.Parts {
		if !slices.Contains(searching.Parts(), part) {
			return fmt.Errorf("unknown part %q (want some of %s)", part, strings.Join(searching.Parts(), ", "))
		}
	}
	_, err := play.ParsePlayer(o.Player)
	return err
}

// oldSearch returns the record to complete: an empty one, or for a run of some parts the one
// on file. Figures of another processor, Go or commit cannot stand in one record with new
// ones.
func oldSearch(o searching.Options, machine experiment.Environment, out string) (*searching.Record, error) {
	r := &searching.Record{}
	if o.Parts == nil {
		return r, nil
	}
	text, err := os.ReadFile(out)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", out, err)
	}
	if r.Schema != searching.RecordSchema {
		return nil, fmt.Errorf("%s: schema %q (want %q)", out, r.Schema, searching.RecordSchema)
	}
	if r.CPU != machine.Processor() || r.Go != machine.Go || r.Commit != machine.Commit {
		return nil, fmt.Errorf("%s: measured on %s by %s%s: measure all parts again", out, r.CPU, r.Go, experiment.CommitText(r.Commit))
	}
	return r, nil
}

// writeJSON writes a record.
func writeJSON(name string, value any) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return wholefile.Write(name, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	})
}
