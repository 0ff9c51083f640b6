package reversi

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
	"github.com/seed-09dcdc84/ur/search"
)

// passID names a pass among the moves of a search; other moves have their square's number.
const passID = uint8(board.Pass)

// State is a position as package search copies it about.
type State struct {
	board board.Board
	moves uint64 // legal moves

	// Features are those before the last move, which is still to be played on them: most listed
	// positions are never visited.
	features eval.Features
	flips    uint64
	square   uint8 // of that move; passID when there is none to be played
	side     uint8 // to move, as the features count sides
}

// Midgame is Reversi as a [search.Game]: the moves, their static order, and the estimated
// values of positions. It has scratch memory; search forks it for every thread.
type Midgame struct {
	weights   *eval.Weights // nil: by the hand-set rules
	hand      eval.Hand
	generator movegen.Generator
	errors    *Errors
	byValue   bool // order moves by value as well
	children  movegen.Children
	cuts      [65][search.MaxDepth + 1][]search.ProbCut // by empty squares and depth
}

// NewMidgame returns the game with learned weights, or, if w is nil, with hand-set
// rules.
func NewMidgame(w *eval.Weights) *Midgame {
	return &Midgame{weights: w, hand: eval.DefaultHand(), generator: movegen.Fastest(), byValue: true, errors: &builtInErrors}
}

// Fork returns a game with separate scratch memory.
func (g *Midgame) Fork() *Midgame {
	return &Midgame{weights: g.weights, hand: g.hand, generator: g.generator, byValue: g.byValue, errors: g.errors}
}

// State returns a board as a state to search.
func (g *Midgame) State(b board.Board) State {
	s := State{board: b, moves: b.Moves(), square: passID}
	if g.weights != nil {
		s.features = eval.FeaturesOf(b)
	}
	return s
}

// Key mixes both sets; Check alone distinguishes all but one in 2^52 positions.
func (g *Midgame) Key(s *State) search.Key { return keyOf(s.board) }

func keyOf(b board.Board) search.Key {
	x := b.Own*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(b.Opp, 32)*0xbf58476d1ce4e5b9
	y := bits.RotateLeft64(b.Own, 17)*0x94d049bb133111eb ^ b.Opp*0xd6e8feb86659fd93
	return search.Key{Index: x ^ x>>29, Check: y ^ y>>32 ^ x<<1}
}

// settle plays the last move on the features.
func (s *State) settle() {
	if s.square != passID {
		s.features.Play(&s.features, int(s.side^1), board.Square(s.square), s.flips)
		s.square = passID
	}
}

// Value is the evaluation, or the result where the board is full or one side has no disc left.
// Moves detects the other finished games.
func (g *Midgame) Value(s *State) search.Value {
	return search.Value(g.value(s))
}

func (g *Midgame) value(s *State) int {
	if finished(s.board) {
		return s.board.Score() * eval.Disc
	}
	if g.weights == nil {
		return g.hand.Evaluate(s.board)
	}
	s.settle()
	return g.weights.Value(&s.features, int(s.side), bits.OnesCount64(s.board.Own|s.board.Opp), bits.OnesCount64(s.moves))
}

// finished reports whether the game is over, as far as visible without generating moves.
func finished(b board.Board) bool { return b.Own == 0 || b.Opp == 0 || b.Own|b.Opp == ^uint64(0) }

// Moves lists the moves in the order of their squares; a pass where there are none.
func (g *Midgame) Moves(s *State, list *search.List[State]) search.Value {
	if s.moves == 0 {
		return g.pass(s, list)
	}
	if g.weights != nil {
		s.settle()
	}
	c := &g.children
	g.generator.Expand(s.board, s.moves, c)
	moves := s.moves
	for i := range c.N {
		x := board.First(moves)
		moves &= moves - 1
		m := list.Add()
		m.Next.board = s.board.Play(x, c.Flips[i])
		m.Next.moves = c.Moves[i]
		m.Next.side = s.side ^ 1
		m.Next.square, m.Next.flips = passID, 0
		if g.weights != nil {
			m.Next.features, m.Next.flips, m.Next.square = s.features, c.Flips[i], uint8(x)
		}
		m.Key, m.ID = keyOf(m.Next.board), uint8(x)
		m.Order = g.order(&m.Next, x)
	}
	return 0
}

// pass lists the one move of a side that must pass, or returns the result of the game.
func (g *Midgame) pass(s *State, list *search.List[State]) search.Value {
	next := s.board.Pass()
	moves := next.Moves()
	if moves == 0 {
		return search.Value(s.board.Score() * eval.Disc)
	}
	if g.weights != nil {
		s.settle()
	}
	m := list.Add()
	m.Next = State{board: next, moves: moves, features: s.features, square: passID, side: s.side ^ 1}
	m.Key, m.ID = keyOf(next), passID
	return 0
}

// order ranks a move to s: few replies, with corners counted twice, and the value, if
// requested.
func (g *Midgame) order(s *State, x board.Square) int32 {
	const corners = 1 | 1<<7 | 1<<56 | 1<<63
	o := -int32(eval.Disc) * int32(bits.OnesCount64(s.moves)+bits.OnesCount64(s.moves&corners))
	if x.Bit()&corners != 0 {
		o += 4 * eval.Disc
	}
	if g.byValue {
		o -= int32(g.value(s))
	}
	return o
}

// LastPly values all moves at once: no list, no keys, no order.
func (g *Midgame) LastPly(s *State, nodes *uint64) search.Value {
	if s.moves == 0 {
		return g.lastPass(s, nodes)
	}
	if g.weights != nil {
		s.settle()
	}
	c := &g.children
	g.generator.Expand(s.board, s.moves, c)
	*nodes += uint64(c.N)
	discs := bits.OnesCount64(s.board.Own|s.board.Opp) + 1
	least := eval.Max + 1
	var next eval.Features
	moves := s.moves
	for i := range c.N {
		x := board.First(moves)
		moves &= moves - 1
		flips := c.Flips[i]
		b := s.board.Play(x, flips)
		switch {
		case finished(b):
			least = min(least, b.Score()*eval.Disc)
		case g.weights == nil:
			least = min(least, g.hand.Evaluate(b))
		default:
			s.features.Play(&next, int(s.side), x, flips)
			least = min(least, g.weights.Value(&next, int(s.side^1), discs, bits.OnesCount64(c.Moves[i])))
		}
	}
	return -search.Value(least)
}

// lastPass is LastPly for a side that must pass, or a finished game.
func (g *Midgame) lastPass(s *State, nodes *uint64) search.Value {
	if g.weights != nil {
		s.settle()
	}
	next := State{board: s.board.Pass(), features: s.features, square: passID, side: s.side ^ 1}
	if next.moves = next.board.Moves(); next.moves == 0 {
		return search.Value(s.board.Score() * eval.Disc)
	}
	*nodes++
	return -search.Value(g.value(&next))
}
