// Command records makes the records that no suite of "ur bench run" makes, in minutes to
// hours, from the root of the module:
//
//	go run ./maintain/records SUITE
//
// A suite's rows go to results/MACHINE/SUITE.json. Without a suite it lists them. It runs the commands of the suite and replaces their rows, with
// the provenance of each run; words choose the commands that contain them.
//
// "go generate" runs none of them. "go run ./maintain/pages" makes the pages of their
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

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// A command makes the record of the suite of its name. Flags registers its flags and returns its run
// function, which passes rows to keep.
type command struct {
	name  string
	about string // its figures; with (T) if it needs the exact solution of 7 pieces in the cache
	suite string // of the rows; "" is the name
	words bool   // whether it takes arguments
	flags func(f *flag.FlagSet, keep keeper) func(ctx context.Context) error
}

// A keeper writes rows to the record of this machine.
type keeper func(results record.Results, rows []record.Row) error

var commands = []command{
	{"instructions", "instructions of every engine, by \"ur bench run --count\"", "", true, reportFlags(countReports())},
	{"levels", "the strength of the levels (T)", "", true, reportFlags(levelReports())},
	{"players", "the regret of simple players (T)", "", true, reportFlags(playerReports())},
	{"projects", "commits of public projects, compared by benchab; -clones names the folder of their clones", "", true, reportFlags(projectReports())},
	{"reversi-matches", "matches against Zebra, Edax and a former commit, which are zebra-gtp, edax and reversi-b156a1f in the path", "", true, reportFlags(matchReports())},
	{"reversi-training", "the built-in weights of Reversi, trained again in hours", "", true, reportFlags(trainingReports())},
	{"rules", "games, exact solution, regret and luck of every rule set", "", true, reportFlags(rulesReports())},
	{"solve", "the time and the memory of the exact solution", "", true, reportFlags(solveReports())},
	{"nets-figures", "the regret of the recorded nets (T)", "nets", true, reportFlags(netReports())},
	{"reversi-figures", "the learned patterns of Reversi against the hand-set rules", "reversi", true, reportFlags(reversiReports())},
	{"search-regret", "the regret of searches by depth (T)", "search", true, reportFlags(searchReports())},
	{"timed", "a change of the timed part of benchmarks, seen by benchab", "", true, reportFlags(timedReports())},
	{"trials", "simulated trials of benchab", "", false, trialsFlags},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "records:", err)
		}
		stop()
		os.Exit(1)
	}
}

// run runs the command that the first argument names.
func run(ctx context.Context, args []string) error {
	usage := "usage: records SUITE [words that choose commands] [flags]"
	for _, c := range commands {
		usage += fmt.Sprintf("\n  %-17s %s", c.name, c.about)
		if len(args) == 0 || args[0] != c.name {
			continue
		}
		f := flag.NewFlagSet("records "+c.name, flag.ContinueOnError)
		folder := f.String("results", "results", "`folder` of the records")
		measure := c.flags(f, func(results record.Results, rows []record.Row) error {
			for _, row := range rows {
				row.Suite = cmp.Or(c.suite, c.name)
				if row.Keys == nil {
					row.Keys = report.Keys(row.Name)
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
	return errors.New(usage + "\n(T): with the exact solution of 7 pieces in the cache, which \"ur solve\" makes")
}

// begin returns results of a command that begins now.
func begin(command string) record.Results {
	e := record.ReadEnvironment()
	e.Command = command
	return record.NewResults(e, 0)
}
