package eval

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// State is a board with incrementally updated counts: the discs of each side, and its known
// stable discs.
type State struct {
	board.Board
	OwnDiscs, OppDiscs   int
	OwnStable, OppStable uint64 // as Stable finds them
}

// StateOf counts the state of a board anew.
func StateOf(b board.Board) State {
	return State{b, bits.OnesCount64(b.Own), bits.OnesCount64(b.Opp), Stable(b.Own, b.Opp), Stable(b.Opp, b.Own)}
}

// Play returns the state after a move that turns over flips, seen from the other side. It
// searches for stable discs again only if the move touches an edge, fills a line, or changes a
// disc next to a stable one. A disc that is turned over and now stands on full lines alone
// would have been stable before, and was not.
func (s State) Play(x board.Square, flips uint64) State {
	n := bits.OnesCount64(flips)
	next := State{s.Board.Play(x, flips), s.OppDiscs - n, s.OwnDiscs + n + 1, s.OppStable, s.OwnStable}
	changed := flips | x.Bit()
	if changed&(border|neighbours(s.OwnStable|s.OppStable)) != 0 || fills(x, ^next.Empty()) {
		next.OwnStable, next.OppStable = Stable(next.Own, next.Opp), Stable(next.Opp, next.Own)
	}
	return next
}

// Pass returns the state seen from the other side.
func (s State) Pass() State {
	return State{s.Board.Pass(), s.OppDiscs, s.OwnDiscs, s.OppStable, s.OwnStable}
}

// linesThrough holds the four lines through each square.
var linesThrough = func() (t [64][4]uint64) {
	for s := range board.Square(64) {
		for i, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			for _, sign := range [2]int{-1, 1} {
				for c, r := s.Column(), s.Row(); 0 <= c && c < 8 && 0 <= r && r < 8; c, r = c+sign*d[0], r+sign*d[1] {
					t[s][i] |= board.SquareAt(c, r).Bit()
				}
			}
		}
	}
	return t
}()

// fills reports whether a line through s is full.
func fills(s board.Square, taken uint64) bool {
	l := &linesThrough[s&63]
	return l[0]&^taken == 0 || l[1]&^taken == 0 || l[2]&^taken == 0 || l[3]&^taken == 0
}
