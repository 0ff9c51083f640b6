package engine

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// negamax is the oracle: every game that can follow, on the oracle's moves.
func negamax(b board.Board) int {
	g := movegen.All()[0]
	moves := g.Moves(b)
	if moves == 0 {
		if g.Moves(b.Pass()) == 0 {
			return b.Score()
		}
		return -negamax(b.Pass())
	}
	best := -inf
	for ; moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		best = max(best, -negamax(b.Play(s, g.Flips(b, s))))
	}
	return best
}

// ending plays a random game until n squares are empty.
func ending(random *rand.Rand, n int) (board.Board, bool) {
	return playTo(board.Start, n, func(_ board.Board, moves uint64) board.Square { return board.AnyOf(random, moves) })
}

// playTo plays chosen moves until n squares are empty, or reports that the game ended before.
func playTo(b board.Board, n int, choose func(b board.Board, moves uint64) board.Square) (board.Board, bool) {
	for b.Empties() > n {
		moves := b.Moves()
		if moves == 0 {
			if b.Over() {
				return b, false
			}
			b = b.Pass()
			continue
		}
		s := choose(b, moves)
		b = b.Play(s, b.Flips(s))
	}
	return b, true
}

// rubbish are weights that mean nothing: an evaluation may be as bad as it likes, and
// scores must not change.
func rubbish() *eval.Weights {
	random := rand.New(rand.NewPCG(4, 4))
	var stages [eval.Stages][]float32
	for i := range stages {
		stages[i] = make([]float32, eval.WeightsPerStage)
		testkit.Fill(stages[i], func() float32 { return float32(random.IntN(41) - 20) })
	}
	return eval.NewWeights(&stages)
}

// learned returns the built-in weights.
func learned(t testing.TB) *eval.Weights { return testkit.Must(eval.Learned())(t) }

func solver(t testing.TB, o Options) *Engine {
	if o.TableBits == 0 {
		o.TableBits = 12
	}
	return testkit.Must(New(o))(t)
}

// solvers are all that must agree: plain, with an evaluation however bad, on threads, and
// with each technique left out.
func solvers(t testing.TB) map[string]*Engine {
	w := rubbish()
	all := map[string]*Engine{
		"plain":      solver(t, Options{Without: evaluation | iteration}),
		"hand":       solver(t, Options{}),
		"evaluation": solver(t, Options{Weights: w}),
		"threads":    solver(t, Options{Weights: w, Threads: 3}),
		"nothing":    solver(t, Options{Without: ^Technique(0)}),
		"oracle":     solver(t, Options{Weights: w, Generator: movegen.All()[0]}),
	}
	for i, name := range techniques {
		all["without "+name] = solver(t, Options{Weights: w, Without: 1 << i})
	}
	return all
}

// All solvers find the score of negamax, and on more empty squares, where that takes too long, the
// plain one's.
func TestSolversEqualNegamax(t *testing.T) {
	all := solvers(t)
	random := rand.New(rand.NewPCG(1, 61))
	for i := range testkit.Trials(18, 307) {
		empties := i % 9
		if i < 7 {
			empties = 13 + i%testkit.Trials(3, 7)
		}
		b, ok := ending(random, empties)
		if !ok {
			continue
		}
		r := testkit.Must(all["plain"].Search(t.Context(), b, Limits{}))(t)
		want := r.Score()
		if empties < 9 {
			want = negamax(b)
		}
		for name, s := range all {
			if empties >= 9 && (name == "nothing" || name == "oracle") { // too slow
				continue
			}
			r := testkit.Must(s.Search(t.Context(), b, Limits{}))(t)
			testkit.MustEqual(t, r.Score(), want, "%s: %v has score", name, b)
		}
	}
}

// vector is a position of ../testdata with its score and those of its moves.
type vector struct {
	N           int
	Board, Side string
	Empties     int
	Score       int
	Best        []string
	Moves       map[string]int
	All         bool `json:"all_legal_listed"`
}

