// Command records makes the records in results, and finds those whose code has changed since, from the
// root of the module:
//
//	go run ./tools/records stale            # compares, and writes results/stale.json
//	go run ./tools/records stale --check    # exits with code 3 if the file is wrong
//	go run ./tools/records stale --strict   # exits with code 3 if anything is stale
//	go run ./tools/records stale --remove   # removes stale rows, or those of the named suites
//	go run ./tools/records measure          # measures what is stale or missing
//	go run ./tools/records measure --plan   # prints the commands and their time only
//	go run ./tools/records SUITE            # measures a suite, stale or not
//	go run ./tools/records published NAME   # measures what is stale or missing of uoptime, flight, aa or planted
//	go run ./tools/records measure study NAME            # measures a study of learning
//	go run ./tools/records measure -times 10 study NAME  # by ten times the games
//
// A suite's rows go to results/MACHINE/SUITE.json with the provenance of each run. Words behind a name choose the
// commands with these words. measure prints the time of the last runs, keeps the rows of each command at its
// end, and leaves out fresh commands, so it continues after an interruption. It needs a clean tree: a record
// names the measured commit. "go run ./tools/pages" makes the pages
// of the records.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/seed-09dcdc84/ur/tools/study"
)

// A suite has the commands of a record.
type suite struct {
	name    string
	about   string // its figures; with (T) if it needs the exact solution of 7 pieces in the cache
	reports []toolReport
	alone   bool // measured where it is named only: it needs hours, or programs of others
}

// suites lists the suites: those in need of a quiet machine first, and the exact solution before its users.
func suites(times int64) []suite {
	all := []suite{
		{name: "engines", about: "every engine at every level",
			reports: benchReports("engines", "--level value", "--level turn", "--level game")},
		{name: "moves", about: "getValue and move generation as shares of a turn", reports: benchReports("moves", "")},
		{name: "pieces", about: "getValue by the number of pieces", reports: benchReports("pieces", "")},
		{name: "scaling", about: "games over the number of cores", reports: benchReports("scaling", "")},
		// "ur solve" replaces the table in the cache.
		{name: "solve", about: "the time and the memory of the exact solution", reports: []toolReport{
			figureReport("ur solve", "Solve/rules=${rules}/pieces=${pieces}", "s", "seconds")}},
		{name: "search", about: "techniques of search, and the regret by depth (T)", reports: searchReports()},
		{name: "lookups", about: "reads of the exact table, and values by a net (T)", reports: lookupReports()},
		{name: "growth", about: "branching factor, depth and growth of every game", reports: growthReports()},
		{name: "nets", about: "decisions of value networks, and the regret of the recorded nets (T)",
			reports: netReports()},
		{name: "reversi", reports: reversiReports(),
			about: "generators, perft, solver and search of Reversi, and the learned patterns against the hand-set rules"},
		{name: "timed", about: "a change of the timed part of benchmarks, seen by benchab", reports: timedReports()},
		{name: "late", about: "slowdowns that the first operations do not show, seen by benchab", reports: lateReports()},
		{name: "limits", about: "the hottest lines of every engine, and the estimate of llvm-mca for its hottest loop",
			reports: limitReports()},
		{name: "instructions", about: "instructions of every engine, counted", reports: countReports()},
		{name: "players", about: "the regret of simple players (T)", reports: playerReports()},
		{name: "rules", about: "games, exact solution, regret and luck of every rule set", reports: rulesReports()},
		{name: "levels", about: "the strength of the levels (T)", reports: levelReports()},
		{name: study.Suite, about: "studies of learning, each chosen by its name (-times N: by as many times the games)",
			reports: studyReports(times), alone: true},
		{name: "trials", about: "simulated trials of benchab", reports: trialReports()},
		{name: "commits", about: "commits of public modules, compared by benchab in their clones in the folder $CLONES",
			reports: commitReports(), alone: true},
		{name: published, about: "trials by the data of others, in clones in $CLONES: uoptime, flight, aa, planted",
			reports: publishedReports(), alone: true},
		{name: "reversi-matches", reports: matchReports(), alone: true,
			about: "matches against Zebra, Edax and a former commit: zebra-gtp, edax and reversi-b156a1f in the path"},
		{name: "reversi-training", about: "the built-in weights of Reversi, trained again in hours", alone: true,
			reports: []toolReport{figureReport("reversi train -o $WORK/weights.bin --curve", "Training", "discs", "rms_discs_all")}},
	}
	for _, s := range all {
		for i := range s.reports {
			s.reports[i].suite = s.name
		}
	}
	return all
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err == nil {
		return
	}
	if !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "records:", err)
	}
	stop()
	if errors.Is(err, errStale) {
		os.Exit(3)
	}
	os.Exit(1)
}

// timesFlag adds the flag for the size of studies.
func timesFlag(f *flag.FlagSet) *int64 {
	return f.Int64("times", 1, "of studies: as many times the games")
}

// run runs the command named by the first argument.
func run(ctx context.Context, args []string) error {
	usage := `usage: records stale [--check | --strict | --remove [SUITE...]]
       records measure [--plan] [--times N] [words that choose commands]
       records SUITE [--times N] [words that choose commands]`
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	f := flag.NewFlagSet("records "+name, flag.ContinueOnError)
	const folder = "results"
	switch name {
	case "stale":
		o := staleOptions{}
		f.BoolVar(&o.check, "check", false, "change nothing, fail if results/stale.json is not right")
		f.BoolVar(&o.strict, "strict", false, "change nothing, fail if anything is stale")
		f.BoolVar(&o.remove, "remove", false, "remove stale rows of the named suites, or of all, from the records")
		if err := f.Parse(args[1:]); err != nil {
			return err
		}
		o.suites = f.Args()
		return findStale(ctx, folder, o)
	case "measure", published:
		onlyPlan := f.Bool("plan", false, "print the commands and their time, and measure nothing")
		times := timesFlag(f)
		if err := f.Parse(args[1:]); err != nil {
			return err
		}
		words := f.Args()
		if name == published {
			words = append(words, published)
		}
		chosen, err := neededReports(ctx, folder, suites(*times), words)
		if err != nil || len(chosen) == 0 || *onlyPlan {
			return err
		}
		return measureAll(ctx, folder, chosen)
	}
	times := timesFlag(f)
	if len(args) > 0 {
		if err := f.Parse(args[1:]); err != nil {
			return err
		}
	}
	for _, s := range suites(*times) {
		usage += fmt.Sprintf("\n  %-17s %s", s.name, s.about)
		if s.name != name {
			continue
		}
		chosen := slices.DeleteFunc(s.reports, func(r toolReport) bool { return !r.has(f.Args()) })
		if len(chosen) == 0 {
			return fmt.Errorf("the words choose none of %d commands", len(s.reports))
		}
		return measureAll(ctx, folder, chosen)
	}
	return errors.New(usage + "\n(T): with the exact solution of 7 pieces in the cache, which \"ur solve\" makes")
}
