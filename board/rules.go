// Package board describes games in the Ur family as data: a rule set is a value, and the moves,
// notation, text form and dice for its games follow from it. It also has the engines' board
// representations, which play Irving Finkel's rules.
//
// # Rule sets
//
// A [Definition] lists the tiles on each side's path, the number of pieces, the dice and the rules
// that vary. [New] checks a definition and returns [Rules]. [Lookup] returns a built-in rule set by
// name (finkel, blitz, masters, masters4 or aseb), [Parse] reads a definition in JSON, and [Find]
// accepts a name or a file, as the commands' flag --rules does.
//
// # Positions
//
// A [Position] has each side's pieces on the squares of that side's own path: square 0 is
// the start (pieces in hand), 1 to [Rules.Squares] are tiles, and [Rules.Finish] is the finish
// (pieces home). Both sides walk paths with the same structure, so a position seen by one side is
// the mirror image of the same position seen by the other; see [Position.Mirror]. A tile on both
// paths may have different square numbers, and captures happen on tiles; see [Rules.Across].
//
// # One truth
//
// [Rules.Moves] and [Rules.Apply] are the oracle: they are written to be compared with the rules
// line by line, not for speed. The representations [Array16], [Array8], [Rows] and [Bits] each
// hold a position under Finkel's rules in another layout with its own move generator, and must agree
// with the oracle on every position and roll.
//
// # Dice
//
// [Rules.Dice] is the one source of rolls: roll t in game g of seed s is a pure function of
// those three numbers and the weights, so a game can be replayed anywhere.
package board

import (
	"fmt"
	"slices"
)

// Limits for every rule set. Finkel's are [FinkelPieces] and its neighbors.
const (
	MaxPieces  = 10        // pieces of each side
	MaxRoll    = 15        // the longest roll
	MaxMoves   = MaxPieces // legal moves of one roll: at most one for each piece
	maxSquares = 30        // squares of each path

	maxColumns = 26
	maxRows    = 30
	maxWeight  = 1 << 16
	maxName    = 32
	maxTitle   = 64
	maxAbout   = 2000
)

// Rules are a checked rule set. They never change, so any number of goroutines may use them.
type Rules struct {
	def Definition

	squares  int
	rosettes uint32 // squares of a path that are rosettes
	shared   uint32 // squares on both paths
	safe     uint32 // shared squares that protect a piece
	again    uint32 // squares that grant another roll
	across   [maxSquares + 2]uint8
	crossing [4][256]uint32 // a byte of squares of one path -> the same tiles on the other
	dice     throws
}