func (v vector) position(t testing.TB) board.Board {
	return testkit.Must(board.ParsePosition(v.Board, v.Side))(t).Board
}

func readVectors(t testing.TB, file string) (small, positions []vector) {
	var v struct {
		Small     []vector `json:"small_endgames"`
		Positions []vector
	}
	testkit.NoError(t, json.Unmarshal([]byte(testkit.ReadText(t, file)), &v))
	return v.Small, v.Positions
}

// check compares the scores of all moves with a vector's.
func check(t *testing.T, s *Engine, v vector) {
	r, err := s.Search(context.Background(), v.position(t), Limits{AllMoves: true})
	testkit.ErrorIf(t, err != nil || r.Score() != v.Score,
		"%s %s: score %d, want %d: %v", v.Board, v.Side, r.Score(), v.Score, err)
	got := map[string]int{}
	for _, m := range r.Moves {
		got[m.Square.String()] = m.Value / eval.Disc
	}
	for name, score := range v.Moves {
		found, ok := got[name]
		testkit.ErrorIf(t, !ok || found != score, "%s %s: %s scores %d, want %d", v.Board, v.Side, name, found, score)
	}
}

func TestSmallEndgames(t *testing.T) {
	small, _ := readVectors(t, "../testdata/edge.json")
	testkit.FatalIf(t, len(small) == 0, "the vectors hold nothing")
	for _, s := range []*Engine{solver(t, Options{}), solver(t, Options{Weights: rubbish()})} {
		for _, v := range small {
			check(t, s, v)
		}
	}
}

// The FForum positions, as far as a test has time.
func TestFForum(t *testing.T) {
	_, positions := readVectors(t, "../../bench/reversi_ffo.json")
	most := 16
	if testing.Short() {
		most = 14
	}
	s := solver(t, Options{TableBits: 16, Without: evaluation | iteration})
	n := 0
	for _, v := range positions {
		if v.Empties > most {
			continue
		}
		n++
		r, err := s.Search(context.Background(), v.position(t), Limits{})
		testkit.ErrorIf(t, err != nil || r.Score() != v.Score,
			"FForum %d: score %d, want %d: %v", v.N, r.Score(), v.Score, err)
		if v.Empties <= 14 {
			check(t, s, v)
		}
	}
	testkit.ErrorIf(t, n < 6, "only %d positions solved", n)
}

func TestFinishedAndImpossibleBoards(t *testing.T) {
	s := solver(t, Options{})
	r, err := s.Search(context.Background(), board.Board{Own: 1}, Limits{})
	testkit.ErrorIf(t, err != nil || r.Score() != 64 || r.Best != board.None, "a game that is won: %+v, %v", r, err)
	overlap := board.Board{Own: 3, Opp: 1}
	testkit.WantError(t, testkit.ErrorOf(s.Search(context.Background(), overlap, Limits{})), "", "discs that overlap")
	for _, o := range []Options{{Threads: -1}, {TableBits: -1}, {TableBits: 31}} {
		testkit.WantError(t, testkit.ErrorOf(New(o)), "", "%+v", o)
	}
	testkit.WantError(t, testkit.ErrorOf(ParseTechniques("parity,luck")), "", "luck")
}

func TestSolveAllocatesOnce(t *testing.T) {
	s := solver(t, Options{Weights: rubbish()})
	b, _ := ending(rand.New(rand.NewPCG(8, 8)), 13)
	n := testing.AllocsPerRun(3, func() {
		if a := s.searchers[0].search(b, 13); a.Value < -most {
			t.Error(a)
		}
	})
	testkit.ErrorIf(t, n > 0, "%v allocations", n)
}

