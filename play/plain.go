package play

import (
	"context"
	"errors"
	"math/bits"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/internal/lookahead"
)

// First makes the first legal move: it moves the rearmost piece that can move.
type First struct{}

var firstKind = Kind{
	Name:     "first",
	Patterns: []Pattern{{Text: "first", Help: "always the first legal move"}},
	Parse:    single(First{}),
}

// Name returns "first".
func (First) Name() string { return "first" }

// Plays returns nil: it plays all rule sets.
func (First) Plays(*board.Rules) error { return nil }

// Sit returns the player itself: it has no state.
func (p First) Sit(ur.Engine) (Seat, error) { return p, nil }

// Choose takes the first move.
func (First) Choose(context.Context, *Turn) (int, error) { return 0, nil }

// Greedy maximizes its immediate gain:
//
// it captures if it can, otherwise it lands on a rosette if it can, otherwise it makes any
// move. Among such moves it chooses the one of the most advanced piece.
type Greedy struct{}

// Name returns "greedy".
func (Greedy) Name() string { return "greedy" }

// Plays returns nil: it plays all rule sets.
func (Greedy) Plays(*board.Rules) error { return nil }

// Sit returns the player itself: it has no state.
func (p Greedy) Sit(ur.Engine) (Seat, error) { return p, nil }

// Choose returns the move of the highest gain. On a tie it returns the last one, which moves
// the most advanced piece: all moves of a roll are equally long.
func (Greedy) Choose(_ context.Context, t *Turn) (int, error) {
	best := 0
	for i, m := range t.Moves {
		if gain(t, m) >= gain(t, t.Moves[best]) {
			best = i
		}
	}
	return best, nil
}

// gain ranks the immediate gain of a move.
func gain(t *Turn, m board.Move) int {
	switch {
	case m.Capture:
		return 2
	case t.Rules.IsRosette(int(m.To)):
		return 1
	}
	return 0
}

// humanKind is a player with a name but no seat: a human needs a keyboard.
var humanKind = Kind{
	Name:     "human",
	Patterns: []Pattern{{Text: "human", Help: `you, at the keyboard; only in "ur play"`}},
	Parse: func(*board.Rules, string, string, Opener) (Player, error) {
		return nil, errors.New(`player "human" needs a keyboard (want another player, or "ur play")`)
	},
}

// Random makes any legal move, all with the same probability. Its choice is a pure
// function of the seed, the number of the game, the side and the number of the
// turn, and is independent of the dice.
type Random struct{}

var randomKind = Kind{
	Name:     "random",
	Patterns: []Pattern{{Text: "random", Help: "a random legal move, determined by the seed"}},
	Parse:    single(Random{}),
}

// Name returns "random".
func (Random) Name() string { return "random" }

// Plays returns nil: it plays all rule sets.
func (Random) Plays(*board.Rules) error { return nil }

// Sit returns the player itself: it has no state.
func (p Random) Sit(ur.Engine) (Seat, error) { return p, nil }

// Choose draws one of the moves.
func (Random) Choose(_ context.Context, t *Turn) (int, error) {
	word := randomWord(t.Seed, t.Game, uint64(t.Side()), uint64(t.Number))
	// The high word of a product scales 64 random bits to 0..n-1; for n <= 10 the
	// probabilities differ by less than 2^-60.
	choice, _ := bits.Mul64(word, uint64(len(t.Moves)))
	return int(choice), nil
}

// The constants of the random player: the first 64 bits behind the point of pi and
// of e. They only have to differ from those of the dice, and the step to be odd.
const (
	randomStart = 0x243f6a8885a308d3
	randomStep  = 0xb7e151628aed2a6b
)

// randomWord mixes numbers into 64 random bits, one after another.
func randomWord(numbers ...uint64) uint64 {
	word := uint64(randomStart)
	for _, n := range numbers {
		word = board.Mix(word + randomStep*(n+1))
	}
	return word
}

// leaf implements [valuer]: the progress of the pieces.
func (Greedy) leaf(_ context.Context, r *board.Rules) (func() lookahead.Leaf, func() error, error) {
	return lookahead.ProgressLeaf(r), sound, nil
}
