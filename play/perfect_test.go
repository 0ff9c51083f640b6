package play

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

func TestPerfectIsPreparedOrSaysHow(t *testing.T) {
	perfect := NewPerfect("perfect", board.Finkel(), (&solve.Library{Folder: t.TempDir()}).Table)
	if err := Prepare(t.Context(), 2, First, perfect); err != nil {
		t.Error(err)
	}
	_, err := Match(t.Context(), MatchConfig{Players: []Player{perfect, First}, Games: 2})
	var missing *solve.MissingTableError
	if !errors.As(err, &missing) {
		t.Errorf("a match of 7 pieces without a table: %v", err)
	}
	small := NewPerfect("perfect:two", board.Finkel(), OneTable(solvetest.Table(t, 2)))
	if err := small.Prepare(t.Context(), 3); err == nil {
		t.Error("a table of 2 pieces serves 3")
	}
}

func TestParsePerfect(t *testing.T) {
	name := filepath.Join(t.TempDir(), "two.urt")
	if err := solvetest.Table(t, 2).Write(t.Context(), name, solve.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlayer("perfect:" + name)
	if err != nil || p.Spec != "perfect:"+name {
		t.Fatalf("%v, %v", p, err)
	}
	for _, spec := range []string{"perfect:", "perfect:" + filepath.Join(t.TempDir(), "none"), "perfect:perfect_test.go"} {
		if _, err := ParsePlayer(spec); err == nil {
			t.Errorf("%q is a player", spec)
		}
	}
}

// Without luck, the result of two perfect players is a half in every pair, and that of
// any two has the mean of the raw result.
func TestLuckAdjustedScores(t *testing.T) {
	table := solvetest.Table(t, 2)
	perfect := NewPerfect("perfect", board.Finkel(), OneTable(table))
	match := func(games int, players ...Player) MatchResult {
		r, err := Match(t.Context(), MatchConfig{
			Players: players, Seed: 9, Games: games, Pieces: 2, Luck: table,
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	mean, stdErr := match(1000, perfect, perfect).Luck.Score()
	if math.Abs(mean-0.5) > 1e-9 || stdErr > 1e-9 {
		t.Errorf("perfect against perfect: %v +- %v, want 0.5 +- 0", mean, stdErr)
	}

	r := match(20_000, First, perfect)
	mean, stdErr = r.Luck.Score()
	low, high := r.Pairs.Interval()
	score, rawErr := r.Pairs.Score(), (high-low)/(2*1.96)
	if stdErr <= 0 || stdErr > rawErr*0.75 {
		t.Errorf("standard error %v without luck, %v with it", stdErr, rawErr)
	}
	if math.Abs(mean-score) > 4*rawErr {
		t.Errorf("score %v without luck, %v +- %v with it", mean, score, rawErr)
	}
	if r.Luck.Pairs != 10_000 {
		t.Errorf("%d pairs, want 10000", r.Luck.Pairs)
	}
}
