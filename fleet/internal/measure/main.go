// Measure measures what docs/fleet.md promises, with processes of ur as a user starts
// them, and keeps the figures in a file of records, from which it writes the tables of the
// document.
//
//	go run ./fleet/internal/measure                      all of them: some minutes
//	go run ./fleet/internal/measure -what jobs,memory    some of them
//	go run ./fleet/internal/measure -what none           the tables alone
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/fleet/internal/report"
)

// sizes say how much is measured.
type sizes struct {
	games  int // of the match that is interrupted by kills
	kills  int
	rounds int // of the overhead
	each   int // games of a round of it
	jobs   int
	open   int // jobs, of which the memory is measured
	seed   uint64
}

// measures are all that is measured, in the order of the table.
var measures = []struct {
	name    string
	measure func(*lab, sizes) (report.Figure, error)
}{
	{"kills", kills},
	{"planted", planted},
	{"tournament", tournament},
	{"overhead", overhead},
	{"jobs", jobs},
	{"memory", memory},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("measure: ")
	var names []string
	for _, m := range measures {
		names = append(names, m.name)
	}
	var s sizes
	what := flag.String("what", strings.Join(names, ","), "what to measure, separated by commas, or none")
	file := flag.String("record", "results/fleet.json", "`file` of records, to be changed")
	docs := flag.String("docs", "docs/fleet.md", "`file` of the document with the tables")
	svg := flag.String("svg", "docs/plots/fleet.svg", "`file` of the plot")
	ur := flag.String("ur", "", "program to measure (default: built from the module)")
	flag.IntVar(&s.games, "games", 100_000_000, "games of the match with kills")
	flag.IntVar(&s.kills, "kills", 20, "kills of workers and server in it")
	flag.IntVar(&s.rounds, "rounds", 7, "rounds of the overhead, each alone and on a fleet")
	flag.IntVar(&s.each, "each", 20_000_000, "games of such a round")
	flag.IntVar(&s.jobs, "jobs", 100_000, "jobs that go through the server")
	flag.IntVar(&s.open, "open", 100_000, "jobs that are open while memory is measured")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of games, kills and damage")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s, strings.Split(*what, ","), *ur, *file, *docs, *svg); err != nil {
		log.Fatal(err)
	}
}

// run measures, and writes what it measured.
func run(ctx context.Context, s sizes, what []string, ur, file, docs, svg string) error {
	record, err := report.Read(file)
	if err != nil {
		return err
	}
	if !slices.Equal(what, []string{"none"}) {
		l, err := newLab(ctx, ur)
		if err != nil {
			return err
		}
		defer l.close()
		for _, m := range measures {
			if !slices.Contains(what, m.name) {
				continue
			}
			machine := report.ThisMachine()
			f, err := m.measure(l, s)
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			f.Machine = machine
			log.Printf("%s: %s (bar %s, reached %v): %s", f.Measure, f.Result, f.Bar, f.Passed, f.How)
			record.Put(f)
			if err := record.Write(file); err != nil {
				return err
			}
		}
	}
	return record.Publish(docs, svg)
}
