package play

import (
	"context"
	"errors"
	"math/bits"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// Players without state, for all rule sets.
var (
	// First makes the first legal move: it moves the rearmost piece that can move.
	First = plain("first", func(*Turn) int { return 0 })

	// Greedy maximizes its immediate gain: it captures if it can, otherwise it lands on a
	// rosette if it can, otherwise it makes any move. Among such moves it chooses the one by the
	// most advanced piece.
	Greedy = withProgress(plain("greedy", mostGain))

	// Random makes any legal move, all with the same probability. Its choice is a pure function
	// of the seed, the game's number, the side and the turn's number, and does not
	// depend on the dice.
	Random = plain("random", drawn)
)

// plain returns a player for all rule sets whose choice depends on the turn alone.
func plain(spec string, choose func(*Turn) int) Player {
	return Player{Spec: spec, Rules: anyRules, New: func(ur.Engine) (Instance, error) { return stateless(choose), nil }}
}

// stateless is an instance without state.
type stateless func(*Turn) int

// Choose calls the function.
func (c stateless) Choose(_ context.Context, t *Turn) (int, error) { return c(t), nil }

// withProgress returns the player with the pieces' progress as its values.
func withProgress(p Player) Player {
	p.Leaf = progressLeaf
	return p
}

var (
	firstKind = Kind{
		Name:     "first",
		Patterns: []Pattern{{Text: "first", Help: "always the first legal move"}},
		Title:    titled(map[string]string{"first": "The first legal move: casual"}),
		Parse:    single(First),
	}
	randomKind = Kind{
		Name:     "random",
		Patterns: []Pattern{{Text: "random", Help: "a random legal move, determined by the seed"}},
		Title:    titled(map[string]string{"random": "Any move: a beginner"}),
		Parse:    single(Random),
	}

	// humanKind is a player with a name but no instance: a human needs a keyboard.
	humanKind = Kind{
		Name:     "human",
		Patterns: []Pattern{{Text: "human", Help: `you, at the keyboard; only in "ur play"`}},
		Title:    titled(map[string]string{"human": "Person"}),
		Parse: func(ParseContext, string, string) (Player, error) {
			return Player{}, errors.New(`player "human" needs a keyboard (want another player, or "ur play")`)
		},
	}
)

// mostGain returns the move with the highest gain. On a tie it returns the last one, which moves
// the most advanced piece: all moves for a roll are equally long.
func mostGain(t *Turn) int {
	best, most := 0, 0
	for i, m := range t.Moves {
		gain := 0
		switch {
		case m.Capture:
			gain = 2
		case t.Rules.IsRosette(int(m.To)):
			gain = 1
		}
		if gain >= most {
			best, most = i, gain
		}
	}
	return best
}

// drawn draws one move.
func drawn(t *Turn) int {
	word := randomWord(t.Seed, t.Game, uint64(t.Side()), uint64(t.Number))
	// The high word of a product scales 64 random bits to 0..n-1; for n <= 10 the
	// probabilities differ by less than 2^-60.
	choice, _ := bits.Mul64(word, uint64(len(t.Moves)))
	return int(choice)
}

// The random player's constants: the first 64 bits behind the point in pi and
// in e. They only have to differ from the dice's, and the step to be odd.
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
