// Package analysis grades recorded games: the regret of each move, the luck of each roll, and
// the result corrected for luck. [Analyze] grades a [Game], [Advise] a single turn.
package analysis

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/search"
)

// Marks of moves, by their regret in win probability.
const (
	Inaccuracy = 0.01
	Mistake    = 0.03
	Blunder    = 0.06
)

// Mark returns a regret's mark: "", "inaccuracy", "mistake" or "blunder".
func Mark(regret float64) string {
	switch {
	case regret >= Blunder:
		return "blunder"
	case regret >= Mistake:
		return "mistake"
	case regret >= Inaccuracy:
		return "inaccuracy"
	}
	return ""
}

// Game is the analysis of a game. Probabilities are for the side that moves, 0 to 1; regret and
// luck are differences of probabilities.
type Game struct {
	Schema  string    `json:"schema"`  // ur.analysis/1
	By      string    `json:"by"`      // table or search
	Players [2]Player `json:"players"` // Light and Dark
	Result  string    `json:"result"`

	// Turning counts roll and move together.
	Turning []int  `json:"turning"` // turns, at most three, that changed the winner's chances most, the largest first
	Moves   []Move `json:"moves"`   // moves by turn
}

// Player is a player's summary in one game, or of all players of one name in many games.
type Player struct {
	Name         string  `json:"name"`
	Games        int     `json:"games"`
	Wins         int     `json:"wins"`         // games won
	Decisions    int     `json:"decisions"`    // turns with a choice
	Regret       float64 `json:"regret"`       // mean regret a decision, in percentage points
	Optimal      float64 `json:"optimal"`      // share of decisions without regret
	Luck         float64 `json:"luck"`         // luck of the player's rolls, in wins: the sum of the changes in win probability
	Adjusted     float64 `json:"adjusted"`     // mean result without the luck of both players, 0 to 1
	Inaccuracies int     `json:"inaccuracies"` // moves that lose 1 percentage point or more
	Mistakes     int     `json:"mistakes"`     // moves that lose 3 percentage points or more
	Blunders     int     `json:"blunders"`     // moves that lose 6 percentage points or more
}

// Move is a turn of an analysis.
type Move struct {
	Turn      int     `json:"turn"` // number from 1
	Side      string  `json:"side"`
	Roll      int     `json:"roll"`
	Move      string  `json:"move"`       // or "pass"
	Best      string  `json:"best"`       // the best move
	WinBefore float64 `json:"win_before"` // chance before the roll
	Win       float64 `json:"win"`        // chance after the move
	Regret    float64 `json:"regret"`     // probability to win that the move loses
	Luck      float64 `json:"luck"`       // value of the best move after the roll minus the value of the position before it
	Mark      string  `json:"mark"`       // empty, inaccuracy, mistake or blunder
}

// Analyze analyses a game by an evaluator of its rules. It returns the first error of that.
func Analyze(ctx context.Context, g *record.Game, e play.Evaluator) (*Game, error) {
	a := &Game{Schema: "ur.analysis/1", By: e.By(), Result: g.Result.String(), Turning: []int{}, Moves: []Move{}}
	var regret [2]float64
	var optimal [2]int
	var failed error
	evaluate := func(p board.Position, roll int) (v play.Evaluation) {
		if failed == nil {
			v, failed = e.Evaluate(ctx, p, roll)
		}
		return v
	}
	_, err := g.Replay(func(s *record.Step) {
		side := s.Side()
		m := Move{Turn: s.Number + 1, Side: side.String(), Roll: s.Roll, Move: s.Text(), Best: "pass",
			WinBefore: evaluate(s.Position, search.NoRoll).Win}
		if s.Choice < 0 {
			m.Win = 1 - evaluate(s.Next, search.NoRoll).Win
			m.Luck = m.Win - m.WinBefore
			a.Moves = append(a.Moves, m)
			a.Players[side].Luck += m.Luck
			return
		}
		v := evaluate(s.Position, s.Roll)
		if failed != nil {
			return
		}
		win, best := v.Moves, v.Best
		m.Best, m.Win = s.Notation(s.Moves[best]), win[s.Choice]
		m.Regret, m.Luck = win[best]-win[s.Choice], win[best]-m.WinBefore
		if m.Regret == 0 {
			m.Best = m.Move // among equally good moves, the one played
		}
		m.Mark = Mark(m.Regret)
		a.Moves = append(a.Moves, m)
		p := &a.Players[side]
		p.Luck += m.Luck
		if len(s.Moves) > 1 {
			p.Decisions++
			regret[side] += m.Regret
			if m.Regret == 0 {
				optimal[side]++
			}
			p.count(m.Mark)
		}
	})
	if err = cmp.Or(err, failed); err != nil {
		return nil, err
	}
	a.summarize(g, regret, optimal)
	a.turningPoints()
	return a, nil
}

