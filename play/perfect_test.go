package play

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
	"github.com/seed-09dcdc84/ur/valuenet"
)

func TestPerfectIsPreparedOrSaysHow(t *testing.T) {
	perfect := NewPerfect("perfect", board.Finkel(), (&solve.Library{Folder: t.TempDir()}).Table)
	testkit.NoError(t, Prepare(t.Context(), 2, First, perfect))
	_, err := Match(t.Context(), MatchConfig{Players: []Player{perfect, First}, Games: 2})
	testkit.WantErrorAs[*solve.MissingTableError](t, err, "", "a match of 7 pieces without a table")
	small := NewPerfect("perfect:two", board.Finkel(), OneTable(solvetest.Table(t, 2)))
	testkit.WantError(t, small.Prepare(t.Context(), 3), "", "a table of 2 pieces serves 3")
}

func TestParsePerfect(t *testing.T) {
	name := filepath.Join(t.TempDir(), "two.urt")
	testkit.NoError(t, solvetest.Table(t, 2).Write(t.Context(), name, solve.WriteOptions{}))
	parse(t, "perfect:"+name)
	for _, spec := range []string{"perfect:", "perfect:" + filepath.Join(t.TempDir(), "none"),
		"perfect:perfect_test.go"} {
		testkit.WantError(t, testkit.ErrorOf(ParsePlayer(spec)), "", "%q is a player", spec)
	}
}

// Without luck, the result of two perfect players is a half in every pair, and that of
// any two has the mean of the raw result.
func TestLuckAdjustedScores(t *testing.T) {
	table := solvetest.Table(t, 2)
	perfect := NewPerfect("perfect", board.Finkel(), OneTable(table))
	match := func(games int, players ...Player) MatchResult {
		return testkit.Must(Match(t.Context(),
			MatchConfig{Players: players, Seed: 9, Games: games, Pieces: 2, Luck: table}))(t)
	}
	mean, stdErr := match(1000, perfect, perfect).Luck.Score()
	testkit.Near(t, mean, 0.5, 1e-9, "score of perfect against perfect")
	testkit.Near(t, stdErr, 0, 1e-9, "standard error of perfect against perfect")

	r := match(20_000, First, perfect)
	mean, stdErr = r.Luck.Score()
	low, high := r.Pairs.Interval()
	score, rawErr := r.Pairs.Score(), (high-low)/(2*1.96)
	testkit.Equal(t, 0 < stdErr && stdErr <= rawErr*0.75, true, "standard error %v, below %v with luck", stdErr, rawErr)
	testkit.Near(t, mean, score, 4*rawErr, "score without luck, and with it")
	testkit.Equal(t, r.Luck.Pairs, 10_000, "pairs")
}

