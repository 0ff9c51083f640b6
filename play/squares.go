package play

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
)

// SquareValues are a piece's values on each square of its path: number i is for square
// i+1, the last one for a piece that is home. A piece in hand is worth 0. A position's
// value is the sum over a player's own pieces minus the sum over the opponent's. A greedy
// player takes the highest-valued move, the first on a tie, as all brains do.
//
// That value is a linear form on the board, and a [ur.Brain] is a quadratic one: see
// [SquareValues.Brain].
type SquareValues [board.Finish]int16

// maxSquareValue is the largest magnitude for a square value.
const maxSquareValue = 1<<14 - 1

// At returns a piece's value on a square 0 to 15.
func (v SquareValues) At(square int) int {
	if square == board.Start {
		return 0
	}
	return int(v[square-1])
}

// Brain returns the brain that chooses exactly as these square values do,
// whatever the number of pieces, so that every engine can play them.
//
// A player's numbers x[0] to x[15] sum to its pieces N. So the quadratic form
//
//	(sum of v[i]*x[i]) * (sum of x[i]) = sum over i >= j of c[i][j]*x[i]*x[j]
//
// with c[i][i] = v[i] and c[i][j] = v[i]+v[j] is N times the linear form: it ranks all
// positions in a game in the same order, with the same ties.
func (v SquareValues) Brain() *ur.Brain {
	b := new(ur.Brain)
	for i := range board.Finish + 1 {
		for j := range i + 1 {
			weight := v.At(i)
			if j < i {
				weight += v.At(j)
			}
			b[ur.WeightIndex(i, j)] = int16(weight)
			b[ur.WeightIndex(16+i, 16+j)] = int16(-weight)
		}
	}
	return b
}

// String returns the values separated by commas.
func (v SquareValues) String() string {
	text := make([]string, len(v))
	for i, value := range v {
		text[i] = strconv.Itoa(int(value))
	}
	return strings.Join(text, ",")
}

// squaresHash begins the comment with the values' hash.
const squaresHash = "// Hash: "

// hash returns the values' hash.
func (v SquareValues) hash() string {
	h := safefile.NewHash("ur.squares")
	h.Text(v.String())
	return h.String()
}

// MarshalText returns v's text form: a comment with the values' hash, and a
// line for each square. [ReadSquaresFile] reads it.
func (v SquareValues) MarshalText() ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintln(&out, squaresHash+v.hash())
	for i, value := range v {
		note := ""
		switch square := i + 1; {
		case square == board.Finish:
			note = ", home"
		case board.IsRosette(square):
			note = ", a rosette"
		}
		fmt.Fprintf(&out, "%6d // square %d%s\n", value, i+1, note)
	}
	return out.Bytes(), nil
}

// byteOrderMark is written by some editors at the start of a text.
const byteOrderMark = "\ufeff"

// maxSquares bounds the memory for a foreign file, in bytes.
const maxSquares = 1 << 16

// ReadSquaresFile reads square values from a text file. It reports a syntax error as "FILE:LINE: message".
func ReadSquaresFile(name string) (v SquareValues, err error) {
	err = readTextFile(name, func(r io.Reader) (err error) {
		v, err = readSquareValues(r)
		return err
	})
	return v, err
}

// readSquareValues parses square values up to r's end: the values for squares 1 to 15,
// integers from -16383 to 16383 separated by white space or commas, on one line or several.
// "//" starts a comment that runs to its line's end. A hash in a comment must match the
// values; values typed by hand need none. It reports a syntax error as a [*ur.BrainSyntaxError];
// errors from r are returned as they are.
func readSquareValues(r io.Reader) (v SquareValues, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSquares+1))
	if err != nil {
		return v, err
	}
	fault := func(line int, format string, args ...any) (SquareValues, error) {
		return v, &ur.BrainSyntaxError{Line: line, Msg: fmt.Sprintf(format, args...)}
	}
	if len(data) > maxSquares {
		return fault(1, "longer than %d bytes", maxSquares)
	}
	line, n := 0, 0
	hash, hashLine := "", 0
	for raw := range strings.Lines(strings.TrimPrefix(string(data), byteOrderMark)) {
		line++
		if given, ok := strings.CutPrefix(raw, squaresHash); ok {
			hash, hashLine = strings.TrimSpace(given), line
		}
		text, _, _ := strings.Cut(raw, "//")
		for _, field := range strings.FieldsFunc(text,
			func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) }) {
			if n == len(v) {
				return fault(line, "more than %d values", len(v))
			}
			value, err := strconv.Atoi(field)
			if err != nil || value < -maxSquareValue || value > maxSquareValue {
				return fault(line, "the value of square %d is %q (want an integer from %d to %d)",
					n+1, field, -maxSquareValue, maxSquareValue)
			}
			v[n] = int16(value)
			n++
		}
	}
	switch {
	case n < len(v):
		return fault(max(1, line), "%d values (want %d, one for each of the squares 1 to %[2]d)", n, len(v))
	case hashLine > 0 && hash != v.hash():
		return fault(hashLine, "hash %.40[2]q of a damaged or edited file (want %[1]s; delete this line after an edit)",
			v.hash(), hash)
	}
	return v, nil
}

