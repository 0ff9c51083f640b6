package ursearch

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// Game is the Royal Game of Ur as a [search.DiceGame] whose leaves are valued by a brain. It
// values the whole last ply of a search in one call. It serves one goroutine.
type Game struct {
	pieces int
	scorer *scorer
	lines  *[8 * 8]line
	exact  endgames

	sums sums
	at   word // whose sums these are

	list search.List[Position] // of lastExact
}

// endgames are positions valued by an exact table: those with at most a number of pieces left
// on each side.
type endgames struct {
	table  solve.Table // nil for none
	pieces int
}

// known reports whether the table values positions with these pieces left.
func (e *endgames) known(own, opp int) bool {
	return e.table != nil && own <= e.pieces && opp <= e.pieces
}

// value returns the table's value of a known position.
func (e *endgames) value(w word, pieces int) search.Value { return exactValue(e.table, w, pieces) }

func exactValue(t solve.Table, w word, pieces int) search.Value {
	if w.over() {
		return result(w)
	}
	return ValueOf(t.Win(w.board(pieces)))
}

// result is the value of a finished game to the side to move.
func result(w word) search.Value {
	if w.own()>>overBit&1 != 0 {
		return search.MaxValue
	}
	return -search.MaxValue
}

// weights of the rolls.
var weights = func() (w [board.MaxRoll + 1]search.Value) {
	for roll, ways := range board.RollWays {
		w[roll] = search.Value(ways)
	}
	return w
}()

// NewGame binds a brain and a curve for games of 1 to 7 pieces. Positions of at most
// exactPieces left a side are valued by a table, which may be nil.
func NewGame(b *ur.Brain, c *Curve, pieces int, exact solve.Table, exactPieces int) *Game {
	lines := c.lines()
	return &Game{
		pieces: pieces, scorer: newScorer(b, &c.Squares, pieces), lines: &lines,
		exact: endgames{exact, exactPieces}, at: ^word(0),
	}
}

// Fork implements [search.Forker].
func (g *Game) Fork() *Game {
	fork := *g
	fork.list = search.List[Position]{}
	return &fork
}

// Position returns a position for a search.
func (g *Game) Position(p board.Position) Position {
	w := wordOf(p)
	return Position{w, g.scorer.score(w, g.pieces)}
}

// Weights implements [search.DiceGame].
func (g *Game) Weights() []search.Value { return weights[:] }

// Key implements [search.DiceGame].
func (g *Game) Key(p *Position) search.Key { return p.word.key() }

// Value implements [search.DiceGame].
func (g *Game) Value(p *Position) search.Value {
	if p.word.over() {
		return result(p.word)
	}
	own, opp := p.word.left()
	if g.exact.known(own, opp) {
		return g.exact.value(p.word, g.pieces)
	}
	return valueOfLogit(g.lines[8*own+opp].logit(p.score))
}

// Probe implements [search.Prober].
func (g *Game) Probe(p *Position) (search.Value, bool) {
	if p.word.over() || !g.exact.known(p.word.left()) {
		return 0, false
	}
	return g.exact.value(p.word, g.pieces), true
}

// look computes the fields at a position.
func (g *Game) look(w word) {
	if g.at != w {
		g.sums.set(g.scorer, w)
		g.at = w
	}
}

// passed returns the score after a pass, for the passing side.
func (g *Game) passed(p *Position) int32 {
	return p.score - int32(g.sums.field(again)-1<<31)
}

