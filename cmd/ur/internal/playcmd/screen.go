package playcmd

import (
	"fmt"
	"io"
	"strconv"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
)

// screen shows a game to a person line by line.
type screen struct {
	out     io.Writer
	paint   *boardview.Style
	inWords bool // for a screen reader
	narrow  bool // less than 70 columns
}

// intro prints the players, and the seed that repeats the dice.
func (s *screen) intro(game *session.Session) {
	setup := game.Setup()
	title := "The Royal Game of Ur"
	if setup.Rules != nil {
		title += ", " + setup.Rules.Title()
	}
	s.printf("%s\n\n", s.paint.Strong(title))
	for _, side := range []board.Side{board.Light, board.Dark} {
		s.printf("  %s  %s\n", s.paint.Padded(side), setup.Players[side])
	}
	if s.inWords {
		s.printf("\n%s each, seed %d.\n", text.Plural(setup.Pieces, "piece"), setup.Seed)
		return
	}
	s.printf("\n  %s each, seed %d; %s is a rosette: throw again\n", text.Plural(setup.Pieces, "piece"), setup.Seed, s.paint.RosetteSign())
}

// thrown starts the line of a turn: its number, from 1, its side and its roll.
func (s *screen) thrown(r *board.Rules, number int, side board.Side, roll int) string {
	return fmt.Sprintf("%4d  %s  %s %s", number+1, s.paint.Padded(side), s.paint.Dice(r, roll), s.paint.Strong(strconv.Itoa(roll)))
}

// turn prints a finished turn.
func (s *screen) turn(t *play.Turn) {
	if s.inWords {
		s.printf("%s\n", boardview.StepWords(t))
		return
	}
	s.printf("%s  %s\n", s.thrown(t.Set(), t.Number, t.Side(), t.Roll), s.paint.Outcome(t))
}

// grid draws a position and its legal moves.
func (s *screen) grid(r *board.Rules, p board.Position, moves []board.Move) *boardview.Grid {
	g := &boardview.Grid{Style: s.paint, Rules: r, Position: p, Moves: moves, Margin: 3, Width: 7, Height: 2}
	if s.narrow {
		g.Margin, g.Width = 2, 6
	}
	if long := r.Rows() > board.Finkel().Rows(); s.narrow && long {
		g.Width = 3
	} else if long {
		g.Width = 6
	}
	return g
}

// question draws the board with the moves there are, for the player to choose.
func (s *screen) question(t *play.Turn) {
	if s.inWords {
		s.printf("\n%s", boardview.QuestionWords(t))
		return
	}
	s.printf("\n%s\n%s", s.grid(t.Set(), t.Position, t.Moves), s.thrown(t.Set(), t.Number, t.Side(), t.Roll))
	for i, m := range t.Moves {
		s.printf("  %s %s", s.paint.Number(fmt.Sprintf("(%d)", i+1)), t.Notation(m))
	}
	s.printf("\n")
}

// result draws the last position and prints the winner.
func (s *screen) result(game *session.Session) {
	p := game.Position()
	if _, over := p.Winner(); over && !s.inWords {
		s.printf("\n%s", s.grid(game.Rules(), p, nil))
	}
	s.printf("\n%s\n", game.ResultText())
}

// printf prints to the screen. Its error is kept by the output and ends the game
// at the next question.
func (s *screen) printf(format string, args ...any) { fmt.Fprintf(s.out, format, args...) }

// finkelRules explains Finkel's rules.
const finkelRules = `
  Bring all your pieces home before your opponent does.

  Light walks A4 A3 A2 A1, B1 to B8, A8 A7, and home. Dark walks the same with C
  instead of A. Both share B1 to B8.
  - The dice say how far one piece moves: 0 to 4. You must move if you can.
  - A tile holds one piece. Land on your opponent's to send it back to its hand,
    except on the rosette B4, where it is safe.
  - Land on a rosette%s and you throw again.
  - A piece goes home by an exact throw.
`

// typingHelp explains the input.
const typingHelp = `
  Type the number that stands on the tile you want to reach, as in (1), or the move
  as it is written: A3-B1 goes from A3 to B1, in-A3 enters a piece; x captures, *
  is a rosette. Enter makes the only move.
  h shows what the moves are worth, u takes back and y plays it again, x resigns,
  s swaps sides, l 3 takes an opponent of level 3, w FILE writes the game, ? shows
  this, q quits.

`
