package board

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A Definition describes a rule set. [New] checks it.
type Definition struct {
	// Name identifies the rule set: 1 to 32 lowercase letters, digits and hyphens.
	Name string

	// Title is the name for people, and About describes the rule set in a paragraph. Both are
	// optional.
	Title, About string

	// Board has a string for each column, A first, and in it a character for each row, 1 first:
	// '#' is a tile and '.' a gap. All columns have the same length. A tile is named by column
	// and row, as in "B4".
	Board []string

	// Light and Dark are the tiles on the paths from the first square to the last, each next to
	// the one before. Without Dark, Dark walks Light's path mirrored left to right. The paths
	// must have the same structure: equal lengths, rosettes and meetings.
	Light, Dark []string

	// Rosettes are the rosette tiles.
	Rosettes []string

	// Pieces is each side's number of pieces, 1 to 10.
	Pieces int

	// Dice has each roll's weight, 0 first: {1, 4, 6, 4, 1} for four two-sided dice.
	Dice []int

	SafeRosettes     bool // a piece on a rosette cannot be captured
	RollAfterRosette bool // landing on a rosette grants another roll
	RollAfterCapture bool // a capture grants another roll; never two for one move
}

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

// checkCounterpart checks that the two paths have the same structure, as [Position.Mirror] requires.
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

// maxFile is how large a definition in JSON may be, in bytes.
const maxFile = 1 << 20

// A field is a member in a definition's JSON form.
type field struct {
	name     string
	optional bool
	value    any    // a pointer into the definition
	want     string // its form
}

// jsonFields returns the members of d's JSON form, in file order.
func (d *Definition) jsonFields() []field {
	const tiles = `a list of tiles such as ["A4", "A3"]`
	return []field{
		{"name", false, &d.Name, "a string"},
		{"title", true, &d.Title, "a string"},
		{"about", true, &d.About, "a string"},
		{"board", false, &d.Board, `a list of columns such as ["####..##", "########", "####..##"]`},
		{"light", false, &d.Light, tiles},
		{"dark", true, &d.Dark, tiles},
		{"rosettes", false, &d.Rosettes, tiles},
		{"pieces", false, &d.Pieces, "a whole number"},
		{"dice", false, &d.Dice, "a list of whole numbers such as [1, 4, 6, 4, 1]"},
		{"safe_rosettes", false, &d.SafeRosettes, "true or false"},
		{"roll_after_rosette", false, &d.RollAfterRosette, "true or false"},
		{"roll_after_capture", false, &d.RollAfterCapture, "true or false"},
	}
}

// Parse reads a definition in JSON, at most 1 MiB, and returns its rule set. Unknown, missing
// and repeated members are errors. A built-in rule set's name is an error if the rules
// differ. The error names the member and the accepted form.
func Parse(data []byte) (*Rules, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("more than %d bytes (want a rule set in JSON)", maxFile)
	}
	o, err := text.ParseObject(data, "a rule set")
	if err != nil {
		return nil, err
	}
	var d Definition
	fields := d.jsonFields()
	for _, m := range o {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.Name })
		if i < 0 {
			names := strings.Join(text.List(fields, func(f field) string { return f.name }), ", ")
			return nil, fmt.Errorf("unknown field %q (want %s)", text.Clip(m.Name), names)
		}
		if err := fields[i].set(m.Value); err != nil {
			return nil, err
		}
	}
	for _, f := range fields {
		if _, ok := o.Get(f.name); !ok && !f.optional {
			return nil, fmt.Errorf("%s: missing (want %s)", f.name, f.want)
		}
	}
	r, err := New(d)
	if err != nil {
		return nil, err
	}
	if b, err := Lookup(r.Name()); err == nil && !b.Equal(r) {
		return nil, fmt.Errorf("name: %q is a built-in rule set with other rules (want another name)", r.Name())
	}
	return r, nil
}

// Find returns a built-in rule set by name, or reads a file as [Parse] does: a text with a
// slash, a backslash or a dot is a file. The error names the file.
func Find(nameOrFile string) (*Rules, error) {
	if !strings.ContainsAny(nameOrFile, `./\`) {
		r, err := Lookup(nameOrFile)
		if err != nil {
			return nil, fmt.Errorf("unknown rule set %q (want %s, or a JSON file)", text.Clip(nameOrFile), strings.Join(Names(), ", "))
		}
		return r, nil
	}
	data, err := safefile.Read(nameOrFile, maxFile)
	if err != nil {
		return nil, err
	}
	r, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOrFile, err)
	}
	return r, nil
}

// MarshalJSON returns the form read by [Parse].
func (r *Rules) MarshalJSON() ([]byte, error) {
	var o text.Object
	for _, f := range r.def.jsonFields() {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if f.optional && (string(value) == `""` || string(value) == "null") {
			continue
		}
		if string(value) == "null" {
			value = []byte("[]") // an empty list made in Go
		}
		o = append(o, text.Member{Name: f.name, Value: value})
	}
	return o.Encode(), nil
}

// set reads a field's value. JSON's null is no value for any field.
func (f *field) set(value json.RawMessage) error {
	if err := json.Unmarshal(value, f.value); err != nil || hasNull(value) {
		return fmt.Errorf("%s: %s (want %s)", f.name, text.Clip(string(value)), f.want)
	}
	return nil
}

// hasNull reports whether a value is null, or a list with null.
func hasNull(value json.RawMessage) bool {
	var list []json.RawMessage // null is a list, too
	isNull := func(v json.RawMessage) bool { return string(v) == "null" }
	return json.Unmarshal(value, &list) == nil && (list == nil || slices.ContainsFunc(list, isNull))
}
