package bench

import (
	"bytes"
	"errors"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/golden"
)

func TestLadderAsCSV(t *testing.T) {
	results := exampleResults()
	results.Rows[2].Counted = &Counted{Instructions: 1234.5, Cycles: 500, IPC: 2.469}
	var out bytes.Buffer
	if err := results.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "ladder.csv", out.Bytes())
}

// brokenWriter is a disk that is full.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestCSVReportsAFullDisk(t *testing.T) {
	if err := exampleResults().WriteCSV(brokenWriter{}); err == nil {
		t.Error("no error")
	}
}
