package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
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
		{"docs/learning.md", "players", func(w io.Writer) error { return writePlayers(w, r.players) }},
		{"docs/learning.md", "nets", r.nets.write},
		{"docs/learning.md", "td-study", func(w io.Writer) error { return writeStudy(w, r.study) }},
		{"docs/rules.md", "rules", writeRules},
		{"docs/rules.md", "effects", func(w io.Writer) error { return writeEffects(w, r.effects) }},
		{"docs/levels.md", "levels", r.levels.write},
		{"docs/ab-validation.md", "one", func(w io.Writer) error { return r.trials.WriteTable(w, 1) }},
		{"docs/ab-validation.md", "twenty", func(w io.Writer) error { return r.trials.WriteTable(w, 20) }},
		{"docs/ab-validation.md", "projects", func(w io.Writer) error { return trials.WriteCommits(w, r.commits) }},
		{"docs/ab-validation.md", "timed", func(w io.Writer) error { return trials.WriteTimed(w, r.timed) }},
		{"docs/ab.md", "cost", func(w io.Writer) error { return writeCost(w, r.trials) }},
		{"docs/fleet.md", "fleet", r.fleet.writeFigures},
		{"docs/fleet.md", "simulation", r.fleet.writeSimulation},
	}
	blocks = append(blocks,
		block{"docs/reversi.md", "training", r.training.write},
		block{"docs/reversi.md", "opponents", func(w io.Writer) error { return writeOpponents(w, r.opponents) }},
	)
	blocks = append(blocks, commandBlocks()...)
	blocks = append(blocks, schemaBlocks(r.root)...)
	for _, engine := range recordedEngines(r.ladders) {
		blocks = append(blocks, block{"docs/ladder.md", engine, func(w io.Writer) error { return writeEngine(w, engine, r.ladders) }})
	}
	for _, t := range reversiTables {
		blocks = append(blocks, block{"docs/reversi.md", t.name, func(w io.Writer) error { return t.write(w, r.reversi) }})
	}
	return blocks
}

// results are the sources of the pages: the records, and the imports of the packages.
type results struct {
	effects []rulesEffect   // of rule sets
	root    string          // of the checkout
	ladders []record.Record // that have engines
	search  searchRecord
	nets    netRecord
	study   []train.StudyResult
	levels  levelRecord
	fleet   fleetRecord
	reversi reversiRecord
	trials  trials.Record
	players []playerRegret
	commits []trials.Commit // of public projects
	timed   []trials.Commit // of a planted change of a timed part
	imports imports         // of the packages of the module

	training  trainingRecord  // of the built-in weights of Reversi
	opponents []opponentMatch // of Reversi
}

// readResults reads all records of a checkout. A record that is missing or cannot be read is
// an error.
func readResults(root string) (r results, err error) {
	folder := filepath.Join(root, "results")
	r.root = root
	if r.imports, err = readImports(root); err != nil {
		return r, err
	}
	records, err := record.Read(folder)
	if err != nil {
		return r, err
	}
	for _, one := range records {
		if len(one.Engines()) > 0 {
			r.ladders = append(r.ladders, one)
		}
		r.search = append(r.search, one.Suite("search")...)
		r.nets = append(r.nets, one.Suite("nets")...)
		r.reversi = append(r.reversi, one.Suite("reversi")...)
	}
	if r.study, err = readStudy(filepath.Join(folder, "td-study.jsonl")); err != nil {
		return r, err
	}
	if r.effects, err = readEffects(filepath.Join(folder, "rules.jsonl")); err != nil {
		return r, err
	}
	if r.players, err = readPlayers(filepath.Join(folder, "players.jsonl")); err != nil {
		return r, err
	}
	if r.trials, err = readTrials(filepath.Join(folder, "trials.json")); err != nil {
		return r, err
	}
	if r.commits, err = trials.ReadCommits(filepath.Join(folder, "projects.json")); err != nil {
		return r, err
	}
	if r.timed, err = trials.ReadCommits(filepath.Join(folder, "timed.json")); err != nil {
		return r, err
	}
	if r.fleet, err = readFleet(filepath.Join(folder, "fleet.txt")); err != nil {
		return r, err
	}
	if r.opponents, err = readOpponents(filepath.Join(folder, "reversi-matches.jsonl")); err != nil {
		return r, err
	}
	for _, source := range []struct {
		pattern, schema string
		value           any
	}{
		{"levels.json", "ur.levels/1", &r.levels},
		{"reversi-training.json", "reversi.train/2", &r.training},
	} {
		if err := readRecord(folder, source.pattern, source.schema, source.value); err != nil {
			return r, err
		}
	}
	return r, nil
}

// readRecord reads the only file that matches a pattern below a folder, which must be JSON of
// a schema.
func readRecord(folder, pattern, schema string, value any) error {
	names, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
	if err != nil {
		return err
	}
	if len(names) != 1 {
		return fmt.Errorf("%s: %d files match %s (want 1)", folder, len(names), pattern)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		return err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return fmt.Errorf("%s: %w", names[0], err)
	}
	if head.Schema != schema {
		return fmt.Errorf("%s: schema %q (want %q)", names[0], head.Schema, schema)
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%s: %w", names[0], err)
	}
	return nil
}