// A table is as large as the searches need, and forgotten with them.
func TestTableGrows(t *testing.T) {
	s := testkit.Must(New(Options{Weights: rubbish()}))(t)
	for _, test := range []struct {
		empties int
		limits  Limits
		want    int
	}{{8, Limits{}, 1 << 10}, {14, Limits{}, 1 << 12}, {8, Limits{}, 1 << 12}, {14, Limits{Depth: 2}, 1 << 18}} {
		b, ok := ending(rand.New(rand.NewPCG(8, 8)), test.empties)
		testkit.Must(s.Search(t.Context(), b, test.limits))(t)
		testkit.Equal(t, ok, true, "%d empties are reached", test.empties)
		testkit.Equal(t, len(s.table.buckets), test.want, "after %d empties, %+v: buckets", test.empties, test.limits)
	}
	s.Forget()
	testkit.Equal(t, len(s.table.buckets), 1, "buckets after Forget")
}

// A game won in every line is searched as far as the first of them: values at the bound cut.
func TestWonGameIsSearchedQuickly(t *testing.T) {
	_, positions := readVectors(t, "../../bench/reversi_ffo.json")
	w := learned(t)
	for _, v := range positions {
		if v.N != 39 { // 26 empty squares, a score of 64
			continue
		}
		r, err := solver(t, Options{Weights: w, TableBits: 16}).Search(t.Context(), v.position(t), Limits{})
		testkit.ErrorIf(t, err != nil || r.Score() != 64 || r.Nodes > 3_500_000, "%+v, %v", r, err)
		return
	}
	t.Error("FForum 39 is missing")
}

// A context that ends as a solve finishes must not reach the next solve: every result
// with a nil error is exact.
func TestSolveRacesWithItsContext(t *testing.T) {
	testkit.SkipIf(t, runtime.GOMAXPROCS(0) == 1, "a goroutine that yields waits for a whole solution on one processor")
	races := testkit.Trials(1000, 100_000)
	type problem struct {
		board board.Board
		score int
	}
	random := rand.New(rand.NewPCG(3, 3))
	var problems []problem
	for len(problems) < 16 {
		b, ok := ending(random, 8)
		if ok && !b.Over() {
			problems = append(problems, problem{b, negamax(b)})
		}
	}
	s := solver(t, Options{TableBits: 6})
	waits := rand.New(rand.NewPCG(4, 4))
	cancels := make(chan func())
	go func() {
		for cancel := range cancels {
			for range waits.IntN(1000) {
				runtime.Gosched()
			}
			cancel()
		}
	}()
	defer close(cancels)
	wrong, ended := 0, 0
	for i := range races {
		p := problems[i%len(problems)]
		ctx, cancel := context.WithCancel(context.Background())
		cancels <- cancel
		for ctx.Err() == nil {
			s.Forget()
			r, err := s.Search(ctx, p.board, Limits{})
			switch {
			case err != nil:
				ended++
			case r.Score() != p.score || r.Best == board.None:
				wrong++
			}
		}
	}
	t.Logf("%d races, %d ended within a solve, wrong: %d", races, ended, wrong)
	testkit.ErrorIf(t, wrong > 0, "%d of %d results with a nil error are wrong", wrong, races)
}

// minimax is the oracle of searches to a depth: every line of depth plies, passes not counted, and
// the evaluation behind it.
func minimax(value func(board.Board) int, b board.Board, depth int) int {
	if b.Moves() == 0 && b.Over() {
		return b.Score() * eval.Disc
	}
	if depth == 0 {
		return value(b)
	}
	if b.Moves() == 0 {
		return -minimax(value, b.Pass(), depth)
	}
	best := never
	for moves := b.Moves(); moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		best = max(best, -minimax(value, b.Play(s, b.Flips(s)), depth-1))
	}
	return best
}

