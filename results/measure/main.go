// Command measure makes the records that no suite of "ur bench run" makes, in minutes to
// hours, from the root of the module:
//
//	go run ./results/measure SUITE
//
// A suite's rows go to results/MACHINE/SUITE.json; puzzles makes
// play/puzzle/puzzles.jsonl.
// CONTRIBUTING.md lists the suites and their conditions.
//
// "go generate" runs none of them. "go run ./docs/generate" makes the pages of their
// records.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
)

// A command makes the record of the suite of its name. Flags registers its flags and returns its run
// function, which passes rows to keep.
type command struct {
	name  string
	suite string // of the rows; "" is the name
	words bool   // whether it takes arguments
	flags func(f *flag.FlagSet, keep keeper) func(ctx context.Context) error
}

// A keeper writes rows to the record of this machine.
type keeper func(results record.Results, rows []record.Row) error

var commands = []command{
	{"connectfour", "", false, connectFourFlags},
	{"levels", "", true, reportFlags(levelReports())},
	{"players", "", true, reportFlags(playerReports())},
	{"projects", "", true, reportFlags(projectReports())},
	{"puzzles", "", false, puzzlesFlags},
	{"reversi-ablation", "", true, reportFlags(ablationReports())},
	{"reversi-matches", "", true, reportFlags(matchReports())},
	{"reversi-training", "", true, reportFlags(trainingReports())},
	{"rules", "", true, reportFlags(rulesReports())},
	{"nets-figures", "nets", true, reportFlags(netReports())},
	{"reversi-figures", "reversi", true, reportFlags(reversiReports())},
	{"search-regret", "search", true, reportFlags(searchReports())},
	{"timed", "", true, reportFlags(timedReports())},
	{"trials", "", false, trialsFlags},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "measure:", err)
		}
		stop()
		os.Exit(1)
	}
}

// run runs the command that the first argument names.
func run(ctx context.Context, args []string) error {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
		if len(args) == 0 || args[0] != c.name {
			continue
		}
		f := flag.NewFlagSet("measure "+c.name, flag.ContinueOnError)
		folder := f.String("results", "results", "`folder` of the records")
		measure := c.flags(f, func(results record.Results, rows []record.Row) error {
			for _, row := range rows {
				row.Suite = cmp.Or(c.suite, c.name)
				if row.Keys == nil {
					row.Keys = record.Keys(row.Name)
				}
				results.Rows = append(results.Rows, row)
			}
			_, err := record.Keep(*folder, results)
			return err
		})
		if err := f.Parse(args[1:]); err != nil {
			return err
		}
		if f.NArg() > 0 && !c.words {
			return fmt.Errorf("unexpected argument %q", f.Arg(0))
		}
		return measure(ctx)
	}
	return fmt.Errorf("usage: measure %s [flags]", strings.Join(names, " | "))
}

// begin returns results of a command that begins now.
func begin(command string) record.Results {
	e := record.ReadEnvironment()
	e.Command = command
	return record.NewResults(e, 0)
}
