package session

import (
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/play"
)

// Typed returns the index of the move a user typed among the moves of a turn. It accepts a
// number from 1, a notation such as "A3-B1", "in-A3" or "A7-home" with or without its marks and
// the "-", the tile the piece reaches, or the tile it leaves, in either case. The tile reached
// takes precedence, because a board shows the number there. Empty input selects the only move,
// if there is just one.
func Typed(t *play.Turn, text string) (choice int, ok bool) {
	word := strings.ToLower(strings.Join(strings.Fields(text), ""))
	if word == "" && len(t.Moves) == 1 {
		return 0, true
	}
	if n, err := strconv.Atoi(word); err == nil {
		return n - 1, n >= 1 && n <= len(t.Moves)
	}
	word = strings.NewReplacer("-", "", "–", "", ">", "").Replace(strings.TrimRight(word, "x*"))
	for reading := range 3 {
		for i, m := range t.Moves {
			from, to := tileText(t, m.From, "in"), tileText(t, m.To, "home")
			if word != "" && word == [3]string{from + to, to, from}[reading] {
				return i, true
			}
		}
	}
	return 0, false
}

// tileText returns a square in lower case, or a word for a square outside the board.
func tileText(t *play.Turn, square uint8, outside string) string {
	if tile := t.Rules.Tile(t.Side(), int(square)); tile != "" {
		return strings.ToLower(tile)
	}
	return outside
}
