package analysis_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
	"github.com/seed-09dcdc84/ur/valuenet"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// games plays recorded games of two players.
func games(t *testing.T, n, pieces int, players ...play.Player) (list []*record.Game) {
	t.Helper()
	testkit.Must(play.Match(t.Context(), play.MatchConfig{
		Players: []play.Player{players[0], players[1]}, Games: n, Pieces: pieces, Seed: 6, Engine: engine.Fastest(),
		Record: func(g *record.Game) error { list = append(list, g); return nil },
	}))(t)
	return list
}

// damaged is an evaluator by a damaged table.
type damaged struct{ play.Evaluator }

var errDamaged = errors.New("damaged")

func (damaged) Evaluate(context.Context, board.Position, int) (play.Evaluation, error) {
	return play.Evaluation{}, errDamaged
}

func TestDamagedEvaluatorFails(t *testing.T) {
	e := damaged{play.TableEvaluator(solvetest.Table(t, 1))}
	g := games(t, 1, 1, play.Random, play.Random)[0]
	testkit.WantErrorIs(t, testkit.ErrorOf(analysis.Analyze(t.Context(), g, e)), errDamaged, "Analyze")
	r := testkit.Must(board.Finkel().WithPieces(1))(t)
	turn := &play.Turn{Rules: r, Position: r.Start(), Roll: 2, Moves: r.Moves(nil, r.Start(), 2)}
	testkit.WantErrorIs(t, testkit.ErrorOf(analysis.Advise(t.Context(), e, turn, r.Notation)), errDamaged, "Advise")
}

// Of every game that was played to its end, the result is what luck and regret make of the
// chances at the start: the result without luck is the start, less what was given away.
func TestLuckAndRegretExplainTheResult(t *testing.T) {
	const pieces = 3
	solved := solvetest.Table(t, pieces)
	perfect := play.NewPerfect("perfect", board.Finkel(), play.OneTable(solved))
	start := solved.Win(board.StartPosition(pieces))
	for _, g := range games(t, 200, pieces, perfect, play.Random) {
		a := testkit.Must(analysis.Analyze(t.Context(), g, play.TableEvaluator(solved)))(t)
		given := [2]float64{}
		for side, p := range a.Players {
			given[side] = p.Regret * float64(p.Decisions) / 100
		}
		light, dark := a.Players[0].Adjusted, a.Players[1].Adjusted
		testkit.Near(t, light, start-given[0]+given[1], 1e-9, "result of Light without luck")
		testkit.Near(t, light+dark, 1, 1e-9, "sum of the results without luck")
		for side, p := range a.Players {
			testkit.FatalIf(t, p.Name == "perfect" &&
				(p.Regret != 0 || p.Optimal != 1 || p.Mistakes+p.Blunders+p.Inaccuracies > 0),
				"the perfect player as %v: %+v", board.Side(side), p)
		}
		chances := a.Light()
		testkit.MustEqual(t, len(chances), len(g.Turns), "chances of Light")
		testkit.MustEqual(t, chances[len(chances)-1], float64(a.Players[0].Wins), "the last chance of Light")
	}
}

// Without a table the net says about the same.
func TestBySearch(t *testing.T) {
	_, value, err := valuenet.BuiltinFor(board.Finkel())
	testkit.NoError(t, err)
	var total [2]analysis.Player
	for _, g := range games(t, 6, 7, play.Greedy, play.Random) {
		a := testkit.Must(analysis.Analyze(t.Context(), g, play.NetEvaluator(value)))(t)
		testkit.MustEqual(t, a.By, "search", "who values")
		for _, m := range a.Moves {
			testkit.FatalIf(t, m.Win < 0 || m.Win > 1 || m.WinBefore < 0 || m.WinBefore > 1 || m.Regret < 0, "%+v", m)
		}
		for _, p := range a.Players {
			total[slices.Index([]string{"greedy", "random"}, p.Name)].Add(p)
		}
	}
	testkit.ErrorIf(t, total[0].Regret >= total[1].Regret || total[0].Games != 6 || total[1].Decisions == 0,
		"greedy %+v, random %+v", total[0], total[1])
}

func TestMark(t *testing.T) {
	for regret, want := range map[float64]string{0: "", 0.0099: "", 0.01: "inaccuracy", 0.03: "mistake",
		0.06: "blunder", 0.5: "blunder"} {
		testkit.Equal(t, analysis.Mark(regret), want, "%g", regret)
	}
}

