package playcmd

import (
	"fmt"
	"io"
	"strconv"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
)

// screen shows a game to whoever sits before it.
type screen struct {
	out     io.Writer
	paint   *boardview.Style
	players [2]string // names, by side
}

// intro tells who plays, and how to get the same dice again.
func (s *screen) intro(g play.Game) {
	s.printf("%s\n\n", s.paint.Strong("The Royal Game of Ur"))
	for _, side := range []board.Side{board.Light, board.Dark} {
		s.printf("  %s  %s\n", s.paint.Padded(side), s.players[side])
	}
	s.printf("\n  %s each, seed %d; %s is a rosette: throw again\n", text.Plural(g.Pieces, "piece"), g.Seed, s.paint.RosetteSign())
}

// thrown starts the line of a turn: its number, from 1, its side and its roll.
func (s *screen) thrown(t *play.Turn) string {
	return fmt.Sprintf("%4d  %s  %s %s", t.Number+1, s.paint.Padded(t.Side()), s.paint.Dice(t.Roll), s.paint.Strong(strconv.Itoa(t.Roll)))
}

// turn prints a turn that is over.
func (s *screen) turn(t *play.Turn) {
	s.printf("%s  %s\n", s.thrown(t), s.happened(t))
}

// happened says in words what came of a turn.
func (s *screen) happened(t *play.Turn) string {
	switch {
	case t.Roll == 0:
		return "passes"
	case t.Passed():
		return "has no legal move and passes"
	}
	m := t.Move()
	text := m.Notation(t.Side())
	if m.Capture {
		text += ", captures " + s.paint.Pieces(t.Side().Other(), 1)
	}
	if board.IsRosette(int(m.To)) {
		text += ", throws again"
	}
	return text
}

// question draws the board with the moves there are, for the player to choose.
func (s *screen) question(t *play.Turn) {
	s.printf("\n%s\n%s", s.grid(t.Position, t.Moves), s.thrown(t))
	for i, m := range t.Moves {
		s.printf("  %s %s", s.paint.Number(fmt.Sprintf("(%d)", i+1)), m.Notation(t.Side()))
	}
	s.printf("\n")
}

// grid draws a position and the moves that can be made.
func (s *screen) grid(p board.Position, moves []board.Move) *boardview.Grid {
	return &boardview.Grid{Style: s.paint, Position: p, Moves: moves, Margin: 3, Width: 7, Height: 2}
}

// result draws the last position and says who has won.
func (s *screen) result(p board.Position, turns int64) {
	winner, _ := p.Winner()
	s.printf("\n%s\n%s (%s) wins after %s, %s home against %d.\n",
		s.grid(p, nil), s.paint.Player(winner), s.players[winner], text.Plural(turns, "turn"), text.Plural(p.Home(winner), "piece"), p.Home(winner.Other()))
}

// printf prints to the screen. Its error is kept by the output and ends the game
// at the next question.
func (s *screen) printf(format string, args ...any) { fmt.Fprintf(s.out, format, args...) }

const playRules = `
  Bring all your pieces home before your opponent does.

  Light walks A4 A3 A2 A1, B1 to B8, A8 A7, and home. Dark walks the same with C
  in place of A. Both share B1 to B8.
  - The dice say how far one piece moves: 0 to 4. You must move if you can.
  - A tile holds one piece. Land on your opponent's to send it back to its hand,
    except on the rosette B4, where it is safe.
  - Land on a rosette ✿ and you throw again.
  - A piece goes home by an exact throw.

  Type the number that stands on the tile you want to reach, as in (1).
  h shows what the moves are worth, ? shows this, q quits.

`
