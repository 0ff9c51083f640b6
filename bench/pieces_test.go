package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/golden"
)

// examplePieces is of a machine that does not exist.
func examplePieces() *Pieces {
	p := &Pieces{
		Schema: "ur.pieces/1", CPU: "Example 9000", Features: []ur.Feature{ur.AVX2}, Go: "go1.26.0",
		Commit: "0123456789abcdef0123456789abcdef01234567", OS: "linux", Arch: "amd64", Baseline: Baseline,
		Seed: 1, BenchTime: "5ms", Positions: 1024, Samples: 20, Seconds: 7,
	}
	for n := 1; n <= 10; n++ {
		x := float64(n)
		p.Rows = append(p.Rows, PiecesRow{Baseline, n, "ns/eval", 217, 216, 219})
		p.Rows = append(p.Rows, PiecesRow{"array8/scalar", n, "ns/eval", 30 + 11*x, 29 + 11*x, 32 + 11*x})
		if n > 1 {
			p.Rows = append(p.Rows, PiecesRow{"lanes/avx2", n, "ns/eval", 11.8, 11.6, 12.1})
		}
	}
	return p
}

func TestMeasurePieces(t *testing.T) {
	last, all := 0, 0
	o := PiecesOptions{Engines: []ur.Engine{engine.Oracle(), engine.Fastest()}, Positions: 8, Games: 2}
	o.Count, o.BenchTime, o.Seed = 6, time.Millisecond, 1
	o.Progress = func(p experiment.Progress) { last, all = p.Done, p.All }
	o.Time = func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		return float64(8 * passes), time.Duration(passes*8*s.(*piecesCase).pieces) * 10 * time.Nanosecond, nil
	}
	p, err := MeasurePieces(t.Context(), exampleEnvironment(), o)
	if err != nil {
		t.Fatal(err)
	}
	if last != all || last != 6*len(p.Rows) {
		t.Errorf("progress %d of %d, want %d", last, all, 6*len(p.Rows))
	}
	if p.Schema != "ur.pieces/1" || p.CPU != "Example 9000" || p.Positions != 8 || p.Samples != 6 {
		t.Errorf("facts %+v are wrong", p)
	}
	for _, row := range p.Rows {
		want := PiecesRow{row.Engine, row.Pieces, "ns/eval", 10 * float64(row.Pieces), 10 * float64(row.Pieces), 10 * float64(row.Pieces)}
		if !reflect.DeepEqual(row, want) {
			t.Errorf("row %+v, want %+v", row, want)
		}
	}
	if len(p.Rows) < 8 || len(p.Rows)%2 != 0 {
		t.Errorf("%d rows of 2 engines", len(p.Rows))
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
	o := PiecesOptions{Engines: engine.Available(), Positions: 8, Games: 2}
	o.Count, o.BenchTime = stat.MinCount, time.Microsecond
	p, err := MeasurePieces(t.Context(), experiment.Environment{}, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range p.Rows {
		if row.Median <= 0 || row.Lo > row.Median || row.Median > row.Hi {
			t.Errorf("row %+v", row)
		}
	}
	o.Engines = []ur.Engine{wrongEngine{engine.Oracle()}}
	var mismatch *MismatchError
	if _, err := MeasurePieces(t.Context(), experiment.Environment{}, o); !errors.As(err, &mismatch) || mismatch.Engine != "array16/wrong" {
		t.Errorf("wrong values: %v, want a MismatchError", err)
	}
}

func TestPiecesOptionsCheck(t *testing.T) {
	good := PiecesOptions{Engines: engine.Available(), Positions: 8, Games: 2}
	good.Count, good.BenchTime = stat.MinCount, time.Microsecond
	for want, change := range map[string]func(*PiecesOptions){
		"at least 4 for a ratio": func(o *PiecesOptions) { o.Count = 3 },
		"must be positive":       func(o *PiecesOptions) { o.BenchTime = 0 },
		"no engine":              func(o *PiecesOptions) { o.Engines = nil },
		"2 games have no":        func(o *PiecesOptions) { o.Positions = 1 << 20 },
	} {
		o := good
		change(&o)
		if _, err := MeasurePieces(t.Context(), experiment.Environment{}, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := MeasurePieces(ctx, experiment.Environment{}, good); p != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v, %v", p, err)
	}
}

func TestPiecesAsText(t *testing.T) {
	var out bytes.Buffer
	examplePieces().WriteText(&out)
	golden.Check(t, "pieces.txt", out.Bytes())
	out.Reset()
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(examplePieces()); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "pieces.json", out.Bytes()) // package record reads it
}
