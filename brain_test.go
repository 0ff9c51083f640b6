package ur

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func drawBrain(t *rapid.T) *Brain {
	b := new(Brain)
	testkit.Fill(b[:], func() int16 { return rapid.Int16().Draw(t, "weight") })
	return b
}

func drawPosition(t *rapid.T) board.Position {
	seed := rapid.Uint64().Draw(t, "seed")
	pieces := rapid.IntRange(1, board.FinkelPieces).Draw(t, "pieces")
	return board.Finkel().Random(rand.New(rand.NewPCG(seed, 0)), pieces)
}

func TestBrainTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBrain(t)
		wantBrain(t, string(testkit.Must(b.MarshalText())(t)), b, "the text of a brain")
	})
}

// wantBrain reports a text that is not read as a brain, whose hash is right if there is one.
func wantBrain(t testkit.T, text string, want *Brain, what string) {
	t.Helper()
	read, altered, err := ReadBrain(strings.NewReader(text))
	testkit.ErrorIf(t, err != nil || *read != *want || altered,
		"%s: it is read as another brain, or altered %v, %v", what, altered, err)
}

// brainRows returns the text of a brain of zeros with some rows replaced.
func brainRows(replace map[int]string) string {
	rows := make([]string, board.Numbers)
	for i := range rows {
		rows[i] = strings.TrimSpace(strings.Repeat("0 ", board.Numbers))
		if r, ok := replace[i]; ok {
			rows[i] = r
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

func zeros(n int) string { return strings.Repeat(" 0", n) }

func TestReadBrainAcceptsTheTextForm(t *testing.T) {
	text := "// a comment\n\n" + brainRows(map[int]string{
		0: "\t7" + zeros(32) + " // with a comment",
		1: "0-12" + zeros(31) + "\r",
		2: "-1-2-3" + zeros(30),
		3: "32767 -32768 007 -0" + zeros(29),
	}) + "// the end"
	b, _, err := ReadBrain(strings.NewReader(text))
	testkit.NoError(t, err)
	want := map[[2]int]int16{{0, 0}: 7, {1, 1}: -12, {2, 0}: -1, {2, 1}: -2, {2, 2}: -3,
		{3, 0}: 32767, {3, 1}: -32768, {3, 2}: 7}
	for i := range board.Numbers {
		for j := range board.Numbers {
			testkit.Equal(t, b.At(i, j), want[[2]int{i, j}], "entry (%d, %d)", i, j)
		}
	}
}

func TestReadBrainNamesTheLine(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "line 1: the text ends after 0 rows"},
		{"too few rows", strings.Join(strings.SplitAfter(brainRows(nil), "\n")[:20], ""),
			"line 20: the text ends after 20 rows"},
		{"too many rows", brainRows(nil) + "\n0\n", "line 35: more than 33 rows"},
		{"short row", brainRows(map[int]string{4: "0 0 0"}), "line 5: row 4 has 3 numbers"},
		{"long row", brainRows(map[int]string{4: zeros(34)}), "line 5: row 4 has \"0\" after 33 numbers"},
		{"word", brainRows(map[int]string{2: "0 x" + zeros(31)}), `line 3: row 2, column 1: "x" is not an integer`},
		{"fraction", brainRows(map[int]string{2: "1.5" + zeros(32)}),
			`line 3: row 2, column 0: "1.5" is not an integer`},
		{"plus", brainRows(map[int]string{2: "+1" + zeros(32)}), "not an integer"},
		{"lone minus", brainRows(map[int]string{2: "- 1" + zeros(31)}), "not an integer"},
		{"two minus", brainRows(map[int]string{2: "--1" + zeros(32)}), "not an integer"},
		{"trailing minus", brainRows(map[int]string{2: "1-" + zeros(32)}), "not an integer"},
		{"too large", brainRows(map[int]string{6: "32768" + zeros(32)}), "line 7: row 6, column 0: 32768 is outside"},
		{"far too large", brainRows(map[int]string{6: strings.Repeat("9", 500) + zeros(32)}), "is outside"},
		{"upper triangle", brainRows(map[int]string{6: zeros(7) + " 5" + zeros(25)}),
			"line 7: row 6, column 7 is 5 (want 0 above"},
		{"comma", brainRows(map[int]string{6: "0,0" + zeros(31)}), "not an integer"},
		{"line too long", strings.Repeat(" ", maxBrainLine+1), "line 1: longer than"},
	} {
		_, _, err := ReadBrain(strings.NewReader(test.text))
		testkit.WantErrorAs[*BrainSyntaxError](t, err, test.want, "the text: %s", test.name)
	}
	broken := errors.New("the disk is gone")
	_, _, err := ReadBrain(iotest.ErrReader(broken))
	testkit.WantErrorIs(t, err, broken, "a broken reader")
}

func FuzzReadBrain(f *testing.F) {
	f.Add(testkit.Must(ClassicBrain().MarshalText())(f))
	f.Add([]byte(brainRows(map[int]string{1: "0-12" + zeros(31) + "//", 5: "1 2 3"})))
	f.Add([]byte("// only a comment"))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, _, err := ReadBrain(bytes.NewReader(text))
		testkit.SkipOn(t, err)
		wantBrain(t, string(testkit.Must(b.MarshalText())(t)), b, "accepted text, written again")
	})
}