// summarize fills in the players' results and means, from the sums of their regret and the
// numbers of their best moves.
func (a *Game) summarize(g *record.Game, regret [2]float64, optimal [2]int) {
	luck := a.Players[board.Light].Luck - a.Players[board.Dark].Luck
	score := 0.5
	winner, won := g.Result.Winner()
	if won {
		score = 1 - float64(winner)
	}
	for side := range a.Players {
		p := &a.Players[side]
		p.Name, p.Games = g.Players[side], 1
		p.Adjusted = score - luck
		if side == int(board.Dark) {
			p.Adjusted = 1 - p.Adjusted
		}
		if won && int(winner) == side {
			p.Wins = 1
		}
		if p.Decisions > 0 {
			p.Regret = 100 * regret[side] / float64(p.Decisions)
			p.Optimal = float64(optimal[side]) / float64(p.Decisions)
		}
	}
}

// count counts a mark.
func (p *Player) count(mark string) {
	switch mark {
	case "inaccuracy":
		p.Inaccuracies++
	case "mistake":
		p.Mistakes++
	case "blunder":
		p.Blunders++
	}
}

// Add adds other games of the same player.
func (p *Player) Add(q Player) {
	decisions := p.Decisions + q.Decisions
	mean := func(a, b float64, n, m int) float64 {
		if n+m == 0 {
			return 0
		}
		return (a*float64(n) + b*float64(m)) / float64(n+m)
	}
	p.Regret = mean(p.Regret, q.Regret, p.Decisions, q.Decisions)
	p.Optimal = mean(p.Optimal, q.Optimal, p.Decisions, q.Decisions)
	p.Adjusted = mean(p.Adjusted, q.Adjusted, p.Games, q.Games)
	p.Decisions = decisions
	p.Games += q.Games
	p.Wins += q.Wins
	p.Luck += q.Luck
	p.Inaccuracies += q.Inaccuracies
	p.Mistakes += q.Mistakes
	p.Blunders += q.Blunders
}

// turningPoints finds the turns that changed the chances most. The last turn, which ends the game,
// is none.
func (a *Game) turningPoints() {
	const most, least = 3, 0.10
	var turns []int
	change := func(i int) float64 {
		d := a.Moves[i].Win - a.Moves[i].WinBefore
		return max(d, -d)
	}
	for i := range max(0, len(a.Moves)-1) {
		if change(i) >= least {
			turns = append(turns, i)
		}
	}
	slices.SortStableFunc(turns, func(i, k int) int { return cmp.Compare(change(k), change(i)) })
	for _, i := range turns[:min(most, len(turns))] {
		a.Turning = append(a.Turning, a.Moves[i].Turn)
	}
}

// Light returns Light's win probability after each turn.
func (a *Game) Light() []float64 {
	var light []float64
	for _, m := range a.Moves {
		w := m.Win
		if m.Side == board.Dark.String() {
			w = 1 - w
		}
		light = append(light, w)
	}
	return light
}

// Advice is the values of a turn's moves for the side to move.
type Advice struct {
	By   string    `json:"by"`   // table, the exact solution, or search
	Win  []float64 `json:"win"`  // probability of winning after each move, 0 to 1
	Best int       `json:"best"` // index of the best move, the first on a tie
	Line []string  `json:"line"` // the [Line] of the best move, in notation
}