// Moves implements [search.DiceGame]. The order of moves is the order of getFutureGames, and their
// IDs are their starting squares; a pass has [PassID].
func (g *Game) Moves(p *Position, roll int, list *search.List[Position]) (over search.Value) {
	w := p.word
	if w.over() {
		return result(w)
	}
	g.look(w)
	base := g.passed(p)
	to, marked := w.destinations(roll)
	if to == 0 {
		m := list.Add()
		m.ID = PassID
		m.Next = Position{w.turned(), -base}
		m.Key = m.Next.word.key()
		m.Order = base
		return 0
	}
	gain := &g.scorer.gain[roll]
	for ; to != 0; to &= to - 1 {
		square := (lowest(to) - startBit) & 15
		mark := marked >> (square + startBit) & 1
		field := square + special*mark
		score := base + int32(g.sums.field(field)-g.sums.field(square-uint32(roll))) + gain[field&31]
		m := list.Add()
		m.ID = uint8(square) - uint8(roll)
		m.Order = score
		next := w + steps[roll][square][mark]
		if rosettes>>(square+startBit)&1 != 0 {
			m.Again = true
			m.Next = Position{next, score}
		} else {
			m.Next = Position{next.turned(), -score}
		}
		m.Key = m.Next.word.key()
	}
	return 0
}

// PassID is the ID of a pass.
const PassID = 15

// LastRoll implements [search.LastRoll]: the best move of each roll, by its logit, and the mean
// over the rolls. Probability never falls with the logit, so only one position for each roll is
// valued, and one for a pass. Moves are compared by their scores, without making their
// positions.
func (g *Game) LastRoll(p *Position, nodes *uint64) search.Value {
	w := p.word
	if w.over() {
		return result(w)
	}
	own, opp := w.left()
	if g.exact.known(own, opp) {
		return g.lastExact(p, nodes)
	}
	g.look(w)
	base := g.passed(p)
	turn := g.lines[(8*opp+own)&63]
	turn.offset = -turn.offset // as seen by the moving side
	more := g.lines[(8*own+opp)&63]
	pass := turn.logit(base)
	home := g.home(w, own, opp)

	sum := weights[0] * valueOfLogit(pass)
	visited := uint64(1)
	for roll := 1; roll <= board.MaxRoll; roll++ {
		to, marked := w.destinations(roll)
		if to == 0 {
			sum += weights[roll] * valueOfLogit(pass)
			continue
		}
		visited++
		best := int64(-1) << 62
		gain := &g.scorer.gain[roll]
		for ; to != 0; to &= to - 1 {
			square := (lowest(to) - startBit) & 15
			field := square + special*(marked>>(square+startBit)&1)
			score := base + int32(g.sums.field(field)-g.sums.field(square-uint32(roll))) + gain[field&31]
			switch {
			case square == board.Finish:
				best = max(best, home.logit(score))
			case rosettes>>(square+startBit)&1 != 0:
				best = max(best, more.logit(score))
			default:
				best = max(best, turn.logit(score))
			}
		}
		v := valueOfLogit(best)
		if home.known && w.own()>>(board.Finish-roll+startBit)&1 != 0 {
			v = max(v, -g.exact.value((w+steps[roll][board.Finish][0]).turned(), g.pieces))
		}
		sum += weights[roll] * v
	}
	*nodes += visited
	return sum >> 4
}

// lastExact is LastRoll of a position the table covers, along with all positions after it. Only
// the root of a search can be one: others are values of the table.
func (g *Game) lastExact(p *Position, nodes *uint64) search.Value {
	list := &g.list
	sum := search.Value(0)
	for roll, weight := range weights {
		list.Clear()
		g.Moves(p, roll, list)
		best := -search.MaxValue
		for i := range list.All() {
			*nodes++
			m := &list.All()[i]
			if v := g.Value(&m.Next); m.Again {
				best = max(best, v)
			} else {
				best = max(best, -v)
			}
		}
		sum += weight * best
	}
	return sum >> 4
}

// homeLine values a move that brings a piece home.
type homeLine struct {
	line
	known bool // by the exact table and not by the line
}

func (g *Game) home(w word, own, opp int) homeLine {
	switch {
	case own == 1:
		return homeLine{line{0, logitEnd << logitBits}, false} // the game is won
	case g.exact.known(own-1, opp):
		return homeLine{line{0, -1 << 62}, true}
	}
	l := g.lines[(8*opp+own-1)&63]
	l.offset = -l.offset
	return homeLine{l, false}
}
