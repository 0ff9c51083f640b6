package session

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
)

// Typed returns the move that somebody typed, by its index in the moves of a turn: its
// number from 1, its notation as "A3-B1", "in-A3" or "A7-home" with or without the marks
// behind it and the "-", the tile that it reaches, or the tile that it leaves. Small
// letters do as well. Of two readings the tile that is reached comes first, since that is
// where a board shows the number. Nothing typed is the only move, where there is one.
func Typed(t *play.Turn, text string) (choice int, err error) {
	word := strings.ToLower(strings.Join(strings.Fields(text), ""))
	if word == "" && len(t.Moves) == 1 {
		return 0, nil
	}
	if n, err := strconv.Atoi(word); err == nil {
		if n >= 1 && n <= len(t.Moves) {
			return n - 1, nil
		}
		return 0, fmt.Errorf("there is no move %d, want 1 to %d", n, len(t.Moves))
	}
	word = strings.NewReplacer("-", "", "–", "", ">", "").Replace(strings.TrimRight(word, "x*"))
	readings := []func(m board.Move) string{
		func(m board.Move) string { return tileText(t.Side(), m.From, "in") + tileText(t.Side(), m.To, "home") },
		func(m board.Move) string { return tileText(t.Side(), m.To, "home") },
		func(m board.Move) string { return tileText(t.Side(), m.From, "in") },
	}
	for _, reading := range readings {
		for i, m := range t.Moves {
			if word != "" && reading(m) == word {
				return i, nil
			}
		}
	}
	return 0, notAMove(t, text)
}

// tileText returns a square in small letters, or what stands for one outside the board.
func tileText(side board.Side, square uint8, outside string) string {
	if square == board.Start || square == board.Finish {
		return outside
	}
	return strings.ToLower(board.Tile(side, int(square)))
}

// notAMove says what could have been typed.
func notAMove(t *play.Turn, text string) error {
	var moves []string
	for _, m := range t.Moves {
		moves = append(moves, m.Notation(t.Side()))
	}
	const most = 20
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "..."
	}
	return fmt.Errorf("%q is no move with a %d, want one of %s", text, t.Roll, strings.Join(moves, ", "))
}
