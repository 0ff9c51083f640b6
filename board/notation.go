package board

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A position's text form is one field a side and the side to move:
//
//	5:L...L.........:0 6:....D.........:0 L
//
// A side's field is its pieces in hand, the squares on its path in the order they are walked
// (its letter where it has a piece, a dot where not), and its pieces home.

var sideLetters = [2]byte{'L', 'D'}

// FormatPosition returns a position's text form; [Rules.ParsePosition] reads it.
func (r *Rules) FormatPosition(p Position) string {
	var s strings.Builder
	for _, side := range [2]Side{Light, Dark} {
		fmt.Fprintf(&s, "%d:", p.Hand(side))
		for square := 1; square <= r.squares; square++ {
			if p.squares[side]>>square&1 != 0 {
				s.WriteByte(sideLetters[side])
			} else {
				s.WriteByte('.')
			}
		}
		fmt.Fprintf(&s, ":%d ", p.Home(side))
	}
	s.WriteByte(sideLetters[p.turn&1])
	return s.String()
}

// ParsePosition reads the text form written by [Rules.FormatPosition]. Any white space separates
// fields. Both sides have the same number of pieces, 1 to [MaxPieces]. The error names the invalid
// field and the accepted form.
func (r *Rules) ParsePosition(form string) (p Position, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("position %q: %w", text.Clip(form), err)
		}
	}()
	fields := strings.Fields(form)
	if len(fields) != 3 {
		return Position{}, fmt.Errorf("%d fields (%s)", len(fields), r.textHint())
	}
	var (
		squares [2]uint32
		home    [2]int
		pieces  [2]int
		turn    Side
	)
	for _, side := range [2]Side{Light, Dark} {
		hand, set, n, err := r.parseSide(fields[side], sideLetters[side])
		if err != nil {
			return Position{}, fmt.Errorf("%s's field %q: %w", side, text.Clip(fields[side]), err)
		}
		squares[side], home[side], pieces[side] = set, n, hand+bits.OnesCount32(set)+n
	}
	if pieces[Light] != pieces[Dark] {
		return Position{}, fmt.Errorf("%d pieces of light and %d of dark (want the same number)", pieces[Light], pieces[Dark])
	}
	switch fields[2] {
	case "L":
	case "D":
		turn = Dark
	default:
		return Position{}, fmt.Errorf("side to move %q (want L or D)", text.Clip(fields[2]))
	}
	return r.FromSquares(pieces[Light], turn, squares, home)
}

// parseSide reads one side's field.
func (r *Rules) parseSide(field string, letter byte) (hand int, squares uint32, home int, err error) {
	parts := strings.Split(field, ":")
	if len(parts) != 3 || len(parts[1]) != r.squares {
		return 0, 0, 0, fmt.Errorf("malformed (%s)", r.textHint())
	}
	for i, c := range []byte(parts[1]) {
		switch c {
		case letter:
			squares |= 1 << (i + 1)
		case '.':
		default:
			return 0, 0, 0, fmt.Errorf("%q on square %d (want %q or '.')", c, i+1, letter)
		}
	}
	if hand, err = parseCount(parts[0]); err == nil {
		home, err = parseCount(parts[2])
	}
	return hand, squares, home, err
}

// parseCount reads how many pieces there are, in digits only and without leading zeros.
func parseCount(digits string) (int, error) {
	n, err := strconv.ParseUint(digits, 10, 8)
	if err != nil || int(n) > MaxPieces || strconv.Itoa(int(n)) != digits {
		return 0, fmt.Errorf("%q for a count of pieces (want 0 to %d)", text.Clip(digits), MaxPieces)
	}
	return int(n), nil
}

// textHint shows a position's form by a game's start.
func (r *Rules) textHint() string {
	return fmt.Sprintf("want \"hand:squares:home\" of light, the same of dark, and the side to move, as in %q", r.FormatPosition(r.Start()))
}

// Notation names a move by the tiles on the board, as in "A4-A1". A piece enters by "in-A4" and
// finishes by "A7-home". "x" after the tile marks a capture, "*" a rosette.
func (r *Rules) Notation(side Side, m Move) string {
	from, to := "in", "home"
	if m.From != Start {
		from = r.Tile(side, int(m.From))
	}
	if int(m.To) != r.Finish() {
		to = r.Tile(side, int(m.To))
	}
	s := from + "-" + to
	if m.Capture {
		s += "x"
	}
	if r.IsRosette(int(m.To)) {
		s += "*"
	}
	return s
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
