package ursearch

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/solvetest"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

var fixedPieces = flag.Int("fixed-pieces", 3, "pieces of the exact solution that TestFixedPoint searches by: 4 takes a minute")

// With the exact solution as leaf every search returns the exact solution: at any depth,
// by any algorithm.
func TestFixedPoint(t *testing.T) {
	pieces, positions := *fixedPieces, 600
	if testing.Short() {
		pieces, positions = 2, 200
	}
	table := solvetest.Values(t, pieces)
	rng := rand.New(rand.NewPCG(3, 4))
	for _, o := range allOptions(t) {
		s, err := New(Config{Pieces: pieces, Leaf: TableLeaf(table), Options: o})
		if err != nil {
			t.Fatal(err)
		}
		for range positions / len(allOptions(t)) * 2 {
			checkFixedPoint(t, s, table, o, board.RandomPosition(rng, pieces), rng.IntN(board.MaxRoll+1), 1+rng.IntN(4))
		}
	}
}

func checkFixedPoint(t *testing.T, s *Searcher, table solve.Table, o search.Options, p board.Position, roll, depth int) {
	if depth == 4 && o.Algorithm == "expectiminimax" {
		depth = 3 // the oracle takes its time
	}
	const close = 1e-12
	r, err := s.Search(context.Background(), p, search.NoRoll, search.Limits{Depth: depth})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Win(r.Value), table.Win(p); math.Abs(got-want) > close {
		t.Fatalf("%s at depth %d: %v is worth %.15f, the table says %.15f", o.Algorithm, depth, p, got, want)
	}
	moves := p.Moves(nil, roll)
	if len(moves) == 0 {
		return
	}
	r, err = s.Search(context.Background(), p, roll, search.Limits{Depth: depth})
	if err != nil {
		t.Fatal(err)
	}
	_, best := solve.BestMove(table, p, moves)
	if got := solve.After(table, p, moves[r.Best]); math.Abs(got-best) > close || math.Abs(Win(r.Value)-best) > close {
		t.Fatalf("%s at depth %d: %v with roll %d is worth %.15f by a move worth %.15f, the table says %.15f",
			o.Algorithm, depth, p, roll, Win(r.Value), got, best)
	}
}

// allOptions are every algorithm with dice, with a table, on one thread to three, and without.
func allOptions(t *testing.T) (list []search.Options) {
	for _, a := range search.Algorithms() {
		if !a.Dice() {
			continue
		}
		list = append(list, search.Options{Algorithm: a}, search.Options{Algorithm: a, Static: true})
		for policy := range search.Replacements() {
			table, err := search.NewTable(1<<12<<policy, search.Replacement(policy))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, search.Options{
				Algorithm: a, Static: policy%2 == 0, Table: table, TableMove: policy < 2, ETC: true, TableDepth: policy,
				Threads: 1 + policy%3,
			})
		}
	}
	return list
}

// Threads find the same bits as one does alone, in searches deep enough that they meet.
func TestThreadsFindTheSameBits(t *testing.T) {
	rounds := 24
	if testing.Short() {
		rounds = 6
	}
	exact := solvetest.Values(t, 2)
	rng := rand.New(rand.NewPCG(7, 8))
	for round := range rounds {
		p := board.RandomPosition(rng, board.MaxPieces)
		roll := rng.IntN(board.MaxRoll+2) - 1
		l := search.Limits{Depth: 5 + round%2, AllMoves: round%3 == 0}
		var want search.Result
		for threads := 1; threads <= 4; threads++ {
			table, err := search.NewTable(1<<20, search.Buckets)
			if err != nil {
				t.Fatal(err)
			}
			s := newTestSearcher(t, Config{
				Pieces: board.MaxPieces, Exact: exact, ExactPieces: 2,
				Options: search.Options{Static: true, Table: table, Threads: threads},
			})
			got := lookUp(t, s, p, roll, l)
			if threads == 1 {
				want = got
			}
			if got.Value != want.Value || got.Best != want.Best || !slices.Equal(got.Moves, want.Moves) {
				t.Errorf("%v roll %d depth %d: %d threads find %d by move %d of %v, one finds %d by move %d of %v",
					p, roll, l.Depth, threads, got.Value, got.Best, got.Moves, want.Value, want.Best, want.Moves)
			}
		}
	}
}