// Regret returns the win probability that a move loses against the best.
func (a *Advice) Regret(move int) float64 { return a.Win[a.Best] - a.Win[move] }

// Advise values the legal moves of a turn, of which there must be at least one, by an evaluator of
// its rules. The line is written by name, see [play.Follow].
func Advise(ctx context.Context, e play.Evaluator, t *play.Turn,
	name func(board.Side, board.Move) string) (*Advice, error) {
	v, err := e.Evaluate(ctx, t.Position, t.Roll)
	if err != nil {
		return nil, err
	}
	a := &Advice{By: e.By(), Win: v.Moves, Best: v.Best}
	a.Line, err = Line(ctx, e, t, a.Best, name)
	return a, err
}

// lineMoves is the maximum length of an expected line.
const lineMoves = 6

// Line returns the game by the best moves after a move of a turn if every roll is the
// [play.LikelyRoll]: at most six moves.
func Line(ctx context.Context, e play.Evaluator, t *play.Turn, move int,
	name func(board.Side, board.Move) string) ([]string, error) {
	return play.Follow(t.Rules, t.Position, t.Moves[move], lineMoves, name, func(p board.Position, _ int) (int, error) {
		v, err := e.Evaluate(ctx, p, play.LikelyRoll(t.Rules))
		return v.Best, err
	})
}

// WriteSVG draws the probability over the game. The same game gives the same bytes.
func (a *Game) WriteSVG(w io.Writer) error {
	caption := "Light's chance to win after each turn. The dashed line is that of equals."
	if turning := a.TurningWords(); turning != "" {
		caption += " It turned most in " + turning + "."
	}
	wins := []float64{0.5}
	if len(a.Moves) > 0 {
		wins[0] = a.Moves[0].WinBefore // Light begins
	}
	line := plot.Line{Name: "Light"}
	for i, w := range append(wins, a.Light()...) {
		line.Points = append(line.Points,
			plot.Point{X: float64(i), Interval: plot.Exactly(100*w, fmt.Sprintf("%.0f %%", 100*w))})
	}
	chart := plot.Chart{
		Text: plot.Text{
			Title:    a.Title(),
			Subtitle: fmt.Sprintf("judged by %s; result: %s", a.ByWords(), a.Result),
			Caption:  caption,
			Label:    "Light's chance to win over the turns of the game.",
		},
		X: plot.Axis{Label: "turn"}, Y: plot.Axis{Label: "chance of Light, %", Reference: 50, Top: 100},
		Lines: []plot.Line{line},
	}
	_, err := w.Write(chart.SVG())
	return err
}

// Title returns the players, safe to print, as in "brain (light) against human (dark)".
func (a *Game) Title() string {
	name := func(side board.Side) string { return cmp.Or(text.Plain(a.Players[side].Name), "somebody") }
	return fmt.Sprintf("%s (light) against %s (dark)", name(board.Light), name(board.Dark))
}

// ByWords describes the method that judged the game.
func (a *Game) ByWords() string { return byWords(a.By) }

func byWords(by string) string {
	if by == "table" {
		return "the exact solution"
	}
	return "search by the built-in net"
}

// ByWords describes the methods that judged games, given the number judged by the
// exact solution and by search.
func ByWords(table, search int) string {
	switch {
	case search == 0:
		return byWords("table")
	case table == 0:
		return byWords("search")
	}
	return fmt.Sprintf("%s (%s) and by %s (%d)", byWords("table"), text.Plural(table, "game"),
		byWords("search"), search)
}

// TurningWords lists the turning points in their order, as in "turns 14, 29" or "turn 8", or
// returns "".
func (a *Game) TurningWords() string {
	if len(a.Turning) == 0 {
		return ""
	}
	words := "turns "
	if len(a.Turning) == 1 {
		words = "turn "
	}
	return words + strings.Join(text.List(slices.Sorted(slices.Values(a.Turning)), strconv.Itoa), ", ")
}

// Sign returns a mark's annotation sign: "?!", "?" or "??", or "".
func Sign(mark string) string {
	return map[string]string{"inaccuracy": "?!", "mistake": "?", "blunder": "??"}[mark]
}
