// Package corpus samples turns from real games and holds them as text: what the
// benchmarks of package bench are measured on. The sample follows from a seed, the
// classic brain and the rules alone, so that it can be regenerated at any time; the
// text is committed, so that two measurements can be known to be of the same thing.
package corpus

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// The committed sample.
const (
	Seed = 1    // of its games
	Size = 4096 // turns in it
)

// stride is the distance between two sampled turns when all games are laid end to
// end. Neighbouring turns look alike, so every eleventh tells more; 4096 of them
// come from about 250 games.
const stride = 11

// Turn is a position in which a roll was thrown. The game is not over in it.
type Turn struct {
	Position board.Position
	Roll     int // 0..4
}

// Sample returns n turns of games 0, 1, 2, ... of a seed, played with 7 pieces by
// the classic brain on both sides. The oracle plays: a corpus must not depend on
// the engines that it is there to measure.
func Sample(seed uint64, n int) ([]Turn, error) {
	game, err := engine.Oracle().New(ur.Setup{Light: ur.ClassicBrain(), Dark: ur.ClassicBrain()})
	if err != nil {
		return nil, err
	}
	var turns []Turn
	var futures []ur.Future
	count := 0
	for number := uint64(0); ; number++ {
		dice := board.Finkel().Dice(seed, number)
		p := board.StartPosition(board.FinkelPieces)
		for _, over := p.Winner(); !over; _, over = p.Winner() {
			if len(turns) == n {
				return turns, nil
			}
			roll := dice.Roll()
			if count%stride == 0 {
				turns = append(turns, Turn{p, roll})
			}
			count++
			game.Set(p)
			futures = game.Futures(futures[:0], roll)
			p = futures[ur.Choose(futures, p.Turn())].Position
		}
	}
}

// Format returns the text of turns: one a line, the position and the roll with a
// tab between them.
func Format(turns []Turn) []byte {
	var out bytes.Buffer
	for _, t := range turns {
		fmt.Fprintf(&out, "%s\t%d\n", board.Finkel().FormatPosition(t.Position), t.Roll)
	}
	return out.Bytes()
}

// Parse reads what Format writes. The error names the first line that is wrong.
func Parse(text []byte) ([]Turn, error) {
	var turns []Turn
	lines := bufio.NewScanner(bytes.NewReader(text))
	for line := 1; lines.Scan(); line++ {
		t, err := parseTurn(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		turns = append(turns, t)
	}
	return turns, lines.Err()
}

func parseTurn(line string) (Turn, error) {
	position, roll, ok := strings.Cut(line, "\t")
	if !ok {
		return Turn{}, fmt.Errorf("%q has no tab (want a position, a tab and a roll)", line)
	}
	p, err := board.Finkel().ParsePosition(position)
	if err != nil {
		return Turn{}, err
	}
	n, err := strconv.Atoi(roll)
	if err != nil || n < 0 || n > board.FinkelRoll {
		return Turn{}, fmt.Errorf("roll %q (want 0 to %d)", roll, board.FinkelRoll)
	}
	return Turn{p, n}, nil
}

// Version names a text by the first 12 hexadecimal digits of its SHA-256.
func Version(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:12]
}