// New checks a definition and returns its rule set. The error names the field and the
// accepted form.
func New(d Definition) (*Rules, error) {
	d = d.clone()
	if d.Dark == nil {
		d.Dark = mirrorPath(d.Light, len(d.Board))
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	r := &Rules{def: d, squares: len(d.Light)}
	r.layPath()
	r.dice = newThrows(d.Dice)
	if err := r.checkJourney(); err != nil {
		return nil, err
	}
	return r, nil
}

func (d Definition) clone() Definition {
	for _, list := range []*[]string{&d.Board, &d.Light, &d.Dark, &d.Rosettes} {
		*list = slices.Clone(*list)
	}
	d.Dice = slices.Clone(d.Dice)
	return d
}

// layPath computes sets of squares from the tiles.
func (r *Rules) layPath() {
	d := &r.def
	for i, tile := range d.Light {
		square := i + 1
		if slices.Contains(d.Rosettes, tile) {
			r.rosettes |= 1 << square
		}
		if other := slices.Index(d.Dark, tile); other >= 0 {
			r.shared |= 1 << square
			r.across[square] = uint8(other + 1)
		}
	}
	if d.SafeRosettes {
		r.safe = r.rosettes & r.shared
	}
	if d.RollAfterRosette {
		r.again = r.rosettes
	}
	for square := 1; square <= r.squares; square++ {
		if other := r.across[square]; other != 0 {
			for set := range 256 {
				if set>>(square%8)&1 != 0 {
					r.crossing[square/8][set] |= 1 << other
				}
			}
		}
	}
}

// Definition returns a copy of its definition, with Dark set.
func (r *Rules) Definition() Definition { return r.def.clone() }

// WithPieces returns the same rules with another number of pieces a side, 1 to 10, and 1 to 7 under
// Finkel's.
func (r *Rules) WithPieces(pieces int) (*Rules, error) {
	check := checkPieces
	if r.IsFinkel() {
		check = CheckPieces
	}
	if err := check(pieces); err != nil {
		return nil, err
	}
	if pieces == r.def.Pieces {
		return r, nil
	}
	s := *r
	s.def.Pieces = pieces
	return &s, nil
}

func checkPieces(pieces int) error {
	if pieces < 1 || pieces > MaxPieces {
		return fmt.Errorf("pieces: %d (want 1 to %d)", pieces, MaxPieces)
	}
	return nil
}

// Equal reports whether two rule sets are the same game but for the pieces' number, the title
// and the description.
func (r *Rules) Equal(s *Rules) bool {
	a, b := &r.def, &s.def
	return r == s || a.Name == b.Name && r.squares == s.squares &&
		r.rosettes == s.rosettes && r.across == s.across &&
		r.safe == s.safe && r.again == s.again && a.RollAfterCapture == b.RollAfterCapture &&
		r.dice == s.dice && slices.Equal(a.Light, b.Light) && slices.Equal(a.Dark, b.Dark)
}

// Name returns the rule set's name, such as "finkel".
func (r *Rules) Name() string { return r.def.Name }

// Title returns the name for people, or Name when the definition has no title.
func (r *Rules) Title() string {
	if r.def.Title == "" {
		return r.def.Name
	}
	return r.def.Title
}

// Pieces returns each side's number of pieces.
func (r *Rules) Pieces() int { return r.def.Pieces }

// Squares returns how many squares each path has. They are numbered 1 to Squares.
func (r *Rules) Squares() int { return r.squares }

// Finish returns the finish's number, Squares()+1: the square for pieces home.
func (r *Rules) Finish() int { return r.squares + 1 }

// Columns and Rows return the board's size.
func (r *Rules) Columns() int { return len(r.def.Board) }

// Rows returns how many rows the board has.
func (r *Rules) Rows() int { return len(r.def.Board[0]) }

// Tile returns a square's name on a side's path, such as "B4", and "" for the start, the
// finish and any other number.
func (r *Rules) Tile(side Side, square int) string {
	if square <= Start || square > r.squares {
		return ""
	}
	return r.pathTiles(side)[square-1]
}

// pathTiles returns the tiles on a side's path.
func (r *Rules) pathTiles(side Side) []string {
	if side == Dark {
		return r.def.Dark
	}
	return r.def.Light
}

// TileAt returns the column and the row, counted from 0, of a square 1 to Squares on a side's path.
func (r *Rules) TileAt(side Side, square int) (column, row int) {
	column, row, _ = splitTile(r.Tile(side, square))
	return column, row
}

// IsRosette reports whether a square on a path is a rosette.
func (r *Rules) IsRosette(square int) bool { return hasSquare(r.rosettes, square) }

// IsShared reports whether a square's tile is on both sides' paths.
func (r *Rules) IsShared(square int) bool { return hasSquare(r.shared, square) }

// IsSafe reports whether a piece on a shared square cannot be captured.
func (r *Rules) IsSafe(square int) bool { return hasSquare(r.safe, square) }

// Across returns the square on the other side's path with the same tile as a square on one side's
// path, and 0 when the other side does not cross it. It is its own inverse.
func (r *Rules) Across(square int) int {
	if square < 0 || square >= len(r.across) {
		return 0
	}
	return int(r.across[square])
}

func hasSquare(set uint32, square int) bool { return 0 <= square && square < 32 && set>>square&1 != 0 }
