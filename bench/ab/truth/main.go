// Command truth measures how often the verdicts of "ur bench ab" are right, and writes the
// results into the documentation:
//
//	go run ./bench/ab/truth -record bench/ab/truth/simulated.json
//	go run ./bench/ab/truth -docs docs/ab.md
//
// The first simulates 1,000 trials of each experiment in a few minutes and writes their
// record. The second writes the tables of the record into a page.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/trials"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

const simulated = "bench/ab/truth/simulated.json"

func main() {
	count := flag.Int("trials", 1000, "trials of each experiment")
	record := flag.String("record", "", "simulate, and write the record to `file`")
	docs := flag.String("docs", "", "write the tables of the record into `page`")
	flag.Parse()
	if err := run(*count, *record, *docs); err != nil {
		fmt.Fprintln(os.Stderr, "truth:", err)
		os.Exit(1)
	}
}

func run(count int, record, docs string) error {
	if record != "" {
		r := trials.Simulate(count, func(done, all int) { fmt.Fprintf(os.Stderr, "\r%d of %d experiments", done, all) })
		fmt.Fprintln(os.Stderr)
		if err := wholefile.Write(record, r.Write); err != nil {
			return err
		}
	}
	if docs == "" {
		return nil
	}
	page, err := os.ReadFile(docs)
	if err != nil {
		return err
	}
	written, err := fill(page, ".")
	if err != nil {
		return fmt.Errorf("%s: %w", docs, err)
	}
	return wholefile.Write(docs, func(w io.Writer) error {
		_, err := w.Write(written)
		return err
	})
}

// block is a generated part of a page.
var block = regexp.MustCompile(`(?s)(<!-- (ab:[a-z0-9]+):begin -->\n).*?(<!-- ab:[a-z0-9]+:end -->)`)

// fill replaces the blocks of a page by the tables of the records of a checkout.
func fill(page []byte, root string) ([]byte, error) {
	var failed error
	out := block.ReplaceAllFunc(page, func(text []byte) []byte {
		parts := block.FindSubmatch(text)
		var table bytes.Buffer
		if err := write(&table, string(parts[2]), root); err != nil && failed == nil {
			failed = err
		}
		return bytes.Join([][]byte{parts[1], table.Bytes(), parts[3]}, []byte("\n"))
	})
	return out, failed
}

// write writes the table of a block.
func write(w io.Writer, name, root string) error {
	f, err := os.Open(filepath.Join(root, simulated))
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := trials.Read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", simulated, err)
	}
	switch name {
	case "ab:one":
		return r.WriteTable(w, 1)
	case "ab:twenty":
		return r.WriteTable(w, 20)
	case "ab:cost":
		return writeCost(w, r.MeanRounds())
	}
	return fmt.Errorf("unknown table %q", name)
}

// writeCost writes the time that unchanged benchmarks take when each is decided after the
// given number of rounds.
func writeCost(w io.Writer, rounds float64) error {
	t := text.Table{Header: []string{"benchmarks", "rounds until one is decided, mean", "a sample", "minutes of measuring"}}
	left := ab.DefaultOptions().Time
	for _, benchmarks := range []int{5, 20, 100} {
		t.Add(fmt.Sprint(benchmarks), fmt.Sprintf("%.1f", rounds), ab.SampleTime(benchmarks, left).String(),
			fmt.Sprintf("%.1f", ab.Cost(benchmarks, rounds, left).Minutes()))
	}
	return t.WriteMarkdown(w)
}