// A game is drawn, with whatever stands in its names.
func TestChart(t *testing.T) {
	g := &analysis.Game{By: "search", Result: "light", Turning: []int{2, 1}, Players: [2]analysis.Player{{Name: "<b>&\"", Games: 1}, {Games: 1}}, Moves: []analysis.Move{
		{Turn: 1, Side: "light", Roll: 1, Move: "in-A4", Best: "in-A4", WinBefore: 0.5, Win: 0.25,
			Mark: "blunder", Regret: 0.07},
		{Turn: 2, Side: "dark", Move: "pass", Best: "pass", WinBefore: 0.75, Win: 0.5},
	}}
	svg := testkit.Written(t, g.WriteSVG)
	testkit.Equal(t, testkit.Written(t, g.WriteSVG), svg, "another drawing of the game")
	testkit.NoError(t, xml.Unmarshal([]byte(svg), new(struct{})))
	testkit.WantText(t, svg, "in turns 1, 2.", "against somebody", "&lt;b&gt;")
	testkit.NoError(t, new(analysis.Game).WriteSVG(io.Discard))
}

// Advice by the table is what perfect play does, move after move of its line.
func TestAdvice(t *testing.T) {
	table := testkit.Must(play.DefaultTables().Table(context.Background(), solvetest.Game(t, 2)))(t)
	e := play.TableEvaluator(table)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		p := board.Finkel().Random(rng, 2)
		for roll := 1; roll <= board.FinkelRoll; roll++ {
			moves := board.Finkel().Moves(nil, p, roll)
			if len(moves) == 0 {
				continue
			}
			a := testkit.Must(analysis.Advise(t.Context(), e, &play.Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: moves},
				board.Finkel().Notation))(t)
			best, worth := table.BestMove(p, moves)
			testkit.FatalIf(t, a.By != "table" || a.Best != best || a.Win[best] != worth || a.Regret(best) != 0,
				"%s, roll %d: %+v, want move %d worth %g", board.Finkel().FormatPosition(p), roll, a, best, worth)
			for i, m := range moves {
				testkit.FatalIf(t, a.Win[i] != table.After(p, m) || a.Regret(i) < 0,
					"%s, roll %d: %+v", board.Finkel().FormatPosition(p), roll, a)
			}
			checkLine(t, table, p, moves[best], a.Line)
		}
	}
}

// checkLine plays a line by the rules.
func checkLine(t *testing.T, table *solve.Table, p board.Position, first board.Move, line []string) {
	t.Helper()
	const lineMoves = 6 // at most
	testkit.FatalIf(t, line[0] != board.Finkel().Notation(p.Turn(), first) || len(line) > lineMoves, "%s: line %q",
		board.Finkel().FormatPosition(p), line)
	p = board.Finkel().Apply(p, first)
	for _, text := range line[1:] {
		want, next := "pass", p.Pass()
		if moves := board.Finkel().Moves(nil, p, 2); len(moves) > 0 {
			best, _ := table.BestMove(p, moves)
			want, next = board.Finkel().Notation(p.Turn(), moves[best]), board.Finkel().Apply(p, moves[best])
		}
		testkit.MustEqual(t, text, want, "%v: the next move of the line %q", p.Numbers(), line)
		p = next
	}
	_, over := p.Winner()
	testkit.ErrorIf(t, !over && len(line) < lineMoves, "line %q ends before the game", line)
}

// Without a table the net values, and of moves that win at once finds the one that does.
func TestEvaluatorsFind(t *testing.T) {
	testkit.SetHome(t, t.TempDir())
	six := testkit.Must(board.Finkel().WithPieces(6))(t)
	e := testkit.Must(new(play.Evaluators).Find(t.Context(), six))(t)
	p := testkit.Must(board.Finkel().FromSquares(6, board.Light, [2]uint32{1 << 14, 1 << 3}, [2]int{5, 3}))(t)
	turn := &play.Turn{Rules: board.Finkel(), Position: p, Roll: 1, Moves: board.Finkel().Moves(nil, p, 1)}
	a := testkit.Must(analysis.Advise(t.Context(), e, turn, board.Finkel().Notation))(t)
	testkit.Equal(t, a.Win[a.Best], 1, "the win of the best move")
	testkit.Equal(t, a.Line, []string{"A7-home"}, "the line")
}

// Advise values the legal moves of a turn.
func ExampleAdvise() {
	_, net, err := valuenet.BuiltinFor(board.Finkel())
	if err != nil {
		panic(err)
	}
	r := board.Finkel()
	p := r.Start()
	moves := r.Moves(nil, p, 4)
	turn := &play.Turn{Rules: r, Position: p, Roll: 4, Moves: moves}
	advice, err := analysis.Advise(context.Background(), play.NetEvaluator(net), turn, r.Notation)
	if err != nil {
		panic(err)
	}
	fmt.Println(advice.By, moves[advice.Best], advice.Line[0])
	// Output: search {0 4 false} in-A1*
}

// Mark classifies a regret; annotated games show it by a sign.
func ExampleMark() {
	mark := analysis.Mark(0.04)
	fmt.Println(mark, analysis.Sign(mark))
	// Output: mistake ?
}
