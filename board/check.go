package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

const tileMark = '#'

// check checks a definition's fields one after another.
func (d *Definition) check() error {
	for _, check := range []func() error{
		d.checkNames, d.checkBoard,
		func() error { return d.checkPath("light", d.Light) },
		func() error { return d.checkPath("dark", d.Dark) },
		d.checkRosettes, d.checkCounterpart,
		func() error { return checkPieces(d.Pieces) },
		d.checkDice,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (d *Definition) checkNames() error {
	ok := len(d.Name) >= 1 && len(d.Name) <= maxName
	for _, c := range []byte(d.Name) {
		ok = ok && ('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-')
	}
	switch {
	case !ok:
		return fmt.Errorf("name: %q (want 1 to %d lowercase letters, digits and hyphens)", text.Clip(d.Name), maxName)
	case len(d.Title) > maxTitle || !isPrintable(d.Title):
		return fmt.Errorf("title: %q (want at most %d bytes of printable text)", text.Clip(d.Title), maxTitle)
	case len(d.About) > maxAbout || !isPrintable(d.About):
		return fmt.Errorf("about: %q (want at most %d bytes of printable text)", text.Clip(d.About), maxAbout)
	}
	return nil
}

// isPrintable reports whether s is valid and has no control characters.
func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return !strconv.IsPrint(c) || c == '\ufffd' })
}

func (d *Definition) checkBoard() error {
	if n := len(d.Board); n < 1 || n > maxColumns {
		return fmt.Errorf("board: %d columns (want 1 to %d strings such as \"####..##\")", n, maxColumns)
	}
	for i, column := range d.Board {
		switch {
		case len(column) < 1 || len(column) > maxRows:
			return fmt.Errorf("board[%d]: %d rows (want 1 to %d)", i, len(column), maxRows)
		case len(column) != len(d.Board[0]):
			return fmt.Errorf("board[%d]: %d rows (want %d as in board[0])", i, len(column), len(d.Board[0]))
		}
		for _, c := range []byte(column) {
			if c != tileMark && c != '.' {
				return fmt.Errorf("board[%d]: %q in %q (want '#' for a tile or '.' for a gap)", i, c, column)
			}
		}
	}
	return nil
}

// checkPath checks that a path walks from tile to neighboring tile on the board.
func (d *Definition) checkPath(field string, path []string) error {
	if len(path) < 1 || len(path) > maxSquares {
		return fmt.Errorf("%s: %d tiles (want 1 to %d)", field, len(path), maxSquares)
	}
	if err := d.checkTiles(field, path); err != nil {
		return err
	}
	for i, tile := range path[1:] {
		if !tilesTouch(path[i], tile) {
			return fmt.Errorf("%s[%d]: tile %q (want a tile next to %q)", field, i+1, tile, path[i])
		}
	}
	return nil
}

// checkTiles checks that tiles are on the board, each once.
func (d *Definition) checkTiles(field string, tiles []string) error {
	columns, rows := len(d.Board), len(d.Board[0])
	for i, tile := range tiles {
		column, row, ok := splitTile(tile)
		before := slices.Index(tiles[:i], tile)
		switch {
		case !ok:
			return fmt.Errorf("%s[%d]: tile %q (want a column and a row, such as \"B4\")", field, i, text.Clip(tile))
		case column >= columns || row >= rows:
			return fmt.Errorf("%s[%d]: tile %q is off the board (want A1 to %s)", field, i, tile, tileName(columns-1, rows-1))
		case d.Board[column][row] != tileMark:
			return fmt.Errorf("%s[%d]: tile %q is a gap of the board (want a tile marked '#')", field, i, tile)
		case before >= 0:
			return fmt.Errorf("%s[%d]: tile %q again (want each tile once; it is %s[%d])", field, i, tile, field, before)
		}
	}
	return nil
}

func (d *Definition) checkRosettes() error {
	if err := d.checkTiles("rosettes", d.Rosettes); err != nil {
		return err
	}
	for i, tile := range d.Rosettes {
		if !slices.Contains(d.Light, tile) && !slices.Contains(d.Dark, tile) {
			return fmt.Errorf("rosettes[%d]: tile %q is on no path (want a tile of light or dark)", i, tile)
		}
	}
	return nil
}

