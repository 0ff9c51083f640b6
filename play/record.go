package play

import (
	"bufio"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// Recorder writes a game as text, one line a turn, so that it can be read, replayed
// and checked:
//
//	// The Royal Game of Ur, record 1: turn, side, roll, move, position after it
//	seed 1
//	game 0
//	pieces 7
//	light human
//	dark brain
//	1 L 3 in-A2 6:..L...........:0 7:..............:0 D
//	2 D 0 pass 6:..L...........:0 7:..............:0 L
//	...
//	result light
//
// Turns count from 1; the rolls are those of the seed and game. Moves are written
// by [board.Move.Notation], positions by [board.Position.String]. The result is
// light, dark or unfinished.
type Recorder struct {
	out *bufio.Writer
	err error
}

// NewRecorder writes the header of a game to w.
func NewRecorder(w io.Writer, g Game, players [2]string) *Recorder {
	r := &Recorder{out: bufio.NewWriter(w)}
	r.printf("// The Royal Game of Ur, record 1: turn, side, roll, move, position after it\n")
	r.printf("seed %d\ngame %d\npieces %d\n", g.Seed, g.Number, g.Pieces)
	r.printf("light %s\ndark %s\n", players[board.Light], players[board.Dark])
	return r
}

// Turn writes a turn that is over.
func (r *Recorder) Turn(t *Turn) {
	side, move := "L", "pass"
	if t.Side() == board.Dark {
		side = "D"
	}
	if !t.Passed() {
		move = t.Move().Notation(t.Side())
	}
	r.printf("%d %s %d %s %s\n", t.Number+1, side, t.Roll, move, t.Next)
}

// End writes the result of the tally that [Game.Play] returned, and returns the
// first error of all that was written.
func (r *Recorder) End(tally ur.Tally) error {
	result := "unfinished"
	for side, wins := range tally.Wins {
		if wins > 0 {
			result = board.Side(side).String()
		}
	}
	r.printf("result %s\n", result)
	if r.err != nil {
		return r.err
	}
	return r.out.Flush()
}

// printf remembers the first error, so that a game goes on without its record.
func (r *Recorder) printf(format string, args ...any) {
	if r.err == nil {
		_, r.err = fmt.Fprintf(r.out, format, args...)
	}
}
