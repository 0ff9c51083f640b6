// Command truth finds out, on simulated machines, how often the verdicts of "ur bench ab"
// are right, and writes what it found into the documentation:
//
//	go run ./bench/ab/truth -record bench/ab/truth/simulated.json
//	go run ./bench/ab/truth -docs docs/ab.md
//
// The first makes the experiments and writes their record, 1,000 trials each in a few
// minutes; the second writes the tables of the records into a page. How often programs are
// right on this machine, with whatever else is at work on it, it finds out too, and adds
// every run to the other record:
//
//	go run ./bench/ab/truth -measure 20 -machine 'my laptop' -program 'ur bench ab=PATH'
//	go run ./bench/ab/truth -unchanged 20 -program 'ur bench ab=PATH'
//
// The last tells how long it takes to find that so many packages differ in comments alone.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/truth"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

const (
	simulated = "bench/ab/truth/simulated.json"
	measured  = "bench/ab/truth/measured.json"
)

func main() {
	trials := flag.Int("trials", 1000, "of each experiment")
	record := flag.String("record", "", "simulate, and write the record to this file")
	docs := flag.String("docs", "", "write the tables of the records into this page")
	runs := flag.Int("measure", 0, "compare each pair of commits so many times, by every program")
	machine := flag.String("machine", "this machine", "what the record says of where that was")
	var programs programFlag
	flag.Var(&programs, "program", "`NAME=PATH` of a program to measure; repeatable")
	same := flag.Int("unchanged", 0, "time the answer to a commit of comments in so many packages")
	flag.Parse()
	err := run(*trials, *record, *docs)
	if err == nil && *runs > 0 {
		err = measure(*runs, *machine, programs)
	}
	for _, p := range programs {
		if err == nil && *same > 0 {
			err = unchanged(*same, p.path)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "truth:", err)
		os.Exit(1)
	}
}

func run(trials int, record, docs string) error {
	if record != "" {
		r := truth.Simulate(trials, func(done, all int) { fmt.Fprintf(os.Stderr, "\r%d of %d experiments", done, all) })
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

// block is a part of a page that a record fills.
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
	open := func(file string) (*os.File, error) { return os.Open(root + "/" + file) }
	switch name {
	case "ab:one", "ab:twenty", "ab:cost":
		f, err := open(simulated)
		if err != nil {
			return err
		}
		defer f.Close()
		r, err := truth.Read(f)
		if err != nil {
			return fmt.Errorf("%s: %w", simulated, err)
		}
		if name == "ab:cost" {
			return r.WriteCost(w)
		}
		return r.WriteTable(w, map[string]int{"ab:one": 1, "ab:twenty": 20}[name])
	case "ab:measured":
		f, err := open(measured)
		if err != nil {
			return err
		}
		defer f.Close()
		runs, err := truth.ReadRuns(f)
		if err != nil {
			return fmt.Errorf("%s: %w", measured, err)
		}
		return truth.WriteRuns(w, runs)
	}
	return fmt.Errorf("there is no table %q", name)
}