// The classic brain must treat both players alike and keep its values in 16 bits.
func TestClassicBrainIsFairAndSmall(t *testing.T) {
	b := ClassicBrain()
	tempo := b.At(board.TurnNumber, board.TurnNumber)
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t)
		value, mirrored := b.Value(p), b.Value(p.Mirror())
		testkit.MustEqual(t, value+mirrored, int32(tempo), "the value of %s and that of its mirror, the sum",
			board.Finkel().FormatPosition(p))
		testkit.FatalIf(t, value < math.MinInt16 || value > math.MaxInt16,
			"%s is worth %d, outside 16 bits", board.Finkel().FormatPosition(p), value)
	})
}

func TestPairIsSymmetric(t *testing.T) {
	b := ClassicBrain()
	for i := range board.Numbers {
		for j := range board.Numbers {
			testkit.MustEqual(t, b.Pair(i, j), b.Pair(j, i), "Pair(%d, %d)", i, j)
			testkit.FatalIf(t, j <= i && b.Pair(i, j) != b.At(i, j), "Pair(%d, %d) is %d", i, j, b.Pair(i, j))
		}
	}
}

// The built-in brain must be read, be better than the one set by hand, and treat the
// players alike: the mirror of a position has the opposite value, but for a constant.
func TestDefaultBrain(t *testing.T) {
	brain := DefaultBrain()
	again := DefaultBrain()
	testkit.ErrorIf(t, again == brain || *again != *brain, "DefaultBrain must return equal copies")
	rng := rand.New(rand.NewPCG(7, 7))
	start := board.StartPosition(board.FinkelPieces)
	constant := brain.Value(start) + brain.Value(start.Mirror())
	for range 1000 {
		p := board.Finkel().Random(rng, board.FinkelPieces)
		testkit.Near(t, float64(brain.Value(p)+brain.Value(p.Mirror())), float64(constant), 2*board.Numbers,
			"%v and its mirror are worth together", board.Finkel().FormatPosition(p))
	}
	series := Series{Seed: 11, N: 2_000}
	var wins int64
	for light, setup := range []Setup{{Light: brain, Dark: ClassicBrain()}, {Light: ClassicBrain(), Dark: brain}} {
		game := testkit.Must(Array16Zeroskip.New(setup))(t)
		wins += testkit.Must(game.Games(nil, series))(t).Wins[light]
	}
	rate := float64(wins) / 4_000
	testkit.ErrorIf(t, rate < 0.70, "the built-in brain wins %.3f of its games against the one set by hand", rate)
}

// Brains have different hashes when any weight differs, and the same on every machine.
func TestBrainHash(t *testing.T) {
	b := ClassicBrain()
	seen := map[string]int{b.Hash(): -1}
	for i := range b {
		b[i]++
		hash := b.Hash()
		b[i]--
		before, ok := seen[hash]
		testkit.ErrorIf(t, ok || len(hash) != 16, "weights %d and %d: both have the hash %q", before, i, hash)
		seen[hash] = i
	}
	testkit.Equal(t, new(Brain).Hash(), "033eeac8e125a5ef", "the hash of no weights")
}

// What people and programs make of a brain is read too: with a byte order mark, without a
// last end of line, as a triangle, and as JSON.
func TestReadBrainForms(t *testing.T) {
	want := ClassicBrain()
	text := testkit.Must(want.MarshalText())(t)
	var triangle strings.Builder
	for i := range 33 {
		for j := range i + 1 {
			fmt.Fprintf(&triangle, "%d ", want.At(i, j))
		}
		triangle.WriteByte('\n')
	}
	object := testkit.Must(json.Marshal(map[string]any{"schema": "ur.brain/1", "name": "brain", "weights": want[:]}))(t)
	rows := string(text)
	for name, text := range map[string]string{
		"rows": rows, "byte order mark": byteOrderMark + rows, "CRLF": strings.ReplaceAll(rows, "\n", "\r\n"),
		"no last newline": strings.TrimSuffix(rows, "\n"),
		"triangle":        triangle.String(), "JSON": string(object),
		"JSON with a mark": byteOrderMark + string(object) + "\n",
	} {
		wantBrain(t, text, want, name)
	}
	for text, want := range map[string]string{
		`{"weights":[1,2]}`:               "the JSON has 2 weights",
		`{"weights":[40000]}`:             "not the JSON of a brain",
		`{}`:                              "has 0 weights",
		strings.Repeat("{", maxBrainLine): "line 1: not the JSON",
		triangle.String() + "0":           "more than 33 rows",
		strings.Replace(triangle.String(), "\n", " 1\n", 1): "want 0 above the diagonal",
	} {
		_, _, err := ReadBrain(strings.NewReader(text))
		testkit.WantError(t, err, want, "%.40q", text)
	}
}

