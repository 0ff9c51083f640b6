package play

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// linearValue is what square values are defined to be worth to Light: the sum over
// its own pieces less that over the opponent's.
func linearValue(v SquareValues, p board.Position) int {
	x := p.Numbers()
	sum := 0
	for square := range board.Finish + 1 {
		sum += v.At(square) * (x[square] - x[16+square])
	}
	return sum
}

// The brain of square values must make the very choices of their definition, the
// first of equal ones included, for any values and any number of pieces.
func TestSquareValuesAreABrain(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 15))
	sets := []SquareValues{{}, {14: maxSquareValue, 13: maxSquareValue}, {3: -maxSquareValue, 7: -maxSquareValue}}
	if linear, ok := BuiltinSquares("linear"); ok {
		sets = append(sets, linear)
	}
	for _, width := range []int{2, 5, 100, 2*maxSquareValue + 1} {
		var v SquareValues
		testkit.Fill(v[:], func() int16 { return int16(rng.IntN(width) - width/2) })
		sets = append(sets, v)
	}
	for _, v := range sets {
		brain := v.Brain()
		ties := 0
		for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
			for range 100 {
				p := board.Finkel().Random(rng, pieces)
				testkit.MustEqual(t, int(brain.Value(p)), pieces*linearValue(v, p), "%s: the brain's value of %v", v,
					p.Numbers())
				for roll := 1; roll <= board.FinkelRoll; roll++ {
					ties += checkLinearChoice(t, v, brain, p, roll)
				}
			}
		}
		testkit.ErrorIf(t, v == (SquareValues{}) && ties == 0, "no choice between equal values was tried")
	}
}

// checkLinearChoice compares the brain's choice with the definition, and returns 1
// where two moves were equally good.
func checkLinearChoice(t *testing.T, v SquareValues, brain *ur.Brain, p board.Position, roll int) (tie int) {
	t.Helper()
	moves := board.Finkel().Moves(nil, p, roll)
	if len(moves) == 0 {
		return 0
	}
	sign := 1 - 2*int(p.Turn())
	best := 0
	for i, m := range moves[1:] {
		switch more := sign * (linearValue(v, board.Finkel().Apply(p, m)) - linearValue(v, board.Finkel().Apply(p, moves[best]))); {
		case more > 0:
			best = i + 1
		case more == 0:
			tie = 1
		}
	}
	turn := &Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: moves}
	testkit.MustEqual(t, choice(t, Brain{Spec: "greedy", Weights: brain}.Player(), turn),
		board.Finkel().Notation(p.Turn(), moves[best]), "%s: %v, roll %d: plays", v, p.Numbers(), roll)
	return tie
}

func TestSquareValuesAsText(t *testing.T) {
	v := SquareValues{1, -2, 30, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, -maxSquareValue, maxSquareValue}
	text := testkit.Must(v.MarshalText())(t)
	for _, text := range []string{string(text), v.String(),
		"// why\r\n" + strings.ReplaceAll(v.String(), ",", "\r\n") + " // end"} {
		testkit.Equal(t, testkit.Must(readSquareValues(strings.NewReader(text)))(t), v, "%q is read as", text)
	}
	testkit.WantText(t, string(text), "     4 // square 4, a rosette\n")
	failures := map[string]string{
		"":                        "line 1: 0 values (want 15",
		"1,2\n3":                  "line 2: 3 values (want 15",
		v.String() + "\n9":        "line 2: more than 15 values",
		"1 2 x":                   `line 1: the value of square 3 is "x"`,
		"// a\n16384":             `line 2: the value of square 1 is "16384" (want an integer from -16383 to 16383)`,
		"1.5":                     `"1.5"`,
		strings.Repeat(" ", 1e5):  "line 1: longer than",
		"99999999999999999999999": "integer",
	}
	for text, want := range failures {
		testkit.WantError(t, testkit.ErrorOf(readSquareValues(strings.NewReader(text))), want, "%.40q", text)
	}
}

func TestBuiltinSquares(t *testing.T) {
	testkit.ErrorIf(t, len(builtinSquaresNames()) == 0, "there are no built-in square values")
	for _, name := range builtinSquaresNames() {
		if _, ok := BuiltinSquares(name); !ok {
			text, _ := squaresFiles.ReadFile("squares/" + name + ".txt")
			_, err := readSquareValues(strings.NewReader(string(text)))
			t.Errorf("squares/%s.txt: %v", name, err)
		}
	}
	v, ok := BuiltinSquares("linear")
	testkit.Equal(t, v.String(), "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "linear (built in: %v)", ok)
	for _, name := range []string{"none", "", "../squares", "linear.txt"} {
		_, ok := BuiltinSquares(name)
		testkit.Equal(t, ok, false, "built-in values of the name %q", name)
	}
}

func TestParseGreedy(t *testing.T) {
	dir := t.TempDir()
	linear, _ := BuiltinSquares("linear")
	good, bad := filepath.Join(dir, "good.txt"), filepath.Join(dir, "bad.txt")
	testkit.WriteText(t, good, linear.String())
	testkit.WriteText(t, bad, "// values\n1 2 three\n")
	for _, values := range []string{"linear", good} {
		p := testkit.Must(ParsePlayer("greedy:" + values))(t)
		b, ok := p.Source.(Brain)
		testkit.ErrorIf(t, !ok || *b.Weights != *linear.Brain() || p.Spec != "greedy:"+values,
			"greedy:%s is %s", values, p.Spec)
	}
	for values, want := range map[string]string{
		"":           "names no square values",
		"lineal":     "no such file",
		bad:          bad + `:2: the value of square 3 is "three"`,
		dir:          "is a directory",
		bad + "\x00": "invalid",
	} {
		testkit.WantError(t, testkit.ErrorOf(ParsePlayer("greedy:"+values)), want, "greedy:%s", values)
	}
}

// What is read must be written so that it is read the same.
func FuzzReadSquareValues(f *testing.F) {
	f.Add("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15")
	f.Add("// a\n1 2 3 4 5 6 7 8\n-9 +10 11 12 13 14 15 // b")
	f.Add("1 2")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := readSquareValues(strings.NewReader(text))
		testkit.SkipOn(t, err)
		written := testkit.Must(v.MarshalText())(t)
		testkit.Equal(t, testkit.Must(readSquareValues(strings.NewReader(string(written))))(t), v,
			"%q is read as", text)
	})
}

// Damaged square values are refused, or they are the same values.
func TestDamagedSquares(t *testing.T) {
	want, _ := BuiltinSquares("tree")
	file := testkit.Must(want.MarshalText())(t)
	testkit.TryDamage(t, "squares", file, want, func(data []byte) (SquareValues, error) {
		return readSquareValues(bytes.NewReader(data))
	})
}