// Without ProbCut a search has the value of plain minimax, in fractions of a disc or in whole discs,
// by both evaluations, on one thread or several, with each technique left out.
func TestSearchesEqualMinimax(t *testing.T) {
	w := learned(t)
	learned := w.Evaluate
	engines := map[string]*Engine{
		"hand":     solver(t, Options{}),
		"threads":  solver(t, Options{Weights: w, Threads: 2, Without: probCutting}),
		"nothing":  solver(t, Options{Weights: w, Without: ^fractions}),
		"roundest": solver(t, Options{Weights: w, Without: ^Technique(0)}),
	}
	values := map[string]func(board.Board) int{
		"hand":     eval.DefaultHand().Evaluate,
		"roundest": func(b board.Board) int { return eval.Discs(learned(b)) * eval.Disc },
	}
	for i, name := range techniques {
		engines["without "+name] = solver(t, Options{Weights: w, Without: 1<<i | probCutting})
	}
	values["without fractions"] = values["roundest"]
	random := rand.New(rand.NewPCG(1, 63))
	for range testkit.Trials(4, 12) {
		b, ok := ending(random, 5+random.IntN(50))
		if !ok || b.Moves() == 0 {
			continue
		}
		for name, e := range engines {
			value := values[name]
			if value == nil {
				value = learned
			}
			for depth := 1; depth <= min(4, b.Empties()-1); depth++ {
				e.Forget()
				want := minimax(value, b, depth)
				r, err := e.Search(t.Context(), b, Limits{Depth: depth})
				testkit.ErrorIf(t, err != nil || r.Value != want || r.Depth != depth || r.Line[0] != r.Best,
					"%s: %v, depth %d: %+v, want %d: %v", name, b, depth, r, want, err)
				e.Forget()
				all, err := e.Search(t.Context(), b, Limits{Depth: depth, AllMoves: true})
				testkit.ErrorIf(t, err != nil || all.Value != want || all.Moves[0].Value != want,
					"%s: %v, depth %d, all moves: %+v, want %d: %v", name, b, depth, all, want, err)
				e.Forget()
				testkit.ErrorIf(t, e.Value(b, depth, -most, most) != want,
					"%s: %v: value at depth %d, want %d", name, b, depth, want)
			}
		}
	}
}

// Visited positions are counted by whether the table knew them, anew for every search.
func TestHitsAndMisses(t *testing.T) {
	l := Limits{Depth: 8}
	e := testkit.Must(New(Options{TableBits: 12}))(t)
	e.Value(board.Start, 8, -64*eval.Disc, 64*eval.Disc)
	e.Forget()
	first := testkit.Must(e.Search(t.Context(), board.Start, l))(t)
	testkit.ErrorIf(t, first.Hits == 0 || first.Misses == 0 || first.Hits+first.Misses > first.Nodes, "%+v", first)
	e.Forget()
	testkit.Equal(t, testkit.Must(e.Search(t.Context(), board.Start, l))(t).Visits, first.Visits, "visits of the same search")
	again := testkit.Must(e.Search(t.Context(), board.Start, l))(t)
	testkit.ErrorIf(t, again.Misses >= first.Misses, "%d misses with a full table, %d before", again.Misses, first.Misses)
	l.AllMoves = true
	all := testkit.Must(e.Search(t.Context(), board.Start, l))(t)
	testkit.ErrorIf(t, all.Hits == 0 || all.Misses == 0, "with all moves %+v", all)
	bare := testkit.Must(testkit.Must(New(Options{Without: remembering}))(t).Search(t.Context(), board.Start, Limits{Depth: 6}))(t)
	testkit.ErrorIf(t, bare.Hits+bare.Misses > 0 || bare.Nodes == 0, "without a table %+v", bare)
}

// A depth beyond the end of the game, and a number of empty squares from which it is solved, find
// the exact score.
func TestDepthBeyondTheEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 64))
	s := solver(t, Options{Weights: rubbish()})
	for range 300 {
		b, ok := ending(random, 1+random.IntN(12))
		if !ok {
			continue
		}
		want := testkit.Must(s.Search(t.Context(), b, Limits{}))(t)
		for _, l := range []Limits{{Depth: 12}, {Depth: 60}, {Depth: 2, Exact: 12}} {
			r, err := s.Search(t.Context(), b, l)
			testkit.ErrorIf(t, err != nil || r.Value != want.Value || r.Confidence != 100,
				"%v, %+v: %+v, want %d: %v", b, l, r, want.Value, err)
		}
	}
}
