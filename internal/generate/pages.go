package main

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/trials"
	"github.com/seed-09dcdc84/ur/train"
)

// list returns every block of every page. A new table is an entry here and a function in a
// file of its subject.
func list(r results) []block {
	blocks := []block{
		{"README.md", "steps", func(w io.Writer) error { return writeSteps(w, r.ladders) }},
		{"README.md", "plots", plotLinks("README.md", r.ladders, "ladder")},
		{"docs/architecture.md", "layers", r.imports.writeLayers},
		{"docs/ladder.md", "ladder", func(w io.Writer) error { return record.WriteReport(w, r.ladders) }},
		{"docs/ladder.md", "scaling", func(w io.Writer) error { return writeScaling(w, r.ladders) }},
		{"docs/ladder.md", "plots", plotLinks("docs/ladder.md", r.ladders, "pieces", "scaling", "history")},
		{"docs/search.md", "search", r.search.write},
		{"docs/search.md", "connectfour", func(w io.Writer) error { return writeConnectFour(w, r.suite("connectfour")) }},
		{"docs/solve.md", "solve", func(w io.Writer) error { return writeSolutions(w, r.suite("solve")) }},
		{"docs/learning.md", "players", func(w io.Writer) error { return writePlayers(w, r.suite("players")) }},
		{"docs/learning.md", "nets", r.nets.write},
		{"docs/learning.md", "td-study", func(w io.Writer) error { return writeStudy(w, r.study) }},
		{"docs/rules.md", "rules", writeRules},
		{"docs/rules.md", "effects", func(w io.Writer) error { return writeEffects(w, r.suite("rules")) }},
		{"docs/levels.md", "levels", func(w io.Writer) error { return writeLevels(w, r.suite("levels")) }},
		{"docs/ab-validation.md", "one", func(w io.Writer) error { return r.trials.WriteTable(w, 1) }},
		{"docs/ab-validation.md", "twenty", func(w io.Writer) error { return r.trials.WriteTable(w, 20) }},
		{"docs/ab-validation.md", "projects", func(w io.Writer) error { return writeClaims(w, r.suite("projects")) }},
		{"docs/ab-validation.md", "timed", func(w io.Writer) error { return writeTimed(w, r.suite("timed")) }},
		{"docs/ab.md", "cost", func(w io.Writer) error { return writeCost(w, r.trials) }},
		{"docs/fleet.md", "fleet", r.fleet.writeFigures},
		{"docs/fleet.md", "simulation", r.fleet.writeSimulation},
		{"docs/reversi.md", "machine", func(w io.Writer) error { return machineTable(w, r.reversi) }},
		{"docs/reversi.md", "training", func(w io.Writer) error { return writeTraining(w, r.suite("reversi-training")) }},
		{"docs/reversi.md", "strength", func(w io.Writer) error { return writeStrength(w, r.suite("reversi-ablation")) }},
		{"docs/reversi.md", "opponents", func(w io.Writer) error { return writeOpponents(w, r.suite("reversi-matches")) }},
	}
	blocks = append(blocks, commandBlocks()...)
	blocks = append(blocks, schemaBlocks(r.root)...)
	for _, engine := range recordedEngines(r.ladders) {
		blocks = append(blocks, block{"docs/ladder.md", engine, func(w io.Writer) error { return writeEngine(w, engine, r.ladders) }})
	}
	for _, t := range reversiTables {
		blocks = append(blocks, block{"docs/reversi.md", t.name, func(w io.Writer) error { return writeReversi(w, r.reversi, t.benchmarks, t.write) }})
	}
	return blocks
}

// results are the sources of the pages: the records, and the imports of the packages.
type results struct {
	root    string // of the checkout
	imports imports
	records []record.Record
	ladders []record.Record // that have engines

	search  searchRecord
	nets    netRecord
	reversi reversiRecord
	fleet   fleetRecord
	study   []train.StudyResult
	trials  trials.Results
}

// readResults reads all records of a checkout. A record that is missing or cannot be read is
// an error.
func readResults(root string) (r results, err error) {
	r.root = root
	if r.imports, err = readImports(root); err != nil {
		return r, err
	}
	records, err := record.Read(filepath.Join(root, "results"))
	if err != nil {
		return r, err
	}
	for _, one := range records {
		if len(one.Engines()) > 0 {
			r.ladders = append(r.ladders, one)
		}
	}
	r.records = records
	r.search, r.nets, r.reversi, r.fleet = r.suite("search"), r.suite("nets"), r.suite("reversi"), r.suite("fleet")
	r.study = readStudy(r.suite("td-study"))
	r.trials, err = readTrials(r.suite("trials"))
	return r, err
}

// suite returns the rows of a suite of all machines.
func (r results) suite(name string) []experiment.Row { return record.Suite(r.records, name) }

// find returns the row of a name, or a zero one.
func find(rows []experiment.Row, name string) experiment.Row {
	i := slices.IndexFunc(rows, func(row experiment.Row) bool { return row.Name == name })
	if i < 0 {
		return experiment.Row{}
	}
	return rows[i]
}