// checkCounterpart checks that the two paths have the same structure, so one side's position is
// the other's in the mirror.
func (d *Definition) checkCounterpart() error {
	if len(d.Light) != len(d.Dark) {
		return fmt.Errorf("dark: %d tiles (want %d as in light)", len(d.Dark), len(d.Light))
	}
	for i := range d.Light {
		light, dark := d.Light[i], d.Dark[i]
		if slices.Contains(d.Rosettes, light) != slices.Contains(d.Rosettes, dark) {
			return fmt.Errorf("rosettes: one of %q and %q, square %d of the two paths (want both or neither)", light, dark, i+1)
		}
		if a, b := slices.Index(d.Dark, light), slices.Index(d.Light, dark); a != b {
			return fmt.Errorf("dark[%d]: tile %q is %s, but light[%d], %q, is %s (want paths of the same structure)",
				i, dark, onPath("light", b), i, light, onPath("dark", a))
		}
	}
	return nil
}

// onPath names a place on a path, or its absence.
func onPath(field string, place int) string {
	if place < 0 {
		return "not on " + field
	}
	return fmt.Sprintf("%s[%d]", field, place)
}

func (d *Definition) checkDice() error {
	if n := len(d.Dice); n < 2 || n > MaxRoll+1 {
		return fmt.Errorf("dice: %d weights (want 2 to %d: the weight of each roll, 0 first)", n, MaxRoll+1)
	}
	for roll, weight := range d.Dice {
		if weight < 0 || weight > maxWeight {
			return fmt.Errorf("dice[%d]: weight %d (want 0 to %d)", roll, weight, maxWeight)
		}
	}
	longest := len(d.Dice) - 1
	switch {
	case d.Dice[longest] == 0:
		return fmt.Errorf("dice[%d]: weight 0 of the longest roll (want a positive weight)", longest)
	case longest > len(d.Light)+1:
		return fmt.Errorf("dice[%d]: a roll longer than the path (want at most %d)", longest, len(d.Light)+1)
	}
	return nil
}

// checkJourney checks that a piece on any square it can reach can come home.
func (r *Rules) checkJourney() error {
	var reachable, homeward uint32 = 1, 1 << r.Finish()
	for before := [2]uint32{}; before != [2]uint32{reachable, homeward}; {
		before = [2]uint32{reachable, homeward}
		for roll, weight := range r.def.Dice {
			if roll > 0 && weight > 0 {
				reachable |= reachable << roll & (1<<(r.Finish()+1) - 1)
				homeward |= homeward >> roll
			}
		}
	}
	for square := range r.Finish() {
		if reachable&^homeward>>square&1 != 0 {
			return fmt.Errorf("dice: a piece on square %d of %d can never come home (want rolls that reach the finish exactly)", square, r.squares)
		}
	}
	return nil
}

// splitTile reads a tile such as "B4": column 1 and row 3, counted from 0.
func splitTile(tile string) (column, row int, ok bool) {
	if len(tile) < 2 || len(tile) > 3 || tile[0] < 'A' || tile[0] > 'Z' {
		return 0, 0, false
	}
	row, err := strconv.Atoi(tile[1:])
	column, row = int(tile[0]-'A'), row-1
	return column, row, err == nil && row >= 0 && tileName(column, row) == tile
}

func tileName(column, row int) string { return string(rune('A'+column)) + strconv.Itoa(row+1) }

// tilesTouch reports whether two tiles touch, also at a corner.
func tilesTouch(a, b string) bool {
	ac, ar, _ := splitTile(a)
	bc, br, _ := splitTile(b)
	return max(ac-bc, bc-ac) <= 1 && max(ar-br, br-ar) <= 1
}

// mirrorPath returns a path with a board's columns exchanged left to right.
func mirrorPath(path []string, columns int) []string {
	dark := make([]string, len(path))
	for i, tile := range path {
		dark[i] = tile
		if column, row, ok := splitTile(tile); ok && column < columns {
			dark[i] = tileName(columns-1-column, row)
		}
	}
	return dark
}