// Every algorithm and switch finds the same bits as expectiminimax without anything, leaf
// by leaf: with 1 to 7 pieces, by a brain, by any leaf, and with an exact table behind each.
func TestSameBits(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 40
	}
	exact := solvetest.Values(t, 2)
	rng := rand.New(rand.NewPCG(5, 6))
	options := allOptions(t)
	for round := range rounds {
		pieces := 1 + rng.IntN(board.MaxPieces)
		c := Config{Pieces: pieces, Brain: ur.DefaultBrain()}
		if round%2 == 1 {
			c.Exact, c.ExactPieces = exact, 1+rng.IntN(2)
		}
		if round%3 == 2 {
			c.Leaf = anyLeaf
		}
		o := options[rng.IntN(len(options))]
		o.NoScout = rng.IntN(2) == 0
		if c.Options = o; o.Table != nil {
			o.Table.Clear() // it remembers another game
		}
		fast := newTestSearcher(t, c)
		c.Options = search.Options{Algorithm: "expectiminimax", NoLast: true}
		plain := newTestSearcher(t, c)
		for range 3 {
			p := board.RandomPosition(rng, pieces)
			roll, depth := rng.IntN(board.MaxRoll+2)-1, 1+rng.IntN(4)
			l := search.Limits{Depth: depth, AllMoves: rng.IntN(2) == 0}
			if depth == 4 && roll == search.NoRoll {
				l.Depth = 3
			}
			want := lookUp(t, plain, p, roll, l)
			got := lookUp(t, fast, p, roll, l)
			if got.Value != want.Value || got.Best != want.Best || len(got.Moves) != len(want.Moves) {
				t.Fatalf("%+v: %v roll %d depth %d: %d by move %d, the oracle says %d by move %d",
					o, p, roll, l.Depth, got.Value, got.Best, want.Value, want.Best)
			}
			for i := range want.Moves {
				if got.Moves[i] != want.Moves[i] {
					t.Fatalf("%+v: %v roll %d depth %d: moves are worth %v, the oracle says %v", o, p, roll, l.Depth, got.Moves, want.Moves)
				}
			}
			if mirrored := lookUp(t, fast, p.Mirror(), roll, l); mirrored.Value != want.Value || mirrored.Best != want.Best {
				t.Fatalf("%v is worth %d, its mirror image %d", p, want.Value, mirrored.Value)
			}
		}
	}
}

// anyLeaf values positions without sense: each as its key says.
func anyLeaf(win []float64, positions []board.Position) {
	for i, p := range positions {
		win[i] = float64(wordOf(p).key().Index>>11) / (1 << 53)
	}
}

func newTestSearcher(t *testing.T, c Config) *Searcher {
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func lookUp(t *testing.T, s *Searcher, p board.Position, roll int, l search.Limits) search.Result {
	r, err := s.Search(context.Background(), p, roll, l)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLine(t *testing.T) {
	s := newTestSearcher(t, Config{Pieces: 7})
	p := board.StartPosition(7)
	moves := p.Moves(nil, 2)
	r := lookUp(t, s, p, 2, search.Limits{Depth: 4})
	line, err := s.Line(context.Background(), p, moves[r.Best], r.Depth, 4, board.Move.Notation)
	if err != nil || len(line) != 4 || line[0] != "in-A3" {
		t.Errorf("line %v, error %v; want four moves from in-A3 on", line, err)
	}
	short, err := s.Line(context.Background(), p, moves[r.Best], r.Depth, 1, board.Move.Notation)
	if err != nil || len(short) != 1 {
		t.Errorf("line of one move is %v, error %v", short, err)
	}
}

func TestBadInput(t *testing.T) {
	small := solve.NewValues(2)
	for _, c := range []Config{
		{Pieces: 0}, {Pieces: 8}, {Pieces: 7, Exact: small, ExactPieces: 3}, {Pieces: 7, Options: search.Options{Algorithm: "pvs"}},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	s := newTestSearcher(t, Config{Pieces: 7})
	over, err := board.FromSquares(7, board.Light, [2]uint16{}, [2]int{7, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []board.Position{over, board.StartPosition(6)} {
		if _, err := s.Search(context.Background(), p, 1, search.Limits{Depth: 1}); err == nil {
			t.Errorf("%v is searched", p)
		}
	}
}

func TestCurveIsOddAndNeverFalls(t *testing.T) {
	last := search.Value(-1)
	for logit := int64(0); logit < 17<<logitBits; logit += 123_456_789 {
		v := valueOfLogit(logit)
		if v < last || v > search.MaxValue || valueOfLogit(-logit) != -v {
			t.Fatalf("value of logit %d is %d, of its opposite %d, of the one before %d", logit, v, valueOfLogit(-logit), last)
		}
		if want := 1 / (1 + math.Exp(-float64(logit)/(1<<logitBits))); math.Abs(Win(v)-want) > 1e-5 {
			t.Fatalf("probability of logit %d is %g, want %g", logit, Win(v), want)
		}
		last = v
	}
}
