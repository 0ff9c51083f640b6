package bench

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

func TestPiecesAreMeasured(t *testing.T) {
	set, err := selectPieces(Selection{Engines: []ur.Engine{engine.Fastest()}}, 2, 8)
	if err != nil {
		t.Fatal(err)
	}
	o := piecesSuite().Complete(experiment.Options{Count: 6, Seed: 1}, set)
	o.Time = func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		return float64(8 * passes), time.Duration(passes*8*s.(*piecesCase).pieces) * 10 * time.Nanosecond, nil
	}
	run, err := experiment.Measure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	results := experiment.NewResults(exampleEnvironment(), 1)
	results.Add("pieces", run, set.Work)
	if len(results.Rows) < 8 || len(results.Rows)%2 != 0 || results.Work["pieces"]["positions"] != "8" {
		t.Errorf("%d rows of 2 engines, work %v", len(results.Rows), results.Work)
	}
	for _, row := range results.Rows {
		pieces, err := strconv.Atoi(row.Keys["pieces"])
		if want := 10 * float64(pieces); err != nil || row.Median != want || row.Unit != "ns/eval" || row.Ratio != 1 || row.BenchTime != "5ms" || row.Engine != "" {
			t.Errorf("row %+v, want %v ns/eval", row, want)
		}
	}
}

func TestPositionsByPieces(t *testing.T) {
	groups, err := positionsByPieces(20, 16)
	if err != nil {
		t.Fatal(err)
	}
	again, err := positionsByPieces(20, 16)
	if err != nil || !reflect.DeepEqual(groups, again) {
		t.Errorf("other positions the second time (%v)", err)
	}
	filled := 0
	for k, positions := range groups {
		if positions == nil {
			continue
		}
		filled++
		if len(positions) != 16 {
			t.Errorf("%d positions with %d pieces, want 16", len(positions), k)
		}
		for _, p := range positions {
			counted := 0
			for square := 1; square <= 14; square++ {
				counted += p.Count(0, square) + p.Count(1, square)
			}
			if err := p.Check(); err != nil || counted != k {
				t.Errorf("%s has %d pieces on the board, want %d (%v)", p, counted, k, err)
			}
		}
	}
	if filled < 8 {
		t.Errorf("only %d numbers of pieces have positions", filled)
	}
}

// With the real clock every engine's values are compared with the oracle's.
func TestPiecesOfEveryEngine(t *testing.T) {
	set, err := selectPieces(Selection{Engines: engine.Available()}, 2, 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range set.Subjects {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		if units, err := s.Pass(); err != nil || units != 8 {
			t.Errorf("%s: %v units, %v", s.Name(), units, err)
		}
	}
	set, err = selectPieces(Selection{Engines: []ur.Engine{wrongEngine{engine.Oracle()}}}, 2, 8)
	if err != nil {
		t.Fatal(err)
	}
	var mismatch *MismatchError
	o := piecesSuite().Complete(experiment.Options{Count: stat.MinCount, BenchTime: time.Microsecond}, set)
	if _, err := experiment.Measure(t.Context(), o); !errors.As(err, &mismatch) || mismatch.Engine != "array16/wrong" {
		t.Errorf("wrong values: %v, want a MismatchError", err)
	}
	if _, err := selectPieces(Selection{}, 2, 1<<20); err == nil || !strings.Contains(err.Error(), "2 games have fewer than") {
		t.Errorf("too few positions: %v", err)
	}
}
