package board

import (
	"fmt"
	"regexp"
	"strings"
)

// ggfProperty matches a property of the Generic Game Format: a name in capitals, and a value in brackets.
var ggfProperty = regexp.MustCompile(`([A-Z]+)\[([^\]]*)\]`)

// ParseGGF reads a game in the Generic Game Format of the Generic Game Server, such as
//
//	(;GM[Othello]BO[8 ... *]B[F5//2.4]W[D6];)
//
// BO is the position before the first move. Values and times behind the squares are skipped.
func ParseGGF(text string) (Record, error) {
	r := Record{From: StartPosition()}
	for _, property := range ggfProperty.FindAllStringSubmatch(text, -1) {
		name, value := property[1], strings.TrimSpace(property[2])
		var err error
		switch name {
		case "GM":
			if !strings.EqualFold(value, "Othello") {
				err = fmt.Errorf("game %.40q (want Othello)", value)
			}
		case "BO":
			squares, size := strings.CutPrefix(value, "8 ")
			if end := len(squares) - 1; !size || end < 0 {
				err = fmt.Errorf("board %.80q (want 8, 64 squares and the side to move)", value)
			} else {
				r.From, err = ParsePosition(squares[:end], squares[end:])
			}
		case "B", "W":
			var side Side
			if side, err = ParseSide(name); err == nil {
				err = r.addGGF(side, value)
			}
		}
		if err != nil {
			return r, fmt.Errorf("GGF, %s: %w", name, err)
		}
	}
	return r, nil
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
