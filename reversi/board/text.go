package board

import (
	"fmt"
	"strings"
)

// Side is Black or White.
type Side uint8

// The sides. Black moves first.
const (
	Black Side = iota
	White
)

// Other returns the other side.
func (s Side) Other() Side { return s ^ 1 }

// String returns "X" for Black and "O" for White.
func (s Side) String() string { return [...]string{"X", "O"}[s&1] }

// Name returns "black" or "white".
func (s Side) Name() string { return [...]string{"black", "white"}[s&1] }

// ParseSide reads "X" or "O", in either case, or a colour's name or first letter.
func ParseSide(text string) (Side, error) {
	switch strings.ToLower(text) {
	case "x", "b", "black", "*":
		return Black, nil
	case "o", "w", "white":
		return White, nil
	}
	return Black, fmt.Errorf("unknown side %q (want X for black or O for white)", text)
}

// Position is a board and whose move it is.
type Position struct {
	Board
	Side Side
}

// StartPosition is where a game begins.
func StartPosition() Position { return Position{Board: Start} }

// Black returns Black's discs.
func (p Position) Black() uint64 {
	if p.Side == Black {
		return p.Own
	}
	return p.Opp
}

// White returns White's discs.
func (p Position) White() uint64 { return (p.Own | p.Opp) &^ p.Black() }

// ValueFor returns a value for the side to move as one for a given side.
func (p Position) ValueFor(side Side, value int) int {
	if p.Side == side {
		return value
	}
	return -value
}

// Verdict returns the result of a finished game in words: "black wins by 10", counted as [Board.Score] does, or "a draw".
func (p Position) Verdict() string {
	winner, score := p.Side, p.Score()
	if score < 0 {
		winner, score = winner.Other(), -score
	}
	if score == 0 {
		return "a draw"
	}
	return fmt.Sprintf("%s wins by %d", winner.Name(), score)
}

// Play returns the position after a move, or an error for an illegal move. Pass is legal only
// where nothing else is and the game is not over.
func (p Position) Play(s Square) (Position, error) {
	moves := p.Moves()
	switch {
	case s == Pass && moves != 0:
		return p, fmt.Errorf("%s may not pass: it can move to %s", p.Side, First(moves))
	case s < 0 || s > Pass:
		return p, fmt.Errorf("square %d is not on the board", s)
	case s != Pass && (p.Own|p.Opp)&s.Bit() != 0:
		return p, fmt.Errorf("%s is not empty", s)
	case moves == 0 && p.Over():
		return p, fmt.Errorf("the game is over: no side can move")
	case s == Pass:
		return Position{p.Board.Pass(), p.Side.Other()}, nil
	case moves == 0:
		return p, fmt.Errorf("%s has no move and must pass", p.Side)
	case moves&s.Bit() == 0:
		return p, fmt.Errorf("%s turns nothing over for %s", s, p.Side)
	}
	return Position{p.Board.Play(s, p.Flips(s)), p.Side.Other()}, nil
}

// ParsePosition reads 64 characters, a1 to h1, then a2 on: X (or *) is black, O white, - (or .)
// empty; in either case. Blanks between them do not count.
func ParsePosition(squares, side string) (Position, error) {
	var black, white uint64
	n := 0
	for i, c := range []byte(squares) {
		switch {
		case strings.IndexByte(" \t\n\r", c) >= 0:
			continue
		case n == 64:
			return Position{}, fmt.Errorf("board of %d characters (want 64)", len(squares))
		case strings.IndexByte("Xx*", c) >= 0:
			black |= 1 << n
		case strings.IndexByte("Oo", c) >= 0:
			white |= 1 << n
		case c != '-' && c != '.':
			return Position{}, fmt.Errorf("board: character %d is %q (want X, O or -)", i+1, c)
		}
		n++
	}
	if n != 64 {
		return Position{}, fmt.Errorf("board has %d squares (want 64)", n)
	}
	s, err := ParseSide(side)
	if err != nil {
		return Position{}, err
	}
	if s == White {
		return Position{Board{Own: white, Opp: black}, s}, nil
	}
	return Position{Board{Own: black, Opp: white}, s}, nil
}

// Text returns the 64 characters read by [ParsePosition].
func (p Position) Text() string {
	text := []byte(strings.Repeat("-", 64))
	for _, s := range Squares(p.Black()) {
		text[s] = 'X'
	}
	for _, s := range Squares(p.White()) {
		text[s] = 'O'
	}
	return string(text)
}

// String returns the board's 64 characters, a blank, and the side to move.
func (p Position) String() string { return p.Text() + " " + p.Side.String() }