// BenchmarkDecision measures a decision of a brain in positions that do not follow
// each other, which [FastestChooser] goes by.
func BenchmarkDecision(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var turns []Turn
	for len(turns) < 4096 {
		t := Turn{Rules: board.Finkel(), Position: board.Finkel().Random(rng, 7), Roll: 1 + rng.IntN(4)}
		if t.Moves = board.Finkel().Moves(nil, t.Position, t.Roll); len(t.Moves) > 1 {
			turns = append(turns, t)
		}
	}
	for _, e := range engine.Available() {
		representation, eval, _ := strings.Cut(e.Name(), "/")
		b.Run("board="+representation+"/eval="+eval, func(b *testing.B) {
			instance := testkit.Must(Brain{Spec: "brain", Weights: ur.DefaultBrain()}.Player().New(e))(b)
			i := 0
			for b.Loop() {
				testkit.Must(instance.Choose(b.Context(), &turns[i%len(turns)]))(b)
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/decision")
		})
	}
}

// TestYardstick holds that TD-Ur's published net gives away what an independent program found
// that it does: by its own rule at 2 plies, after a move the reply of the best value for each
// roll, weighted by the dice. The net is no part of this tree: UR_TDUR_NET names its file, or
// it lies beside the checkout. The exact solution must be in the cache.
func TestYardstick(t *testing.T) {
	name := cmp.Or(os.Getenv("UR_TDUR_NET"), "../../shared/vectors/tdur.json")
	n, err := valuenet.Open(name)
	testkit.SkipIf(t, os.IsNotExist(err), "TD-Ur's net is not here: UR_TDUR_NET names its file")
	testkit.NoError(t, err)
	table, err := DefaultTables().Find(board.Finkel())
	testkit.SkipIf(t, err != nil, "no exact solution by which to measure: %v", err)
	q := testkit.Must(valuenet.Quantise(n))(t)
	for _, c := range []struct {
		plies, decisions int
		want             float64 // points a decision
	}{{1, 300_000, 0.068}, {2, 100_000, 0.045}} {
		if testing.Short() {
			c.decisions /= 4 // another sample, of the same mean
		}
		p := Net{Spec: "net:" + name, Value: q}.Player()
		if c.plies > 1 {
			p = Net{Spec: "net:" + name, Value: q}.ahead(c.plies).Player()
		}
		stats := testkit.Must(Regret(t.Context(), p, table, nil,
			solve.DecisionOptions{Pieces: board.FinkelPieces, Decisions: c.decisions, Seed: 5}))(t)
		t.Logf("%d plies: %.4f points over %d decisions", c.plies, stats.Mean, stats.Decisions)
		testkit.Near(t, stats.Mean, c.want, 0.002, "points that it gives away at %d plies", c.plies)
	}
}

// Each level is stronger than the one below it, in score and in regret, and the highest
// below perfect play gives next to nothing away.
func TestLevelsRise(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "plays 8,000 games")
	const pieces = 3
	decisions, games := testkit.Trials(1000, 5000), testkit.Trials(1000, 4000)
	solved := solvetest.Table(t, pieces)
	before := math.Inf(1)
	level := func(n int) Player { return parse(t, fmt.Sprintf("level:%d", n)) }
	for n := 1; n < MaxLevel; n++ {
		p := level(n)
		regret := testkit.Must(Regret(t.Context(), p, solved, nil,
			solve.DecisionOptions{Pieces: pieces, Decisions: decisions, Seed: 2}))(t)
		testkit.Equal(t, regret.Mean < before, true, "%s gives %.3f points away, not %.3f", p.Spec, regret.Mean, before)
		before = regret.Mean
		if n+1 == MaxLevel {
			continue
		}
		r := mustMatch(t, MatchConfig{Players: []Player{level(n + 1), p}, Games: games, Pieces: pieces, Seed: 4})
		score := r.Pairs.Score()
		testkit.ErrorIf(t, score < 0.5, "level %d scores %.3f against the level below", n+1, score)
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
		testkit.Near(t, float64(counts[i])/draws, want, 1e-3, "share of move %d in all draws", i)
	}
	for _, number := range []float64{0, 0.5, 1 - 1.0/(1<<53)} {
		testkit.Equal(t, drawMove(win, 1e-9, number), 1, "%g draws move", number)
	}
}

func TestParseLevel(t *testing.T) {
	for n := 1; n <= 10; n++ {
		testkit.Equal(t, levelKind.Title(parse(t, fmt.Sprintf("level:%d", n)).Spec), fmt.Sprintf("Level %d, %s", n,
			strengths[n-1]), "title of level %d", n)
	}
	for _, spec := range []string{"level", "level:0", "level:11", "level:01", "level:x", "level@3", "level:"} {
		testkit.WantError(t, testkit.ErrorOf(ParsePlayer(spec)), "want level:1 to level:10", "%s", spec)
	}
}

// Without a table the highest level says which level needs none.
func TestHighestLevelWithoutTable(t *testing.T) {
	p := NewPerfect("level:10", board.Finkel(), (&solve.Library{Folder: t.TempDir()}).Table)
	testkit.WantError(t, Prepare(t.Context(), 7, p), "level:9 needs no table", "Prepare")
	testkit.Must(p.New(engine.Oracle()))(t)
}