// Every change of a weight is found by the hash, where there is one.
func TestBrainHashComment(t *testing.T) {
	want := ClassicBrain()
	text := testkit.Must(want.MarshalText())(t)
	whole := "// a brain\n" + want.HashComment() + string(text)
	wantBrain(t, whole, want, "unaltered")
	found := 0
	for i := len(whole) - len(text); i < len(whole); i++ {
		if whole[i] < '1' || whole[i] > '9' {
			continue
		}
		b, altered, err := ReadBrain(strings.NewReader(whole[:i] + string(whole[i]-1) + whole[i+1:]))
		if err == nil && *b != *want {
			found++
			testkit.ErrorIf(t, !altered, "a digit at byte %d is another, and it is not told", i)
		}
	}
	testkit.ErrorIf(t, found < 150, "only %d digits were changed", found)
}

// randomBoards returns a brain of random weights, and a function that sets a board to a random position and returns its
// value.
func randomBoards() (brain *Brain, draw func(*board.Array16) int32) {
	rng := rand.New(rand.NewPCG(6, 6))
	brain = new(Brain)
	testkit.Fill(brain[:], func() int16 { return int16(rng.Uint32()) })
	return brain, func(b *board.Array16) int32 {
		p := board.Finkel().Random(rng, board.FinkelPieces)
		b.Set(p)
		return brain.Value(p)
	}
}

// In 100,000 positions of games of random moves the terms of a position sum to its value, those of two positions to
// the difference. They come once each, and the largest first.
func TestExplanationsSumToTheValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(69, 0))
	brains := []*Brain{ClassicBrain(), DefaultBrain(), new(Brain)}
	for i := range brains[2] {
		brains[2][i] = int16(rng.Uint32())
	}
	trials := 100_000
	if testing.Short() {
		trials = 2_000
	}
	p := board.StartPosition(board.FinkelPieces)
	for n := range trials {
		b := brains[n%len(brains)]
		q := p
		p = randomTurn(rng, p)
		checkTerms(t, b, b.Explain(p), b.Value(p))
		if n%10 == 0 {
			checkTerms(t, b, b.Compare(p, q), b.Value(p)-b.Value(q))
			checkTerms(t, b, b.Compare(p, p), 0)
		}
	}
}

// randomTurn returns a position after a throw of the dice and a random move, in a new game after the last one.
func randomTurn(rng *rand.Rand, p board.Position) board.Position {
	if _, over := p.Winner(); over {
		return board.StartPosition(board.FinkelPieces)
	}
	moves := board.Finkel().Moves(nil, p, rng.IntN(2)+rng.IntN(2)+rng.IntN(2)+rng.IntN(2))
	if len(moves) == 0 {
		return p.Pass()
	}
	return board.Finkel().Apply(p, moves[rng.IntN(len(moves))])
}

// checkTerms compares a list of terms with its sum.
func checkTerms(t *testing.T, b *Brain, terms []Term, want int32) {
	t.Helper()
	var sum int32
	var seen [board.Numbers][board.Numbers]bool
	for i, p := range terms {
		product := int32(p.Weight) * int32(p.X[0]*p.X[1]-p.Y[0]*p.Y[1])
		if seen[p.Row][p.Column] || p.Weight != b.At(p.Row, p.Column) || p.Product != product || product == 0 {
			t.Fatalf("term %+v: the brain has %d, the product is %d", p, b.At(p.Row, p.Column), product)
		}
		if i > 0 && max(p.Product, -p.Product) > max(terms[i-1].Product, -terms[i-1].Product) {
			t.Fatalf("%+v comes before the larger %+v", terms[i-1], p)
		}
		seen[p.Row][p.Column] = true
		sum += p.Product
	}
	if sum != want {
		t.Fatalf("%d terms sum to %d, want %d", len(terms), sum, want)
	}
}
