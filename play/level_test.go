package play

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// mustLevel returns a level.
func mustLevel(t *testing.T, n int) Player {
	t.Helper()
	p, err := ParsePlayer(fmt.Sprintf("level:%d", n))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each level is stronger than the one below it, in score and in regret, and the highest
// below perfect play gives next to nothing away.
func TestLevelsRise(t *testing.T) {
	if testing.Short() {
		t.Skip("plays 36,000 games")
	}
	const pieces = 3
	solved := solvetest.Table(t, pieces)
	before := math.Inf(1)
	for n := 1; n < MaxLevel; n++ {
		p := mustLevel(t, n)
		regret, err := Regret(t.Context(), p, solved, nil, solve.RegretOptions{Pieces: pieces, Decisions: 5000, Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		if regret.Mean >= before {
			t.Errorf("%s gives away %.3f points, the level below %.3f", p.Spec, regret.Mean, before)
		}
		before = regret.Mean
		if n+1 == MaxLevel {
			continue
		}
		r := mustMatch(t, MatchConfig{Players: []Player{mustLevel(t, n+1), p}, Games: 4000, Pieces: pieces, Seed: 4})
		if score := r.Pairs.Score(); score < 0.5 {
			t.Errorf("level %d scores %.3f against the level below", n+1, score)
		}
	}
}

// A draw follows the weights, and a temperature near 0 takes the best move.
func TestDrawMove(t *testing.T) {
	win := []float64{0.50, 0.60, 0.55}
	var counts [3]int
	const draws = 30_000
	for i := range draws {
		counts[drawMove(win, 0.1, (float64(i)+0.5)/draws)]++
	}
	sum := math.Exp(-1) + 1 + math.Exp(-0.5)
	for i, want := range []float64{math.Exp(-1) / sum, 1 / sum, math.Exp(-0.5) / sum} {
		if got := float64(counts[i]) / draws; math.Abs(got-want) > 1e-3 {
			t.Errorf("move %d is drawn %.4f of all times, want %.4f", i, got, want)
		}
	}
	for _, number := range []float64{0, 0.5, 1 - 1.0/(1<<53)} {
		if got := drawMove(win, 1e-9, number); got != 1 {
			t.Errorf("%g draws move %d, want the best", number, got)
		}
	}
}

func TestParseLevel(t *testing.T) {
	for _, spec := range levelNames() {
		if p, err := ParsePlayer(spec); err != nil || p.Spec != spec {
			t.Errorf("%s: %v, %v", spec, p, err)
		}
	}
	for _, spec := range []string{"level", "level:0", "level:11", "level:01", "level:x", "level@3", "level:"} {
		if _, err := ParsePlayer(spec); err == nil || !strings.Contains(err.Error(), "want level:1 to level:10") {
			t.Errorf("%s: error %v", spec, err)
		}
	}
}

// Without a table the highest level says which level needs none.
func TestHighestLevelWithoutTable(t *testing.T) {
	p := NewPerfect("level:10", board.Finkel(), (&solve.Library{Folder: t.TempDir()}).Table)
	if err := Prepare(t.Context(), 7, p); err == nil || !strings.Contains(err.Error(), "level:9 needs no table") {
		t.Errorf("error %v", err)
	}
	if _, err := p.New(engine.Oracle()); err != nil {
		t.Error(err)
	}
}