// squaresFiles are the built-in square values: NAME.txt is the player
// "greedy:NAME", and tree.txt, when there is one, also the player "tree".
//
//go:embed squares/*.txt
var squaresFiles embed.FS

// BuiltinSquares returns the built-in square values by name, such as "linear", and
// whether there are any.
func BuiltinSquares(name string) (SquareValues, bool) {
	text, err := squaresFiles.ReadFile(path.Join("squares", name+".txt"))
	if err != nil {
		return SquareValues{}, false
	}
	v, err := readSquareValues(bytes.NewReader(text))
	return v, err == nil // a test checks that every built-in file can be read
}

// builtinSquaresNames returns the names for [BuiltinSquares], in order.
func builtinSquaresNames() []string {
	entries, err := squaresFiles.ReadDir("squares")
	if err != nil {
		return nil // the folder is embedded
	}
	return text.List(entries, func(e fs.DirEntry) string { return strings.TrimSuffix(e.Name(), ".txt") })
}

// greedyKind is the player greedy and the players with square values.
var greedyKind = Kind{
	Name: "greedy",
	Patterns: []Pattern{
		{Text: "greedy", Help: "prefers captures, then rosettes, then progress"},
		{Text: "greedy:FILE",
			Help: "maximizes the square values of its own pieces minus those of the opponent's; the file " +
				"has the values of squares 1 to 15"},
		{Text: "greedy:NAME", Help: "the same with built-in values: " + strings.Join(builtinSquaresNames(), ", "),
			Names: builtinGreedy()},
	},
	Title: titled(map[string]string{
		"greedy":        "Captures, then rosettes, then progress: casual",
		"greedy:linear": "Moves the piece that is furthest: casual",
		"greedy:tree":   "Wants the best squares: strong",
	}),
	Files: fileBehindColon(func(name string) bool { _, builtin := BuiltinSquares(name); return !builtin }),
	Parse: parseGreedy,
}

// treeKind is another name for the square values trained by "ur train tree".
var treeKind = Kind{
	Name:     "tree",
	Patterns: []Pattern{{Text: "tree", Help: "another name for greedy:tree, with trained values"}},
	Title:    titled(nil), // menus have greedy:tree
	Parse: func(_ ParseContext, spec, rest string) (Player, error) {
		v, learned := BuiltinSquares("tree")
		if rest != "" || !learned {
			return Player{}, match.ErrSpec
		}
		return Brain{Spec: spec, Weights: v.Brain()}.Player(), nil
	},
	Refuse: finkelOnly,
}

// parseGreedy returns the player greedy, or the one with the values after the colon: a name
// among built-in values, or a file. It plays values as their brain, on any engine under Finkel's
// rules, whose path they belong to.
func parseGreedy(in ParseContext, spec, rest string) (Player, error) {
	values, hasValues := strings.CutPrefix(rest, ":")
	v, builtin := BuiltinSquares(values)
	switch {
	case rest == "":
		return Greedy, nil
	case !hasValues:
		return Player{}, match.ErrSpec
	case !in.Rules.IsFinkel():
		return Player{}, finkelOnly(in, spec)
	case values == "":
		return Player{}, fmt.Errorf("player %q names no square values (want %s or greedy:FILE)", spec,
			strings.Join(builtinGreedy(), ", "))
	case !builtin:
		path, err := in.Open(values)
		if err != nil {
			return Player{}, err
		}
		err = readTextFile(path, func(r io.Reader) (err error) {
			v, err = readSquareValues(r)
			return err
		})
		if err != nil {
			return Player{}, err
		}
	}
	return Brain{Spec: spec, Weights: v.Brain()}.Player(), nil
}

// builtinGreedy lists the players with built-in square values.
func builtinGreedy() []string {
	return text.List(builtinSquaresNames(), func(name string) string { return "greedy:" + name })
}
