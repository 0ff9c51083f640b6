package record

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// parseTurns reads turns as they stand in a line, and replays them to know whose they are.
func parseTurns(g *Game, text string) (state, error) {
	p, err := g.start()
	if err != nil {
		return p, err
	}
	var buf [board.MaxMoves]board.Move
	for number := 1; text != ""; number++ {
		token := text
		if i := strings.IndexByte(text, ' '); i >= 0 {
			token, text = text[:i], text[i+1:]
			if text == "" {
				return p, fmt.Errorf("turn %d: missing turn after a space", number)
			}
		} else {
			text = ""
		}
		roll, move := cutRoll(token)
		if roll < 0 || roll > p.rules.MaxRoll() {
			return p, fmt.Errorf("turn %d: %q does not begin with a roll of 0 to %d", number, clip(token), p.rules.MaxRoll())
		}
		if _, over := p.winner(); over {
			return p, fmt.Errorf("turn %d: the game is over since turn %d", number, number-1)
		}
		moves := p.moves(buf[:0], roll)
		choice, err := findMove(&p, moves, move)
		if err != nil {
			return p, fmt.Errorf("turn %d: %w", number, err)
		}
		t := Turn{Roll: int8(roll), From: Pass}
		if choice < 0 {
			p = p.passed()
		} else {
			t.From = int8(moves[choice].From)
			p = p.after(moves[choice])
		}
		g.Turns = append(g.Turns, t)
	}
	return p, nil
}

// cutRoll cuts the roll off a turn, -1 if it does not begin with a number.
func cutRoll(token string) (roll int, move string) {
	digits := 0
	for digits < len(token) && digits < 2 && '0' <= token[digits] && token[digits] <= '9' {
		roll = 10*roll + int(token[digits]-'0')
		digits++
	}
	if digits == 0 || digits == 2 && token[0] == '0' {
		return -1, token
	}
	return roll, token[digits:]
}

// findMove returns the index of the legal move with a notation, -1 for "" if there is no move.
func findMove(p *state, moves []board.Move, text string) (int, error) {
	if text == "" && len(moves) == 0 {
		return -1, nil
	}
	for i, m := range moves {
		if p.notation(m) == text {
			return i, nil
		}
	}
	side := p.turn()
	if len(moves) == 0 {
		return 0, fmt.Errorf("%s moves %q, but has no legal move", side, clip(text))
	}
	var legal []string
	for _, m := range moves {
		legal = append(legal, p.notation(m))
	}
	if text == "" {
		return 0, fmt.Errorf("%s passes, but can move: %s", side, strings.Join(legal, ", "))
	}
	return 0, fmt.Errorf("%s moves %q (want one of %s)", side, clip(text), strings.Join(legal, ", "))
}

// formatTurns returns the turns as they stand in a line.
func formatTurns(g *Game) (string, error) {
	var text strings.Builder
	_, err := g.Replay(func(s *Step) {
		if s.Number > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(strconv.Itoa(s.Roll))
		if s.Choice >= 0 {
			text.WriteString(s.Text())
		}
	})
	return text.String(), err
}
