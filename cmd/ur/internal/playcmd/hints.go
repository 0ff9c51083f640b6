package playcmd

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
)

// adviser gives hints by the judge of the game, which it finds at the first hint.
type adviser struct {
	find  func() (analysis.Judge, error)
	judge analysis.Judge
}

// advise prints the win probability of the player to move after each move and its loss against
// the best one.
func (a *adviser) advise(s *screen, t *play.Turn) {
	if a.judge == nil {
		judge, err := a.find()
		if err != nil {
			s.printf("  No hints: %v\n", err)
			return
		}
		a.judge = judge
	}
	advice, err := analysis.Advise(a.judge, t.Set(), t.Position, t.Moves)
	if err != nil {
		s.printf("  No hints: %v\n", err)
		return
	}
	by, digits := "if both play perfectly from there on", 2
	if advice.By != "table" {
		by, digits = fmt.Sprintf("estimated by the net with a search of %d plies (no table is loaded)", analysis.SearchPlies), 1
	}
	s.printf("  How likely %s wins after each move, %s:\n", s.paint.Player(t.Side()), by)
	for i, win := range advice.Win {
		mark := fmt.Sprintf("  %+.*f", digits, -100*advice.Regret(i))
		if i == advice.Best {
			mark = "  best"
		}
		s.printf("  %s %*.*f %%%s\n", s.option(t, i), 4+digits, digits, 100*win, mark)
	}
	line := strings.Join(advice.Line, ", ")
	if s.inWords {
		line = strings.Join(analysis.Line(a.judge, t.Set(), t.Position, t.Moves[advice.Best], lineWords(t.Set())), "; ")
	}
	s.printf("  Expected, if every roll after this one is a %d: %s\n", analysis.LikelyRoll(t.Set()), line)
}

// option names a move in a list of values: by its number and notation, or in words.
func (s *screen) option(t *play.Turn, i int) string {
	if s.inWords {
		return fmt.Sprintf("Move %d, %s:", i+1, boardview.MoveWords(t.Set(), t.Side(), t.Moves[i]))
	}
	return fmt.Sprintf("%s %-9s", s.paint.Number(fmt.Sprintf("(%d)", i+1)), t.Notation(t.Moves[i]))
}

// lineWords returns the function that names the moves of a line in words, with their side.
func lineWords(r *board.Rules) func(board.Side, board.Move) string {
	return func(side board.Side, m board.Move) string {
		return boardview.SideNames[side] + " " + boardview.MoveWords(r, side, m)
	}
}
