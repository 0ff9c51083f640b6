package eval

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// walk plays random games and calls f with every position, the move made, and what it
// turns over; a pass has no square.
func walk(games int, f func(b board.Board, s board.Square, flips uint64)) {
	random := rand.New(rand.NewPCG(3, 33))
	for range games {
		for b := board.Start; !b.Over(); {
			squares := board.Squares(b.Moves())
			if len(squares) == 0 {
				f(b, board.Pass, 0)
				b = b.Pass()
				continue
			}
			s := squares[random.IntN(len(squares))]
			flips := b.Flips(s)
			f(b, s, flips)
			b = b.Play(s, flips)
		}
	}
}

// randomWeights are weights of which none is like another.
func randomWeights() *Weights {
	random := rand.New(rand.NewPCG(5, 5))
	var stages [Stages][]float32
	for i := range stages {
		stages[i] = make([]float32, WeightsPerStage)
		for j := range stages[i] {
			stages[i][j] = float32(random.IntN(1201) - 600) // some beyond the heaviest
		}
	}
	return NewWeights(&stages)
}

func TestFeaturesCarriedAlongEqualThoseCountedAnew(t *testing.T) {
	w := randomWeights()
	walk(200, func() func(b board.Board, s board.Square, flips uint64) {
		var f Features
		side := 0
		return func(b board.Board, s board.Square, flips uint64) {
			if b == board.Start {
				f, side = FeaturesOf(b), 0
			}
			first := b
			if side == 1 {
				first = b.Pass()
			}
			testkit.MustEqual(t, f, FeaturesOf(first), "%v: features carried along", b)
			value := w.Value(&f, side, bits.OnesCount64(b.Own|b.Opp), bits.OnesCount64(b.Moves()))
			testkit.MustEqual(t, value, w.Evaluate(b), "%v: value carried along", b)
			if s != board.Pass {
				var plain Features
				f.playPlain(&plain, side, s, flips)
				f.Play(&f, side, s, flips)
				testkit.FatalIf(t, plain != f, "%v: the kernel's features are %v, the plain ones %v", b, f, plain)
			}
			side ^= 1
		}
	}())
}

// The sum that is written out must be that of the weights that Indices numbers, and
// both must not depend on how the board is turned.
func TestValueSumsTheWeightsOfIndices(t *testing.T) {
	w := randomWeights()
	walk(50, func(b board.Board, _ board.Square, _ uint64) {
		f := FeaturesOf(b)
		want := 0
		indices := f.Indices(nil, bits.OnesCount64(b.Own|b.Opp), bits.OnesCount64(b.Moves()))
		testkit.MustEqual(t, len(indices), places+1, "weights")
		for _, i := range indices {
			want += quantum * int(w.stages[StageOf(bits.OnesCount64(b.Own|b.Opp))][0][i])
		}
		for n := range board.Symmetries {
			testkit.MustEqual(t, w.Evaluate(b.Symmetric(n)), Clip(want), "%v turned by %d: value", b, n)
		}
	})
}

// What is called stable must stay as long as a game goes on.
func TestStableDiscsStay(t *testing.T) {
	var stable [2]uint64 // of the side to move, of the other
	found := 0
	walk(300, func(b board.Board, _ board.Square, _ uint64) {
		if b == board.Start {
			stable = [2]uint64{}
		}
		testkit.FatalIf(t, stable[0]&^b.Own != 0 || stable[1]&^b.Opp != 0,
			"%v: discs that were called stable are gone", b)
		own, opp := Stable(b.Own, b.Opp), Stable(b.Opp, b.Own)
		testkit.FatalIf(t, own&^b.Own != 0 || opp&^b.Opp != 0,
			"%v: squares are called stable that hold no disc of the side", b)
		found += bits.OnesCount64(own | opp)
		stable = [2]uint64{opp, own}
	})
	testkit.ErrorIf(t, found < 10_000, "only %d stable discs found", found)
}

func TestFullLines(t *testing.T) {
	lines := func(taken uint64, d [2]int) uint64 {
		var full uint64
		for s := range board.Square(64) {
			whole := true
			for c, r := s.Column(), s.Row(); 0 <= c && c < 8 && 0 <= r && r < 8; c, r = c+d[0], r+d[1] {
				whole = whole && taken&board.SquareAt(c, r).Bit() != 0
			}
			for c, r := s.Column(), s.Row(); 0 <= c && c < 8 && 0 <= r && r < 8; c, r = c-d[0], r-d[1] {
				whole = whole && taken&board.SquareAt(c, r).Bit() != 0
			}
			if whole {
				full |= s.Bit()
			}
		}
		return full
	}
	random := rand.New(rand.NewPCG(9, 9))
	for range 2000 {
		taken := random.Uint64() | random.Uint64() | random.Uint64() | random.Uint64()
		row, column, slant, back := fullLines(taken)
		for i, got := range []uint64{row, column, slant, back} {
			want := lines(taken, [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}[i])
			testkit.MustEqual(t, got, want, "lines %d of %x", i, taken)
		}
	}
}

func TestHandSeesBothSidesAlike(t *testing.T) {
	h := DefaultHand()
	h.Parity = 0 // it is the side to move that gains
	walk(20, func(b board.Board, _ board.Square, _ uint64) {
		testkit.MustEqual(t, h.Evaluate(b), -h.Evaluate(b.Pass()), "%v: value", b)
		for n := range board.Symmetries {
			testkit.MustEqual(t, h.Evaluate(b.Symmetric(n)), h.Evaluate(b), "%v: value when turned", b)
		}
	})
}

func TestWeightsAreReadAsWritten(t *testing.T) {
	w := randomWeights()
	text := []byte(testkit.Written(t, w.Write))
	read := testkit.Must(readWeights(bytes.NewReader(text)))(t)
	for s := range w.stages {
		for i, v := range w.stages[s][0] {
			if got := read.stages[s][0][i]; got != v {
				t.Fatalf("stage %d, weight %d: %d is read as %d", s, i, v, got)
			}
		}
	}
	for _, damage := range []func([]byte) []byte{
		func(b []byte) []byte { return nil },
		func(b []byte) []byte { return b[:len(b)/2] },
		func(b []byte) []byte { b[len(b)/2] ^= 4; return b },
		func(b []byte) []byte { return append(b, 0) },
	} {
		testkit.WantError(t, testkit.ErrorOf(readWeights(bytes.NewReader(damage(bytes.Clone(text))))), "", "damaged")
	}
}

func FuzzReadWeights(f *testing.F) {
	f.Add([]byte(testkit.Written(f, new(Weights).Write))[len(magic)+4:])
	f.Fuzz(func(t *testing.T, packed []byte) {
		head := binary.LittleEndian.AppendUint32([]byte(magic), crc32.ChecksumIEEE(packed))
		readWeights(bytes.NewReader(append(head, packed...)))
	})
}
