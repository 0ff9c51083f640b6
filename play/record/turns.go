package record

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// moveTexts are the notations of all moves, by side, square, roll and capture.
var moveTexts = func() (texts [2][board.Finish][board.MaxRoll + 1][2]string) {
	for side := range texts {
		for from := range board.Finish {
			for roll := 1; roll <= board.MaxRoll && from+roll <= board.Finish; roll++ {
				for capture := range 2 {
					m := board.Move{From: uint8(from), To: uint8(from + roll), Capture: capture == 1}
					texts[side][from][roll][capture] = m.Notation(board.Side(side))
				}
			}
		}
	}
	return texts
}()

// moveText returns the notation of a move, as [board.Move.Notation] does, from a table.
func moveText(m board.Move, side board.Side) string {
	capture := 0
	if m.Capture {
		capture = 1
	}
	return moveTexts[side][m.From][m.To-m.From][capture]
}

// parseTurns reads turns as they stand in a line, and replays them to know whose they are.
func parseTurns(g *Game, text string) (board.Position, error) {
	p := board.StartPosition(g.Pieces)
	var buf [board.MaxMoves]board.Move
	for number := 1; text != ""; number++ {
		token := text
		if i := strings.IndexByte(text, ' '); i >= 0 {
			token, text = text[:i], text[i+1:]
			if text == "" {
				return p, fmt.Errorf("turn %d: a space and no turn behind it", number)
			}
		} else {
			text = ""
		}
		if token == "" || token[0] < '0' || token[0] > '0'+board.MaxRoll {
			return p, fmt.Errorf("turn %d: %q does not begin with a roll of 0 to %d", number, clip(token), board.MaxRoll)
		}
		if _, over := p.Winner(); over {
			return p, fmt.Errorf("turn %d: the game is over since turn %d", number, number-1)
		}
		roll := int(token[0] - '0')
		moves := p.Moves(buf[:0], roll)
		choice, err := findMove(moves, token[1:], p.Turn())
		if err != nil {
			return p, fmt.Errorf("turn %d: %w", number, err)
		}
		t := Turn{Roll: int8(roll), From: Pass}
		if choice < 0 {
			p = p.Pass()
		} else {
			t.From = int8(moves[choice].From)
			p = p.Apply(moves[choice])
		}
		g.Turns = append(g.Turns, t)
	}
	return p, nil
}

// findMove returns the index of the legal move with a notation, -1 for "" if there is no move.
func findMove(moves []board.Move, text string, side board.Side) (int, error) {
	if text == "" && len(moves) == 0 {
		return -1, nil
	}
	for i, m := range moves {
		if moveText(m, side) == text {
			return i, nil
		}
	}
	if len(moves) == 0 {
		return 0, fmt.Errorf("%s moves %q, but has no legal move", side, clip(text))
	}
	var legal []string
	for _, m := range moves {
		legal = append(legal, moveText(m, side))
	}
	if text == "" {
		return 0, fmt.Errorf("%s passes, but can move: %s", side, strings.Join(legal, ", "))
	}
	return 0, fmt.Errorf("%s moves %q, want one of %s", side, clip(text), strings.Join(legal, ", "))
}

// formatTurns returns the turns as they stand in a line.
func formatTurns(g *Game) (string, error) {
	var text strings.Builder
	_, err := g.Replay(func(s *Step) {
		if s.Number > 0 {
			text.WriteByte(' ')
		}
		text.WriteByte('0' + byte(s.Roll))
		if s.Choice >= 0 {
			text.WriteString(moveText(s.Move(), s.Position.Turn()))
		}
	})
	return text.String(), err
}
