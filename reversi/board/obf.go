package board

import (
	"fmt"
	"strconv"
	"strings"
)

// Problem is a line of an .obf file, the usual format of sets of positions: 64 squares, a
// blank, the side to move, and, each after a semicolon, moves with scores for the side to move,
// such as "g8:+18". A % starts a comment.
type Problem struct {
	Position Position
	Scores   map[Square]int // of the moves listed in the line
}

// ParseOBF reads a line of an .obf file. For a line with only blanks or a comment, ok is false.
func ParseOBF(line string) (p Problem, ok bool, err error) {
	line, _, _ = strings.Cut(line, "%")
	parts := strings.Split(line, ";")
	head := strings.Fields(parts[0])
	if len(head) == 0 {
		return p, false, nil
	}
	if len(head) != 2 {
		return p, false, fmt.Errorf("got %d words before the first semicolon (want 64 squares, a blank, and X or O, such as %q)", len(head), StartPosition().String())
	}
	if p.Position, err = ParsePosition(head[0], head[1]); err != nil {
		return p, false, err
	}
	for _, part := range parts[1:] {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		square, score, err := parseScore(part)
		if err == nil {
			_, err = p.Position.Play(square)
		}
		if err != nil {
			return p, false, err
		}
		if p.Scores == nil {
			p.Scores = map[Square]int{}
		}
		p.Scores[square] = score
	}
	return p, true, nil
}

// parseScore reads a move with its score.
func parseScore(text string) (Square, int, error) {
	name, score, found := strings.Cut(text, ":")
	n, err := strconv.Atoi(strings.TrimSpace(score))
	if !found || err != nil || n < -64 || n > 64 {
		return None, 0, fmt.Errorf("invalid move and score %q (want a square and -64 to 64, as in g8:+18)", text)
	}
	s, err := ParseSquare(strings.TrimSpace(name))
	return s, n, err
}
