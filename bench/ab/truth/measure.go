package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/commits"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/truth"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// program is a program to measure, and where it is.
type program struct {
	truth.Program
	path string
}

// programFlag is a list of programs, each given as NAME=PATH.
type programFlag []program

func (*programFlag) String() string { return "" }

func (f *programFlag) Set(text string) error {
	name, path, _ := strings.Cut(text, "=")
	i := slices.IndexFunc(truth.Programs, func(p truth.Program) bool { return p.Name == name })
	if i < 0 || path == "" {
		var names []string
		for _, p := range truth.Programs {
			names = append(names, p.Name)
		}
		return fmt.Errorf("want NAME=PATH, where NAME is one of: %s", strings.Join(names, ", "))
	}
	*f = append(*f, program{truth.Programs[i], path})
	return nil
}

// measure lets programs compare commits in turns, and adds every run to the record when it
// ends.
func measure(runs int, machine string, programs []program) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	repo, err := os.MkdirTemp("", "truth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(repo)
	if err := commits.Make("bench/ab/testdata/module", repo); err != nil {
		return err
	}
	for n := range runs {
		for _, pair := range truth.Pairs {
			for _, p := range programs {
				r, err := p.Measure(ctx, p.path, repo, pair.Base, pair.Head)
				if err != nil {
					return err
				}
				r.Machine, r.Changed = machine, pair.Changed
				fmt.Fprintf(os.Stderr, "%d of %d: %+v\n", n+1, runs, r)
				if err := add(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// add adds a run to the record.
func add(r truth.Run) error {
	f, err := os.Open(measured)
	if err != nil {
		return err
	}
	defer f.Close()
	all, err := truth.ReadRuns(f)
	if err != nil {
		return fmt.Errorf("%s: %w", measured, err)
	}
	all = append(all, r)
	return wholefile.Write(measured, func(w io.Writer) error {
		text, err := json.MarshalIndent(all, "", " ")
		if err != nil {
			return err
		}
		_, err = w.Write(append(text, '\n'))
		return err
	})
}
