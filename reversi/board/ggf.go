package board

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ggfProperty matches a property of the Generic Game Format: a name in capitals, and a value in brackets.
var ggfProperty = regexp.MustCompile(`^([A-Z]+)\[([^\]]*)\]`)

// ParseGGFs reads the games of a line in the Generic Game Format of the Generic Game Server, such as
//
//	(;GM[Othello]BO[8 ... *]B[F5//2.4]W[D6];)
//
// BO is the position before the first move. Values and times behind the squares are skipped. A game without its end, or
// with text between its properties, is an error. A line of the server's archives has one game, or those of a match on
// several boards behind their number, as in "2 (;...;)(;...;)". The number may be left out, and a # behind the games
// starts a comment.
func ParseGGFs(line string) (games []Record, err error) {
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, "0123456789")
	number := line[:len(line)-len(rest)]
	for rest = strings.TrimSpace(rest); rest != "" && !strings.HasPrefix(rest, "#"); {
		var r Record
		if r, rest, err = cutGGF(rest); err != nil {
			return nil, err
		}
		games = append(games, r)
	}
	if n, err := strconv.Atoi(number); number != "" && (err != nil || n != len(games)) {
		return nil, fmt.Errorf("GGF: %d games on the line (want %s, the number before them)", len(games), number)
	}
	return games, nil
}

// IsGGF reports whether a line begins as one with games in the Generic Game Format.
func IsGGF(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, "0123456789 \t"), "(;") }

// cutGGF reads the game at the beginning of a text, and returns the text behind it. Blanks and semicolons between
// properties are skipped.
func cutGGF(text string) (r Record, rest string, err error) {
	r.From = StartPosition()
	text, ok := strings.CutPrefix(text, "(;")
	if !ok {
		return r, text, fmt.Errorf("GGF: %.40q begins no game (want \"(;\")", text)
	}
	placed := false // by BO
	for behind := "(;"; ; {
		text = strings.TrimSpace(text)
		if rest, ok := strings.CutPrefix(text, ";)"); ok {
			return r, strings.TrimSpace(rest), nil
		}
		if rest, ok := strings.CutPrefix(text, ";"); ok {
			text = rest
			continue
		}
		property := ggfProperty.FindStringSubmatch(text)
		switch {
		case text == "":
			return r, text, fmt.Errorf("GGF: the line ends behind %.40q without \";)\" (want a whole game on it)", behind)
		case property == nil:
			return r, text, fmt.Errorf("GGF: %.40q behind %.40q is no property (want one such as B[D3], or \";)\")", text, behind)
		}
		name, value := property[1], strings.TrimSpace(property[2])
		if name == "BO" {
			if placed || len(r.Moves) > 0 {
				return r, text, errors.New("GGF, BO: a second board, or one behind a move (want one before all moves)")
			}
			placed = true
		}
		if err := r.setGGF(name, value); err != nil {
			return r, text, fmt.Errorf("GGF, %s: %w", name, err)
		}
		behind, text = property[0], text[len(property[0]):]
	}
}

// setGGF applies a property.
func (r *Record) setGGF(name, value string) (err error) {
	switch name {
	case "GM":
		if !strings.EqualFold(value, "Othello") {
			err = fmt.Errorf("game %.40q (want Othello)", value)
		}
	case "BO":
		squares, size := strings.CutPrefix(value, "8 ")
		end := len(squares) - 1
		if !size || end < 0 {
			return fmt.Errorf("board %.80q (want 8, 64 squares and the side to move)", value)
		}
		r.From, err = ParsePosition(squares[:end], squares[end:])
	case "B", "W":
		var side Side
		if side, err = ParseSide(name); err == nil {
			err = r.addGGF(side, value)
		}
	}
	return err
}

// addGGF adds a side's move, and before it the pass that may be left out.
func (r *Record) addGGF(side Side, value string) error {
	square, _, _ := strings.Cut(value, "/")
	s, err := ParseSquare(strings.TrimSpace(square))
	if err != nil {
		return err
	}
	if p := r.End(); p.Side != side {
		if err := r.Add(Pass); err != nil {
			return fmt.Errorf("%s is to move", p.Side.Name())
		}
	}
	if err := r.Add(s); err != nil {
		return fmt.Errorf("move %d: %w", len(r.Moves)+1, err)
	}
	return nil
}
