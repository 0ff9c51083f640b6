package valuenet

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// A net's inputs are 0 or 1 from the moving side's point of view, so a position and its mirror image are the same: the
// squares on the moving side's path, those on the other side's, and one input for each number of its own pieces in hand
// and home and of the other's in hand and home. Under Finkel's rules they are 60.

// maxInputs is the maximum number of inputs: a set of them is one word.
const maxInputs = 64

// layout is where a rule set's inputs begin.
type layout struct {
	squares, pieces int
	first           [4]uint8 // input of a group of counts: 0 own hand, 1 own home, 2 the other's hand, 3 the other's home
}

// layoutOf returns a rule set's layout.
func layoutOf(r *board.Rules) layout {
	l := layout{squares: r.Squares(), pieces: r.Pieces()}
	for group := range l.first {
		l.first[group] = uint8(2*l.squares + group*(l.pieces+1))
	}
	return l
}

// countInputs returns how many inputs there are.
func (l layout) countInputs() int { return 2*l.squares + 4*(l.pieces+1) }

// inputSet returns a position's inputs as a set: input i at bit i. The position has at most the rule set's pieces.
func (l *layout) inputSet(p *board.Position) uint64 {
	me := p.Turn()
	you := me.Other()
	one := func(group, n int) uint64 { return 1 << ((l.first[group] + uint8(n)) & 63) }
	return uint64(p.Squares(me)>>1) | uint64(p.Squares(you)>>1)<<(l.squares&31) |
		one(0, p.Hand(me)) | one(1, p.Home(me)) | one(2, p.Hand(you)) | one(3, p.Home(you))
}

// InputSet returns a position's inputs under a net's rule set as a set: input i at bit i.
// The position has at most the rule set's pieces.
func InputSet(r *board.Rules, p board.Position) uint64 {
	l := layoutOf(r)
	return l.inputSet(&p)
}

// CountInputs returns the inputs of no piece in the moving side's hand, its home, the other side's hand and its
// home, and how many numbers of pieces have an input behind each of these.
func CountInputs(r *board.Rules) (first [4]uint8, size int) {
	l := layoutOf(r)
	return l.first, l.pieces + 1
}

// Inputs returns the number of inputs.
func (s Shape) Inputs() int {
	if s.counts {
		return countsCount
	}
	return layoutOf(s.rules()).countInputs()
}

// maxActive returns the largest number of nonzero inputs at once.
func (s Shape) maxActive() int { return 2*s.rules().Pieces() + 4 }

// rulesText returns a rule set as files name it: by the name of a built-in one with its usual
// number of pieces, otherwise by its definition in JSON. Finkel's is "".
func (s Shape) rulesText() string {
	r := s.rules()
	if r.IsFinkel() {
		return ""
	}
	b, err := board.Lookup(r.Name())
	if err == nil && b.Equal(r) && b.Pieces() == r.Pieces() {
		return b.Name()
	}
	text, err := json.Marshal(r)
	if err != nil {
		return r.Name()
	}
	return string(text)
}

// parseRules reads the text of rulesText.
func parseRules(text string) (*board.Rules, error) {
	if strings.HasPrefix(text, "{") {
		return board.Parse([]byte(text))
	}
	return board.Lookup(cmp.Or(text, board.Finkel().Name()))
}

// CheckRules returns an error unless the net is one of a rule set, with at least its pieces.
func (s Shape) CheckRules(r *board.Rules) error {
	switch have := s.rules(); {
	case have.Equal(r) && have.Pieces() < r.Pieces():
		return fmt.Errorf("net of games of %d pieces (want %d)", have.Pieces(), r.Pieces())
	case have.Equal(r):
		return nil
	case have.Name() == r.Name():
		return fmt.Errorf("net of other rules with the name %q (want these rules under a name of their own)", r.Name())
	default:
		return fmt.Errorf("net of the rule set %q (want one of %q)", have.Name(), r.Name())
	}
}

// randomSet returns the inputs of a random position.
func (s Shape) randomSet(rng *rand.Rand) uint64 {
	r := s.rules()
	return InputSet(r, r.Random(rng, 1+rng.IntN(r.Pieces())))
}
