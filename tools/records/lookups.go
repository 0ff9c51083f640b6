package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// lookupReports measures reads of the exact table of 7 pieces beside values by a net.
func lookupReports() []toolReport {
	return []toolReport{{command: "lookups", name: "Lookup/", measure: func(_ context.Context, _ string, results *record.Results) error {
		folder, err := solve.DefaultFolder()
		if err != nil {
			return err
		}
		results.Seed = lookupSeed
		return measureLookups(filepath.Join(folder, solve.FileName(board.Finkel())), results)
	}}}
}

// lookupSeed draws the positions, and lookupPositions is how many a pass values.
const lookupSeed, lookupPositions = 26, 256

// measureLookups adds rows for the value of a position from a page of the table's file that the system has not in
// memory, from one that it has, from the mapped table, and by the built-in net.
func measureLookups(path string, results *record.Results) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(lookupSeed, 0))
	read := func() (units float64, err error) {
		var value [2]byte
		for range lookupPositions {
			if _, err := file.ReadAt(value[:], random.Int64N(info.Size()-1)); err != nil {
				return 0, err
			}
		}
		return lookupPositions, nil
	}
	// The mapped table below keeps its pages in memory.
	if text, err := exec.Command("dd", "if="+path, "iflag=nocache", "count=0").CombinedOutput(); err != nil {
		return fmt.Errorf("dd: %w\n%s", err, text)
	}
	if err := addSamples(results, lookup("disk", report.Wall, read)); err != nil {
		return err
	}

	table, err := solve.Open(path, board.Finkel())
	if err != nil {
		return err
	}
	defer table.Close()
	judge, err := builtInJudge()
	if err != nil {
		return err
	}
	if err := table.Verify(context.Background(), nil); err != nil { // reads the whole file
		return err
	}
	var positions [lookupPositions]board.Position
	for i := range positions {
		positions[i] = board.Finkel().Random(random, board.FinkelPieces)
	}
	var value [1]int32
	return addSamples(results, lookup("system call", "", read),
		lookup("mapped table", "", func() (float64, error) {
			for _, p := range positions {
				table.Win(p)
			}
			return lookupPositions, table.Err()
		}),
		lookup("built-in net", "", func() (float64, error) {
			for i := range positions {
				judge.Values(value[:], positions[i:i+1])
			}
			return lookupPositions, nil
		}))
}

// lookup is the benchmark of a source of values.
func lookup(from string, clock report.Clock, pass func() (float64, error)) sample.Benchmark {
	return sample.Benchmark{Name: "Lookup/from=" + from, Unit: "ns/value", Clock: clock, Pass: pass,
		Check: func() error { _, err := pass(); return err }}
}

// builtInJudge judges by the built-in net.
func builtInJudge() (*valuenet.Judge, error) {
	net, _, err := valuenet.BuiltinFor(board.Finkel())
	if err != nil {
		return nil, err
	}
	q, err := valuenet.Quantise(net)
	if err != nil {
		return nil, err
	}
	return valuenet.NewJudge(valuenet.Fastest(), q), nil
}

// addSamples measures benchmarks, and adds their rows.
func addSamples(results *record.Results, benchmarks ...sample.Benchmark) error {
	run, err := sample.Measure(context.Background(), sample.Options{Benchmarks: benchmarks, Count: sample.DefaultCount,
		BenchTime: 25e6, Seed: lookupSeed})
	if err == nil {
		run.Add(results, "lookups", nil)
	}
	return err
}
