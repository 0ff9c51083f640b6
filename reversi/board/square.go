package board

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// Square is a square's number: a1 is 0, b1 is 1, h1 is 7, a2 is 8, h8 is 63.
type Square int8

// Special squares: a pass, and no move at all.
const (
	Pass Square = 64
	None Square = 65
)

// SquareAt returns the square in a column and a row, both 0 to 7.
func SquareAt(column, row int) Square { return Square(row*8 + column) }

// Bit returns the set with this square alone.
func (s Square) Bit() uint64 { return 1 << (uint(s) & 63) }

// Column and Row count from 0.
func (s Square) Column() int { return int(s) & 7 }

// Row counts from 0: row 0 is written 1.
func (s Square) Row() int { return int(s) >> 3 }

// String returns the square's name, such as "d3", or "pass".
func (s Square) String() string {
	switch {
	case 0 <= s && s < 64:
		return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
	case s == Pass:
		return "pass"
	}
	return "none"
}

// ParseSquare reads a square's name in either case, or "pass" (also "pa", "ps" and
// "--", as records write it).
func ParseSquare(text string) (Square, error) {
	switch strings.ToLower(text) {
	case "pass", "pa", "ps", "--":
		return Pass, nil
	}
	if len(text) == 2 {
		column, row := text[0]|0x20, text[1]
		if 'a' <= column && column <= 'h' && '1' <= row && row <= '8' {
			return SquareAt(int(column-'a'), int(row-'1')), nil
		}
	}
	return None, fmt.Errorf("invalid square %q (want a letter a to h and a digit 1 to 8, such as d3)", text)
}

// Squares lists a set's squares in ascending order from a1.
func Squares(set uint64) []Square {
	squares := make([]Square, 0, bits.OnesCount64(set))
	for ; set != 0; set &= set - 1 {
		squares = append(squares, First(set))
	}
	return squares
}

// First returns the first square in a non-empty set.
func First(set uint64) Square { return Square(bits.TrailingZeros64(set)) }

// AnyOf returns a random square from a non-empty set.
func AnyOf(random *rand.Rand, set uint64) Square {
	for range random.IntN(bits.OnesCount64(set)) {
		set &= set - 1
	}
	return First(set)
}
