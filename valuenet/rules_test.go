package valuenet

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// ruledNet returns a random net of a rule set with even outputs.
func ruledNet(t *testing.T, r *board.Rules) *Net {
	t.Helper()
	n := testkit.Must(NewNet(Shape{Rules: r, Hidden: []int{40, 16}}))(t)
	n.Randomise(3)
	rng := rand.New(rand.NewPCG(4, 5))
	testkit.Fill(n.Layers[2].Weights, func() float32 { return float32(rng.NormFloat64() / 4) })
	return n
}

// All engines give the same values under every rule set, close to those of the net.
func TestJudgeOfRules(t *testing.T) {
	for _, r := range board.List()[1:] {
		n := ruledNet(t, r)
		q := testkit.Must(Quantise(n))(t)
		rng := rand.New(rand.NewPCG(6, 7))
		oracle := NewJudge(Scalar, q)
		for _, e := range Engines() {
			if e.Available() != nil {
				continue
			}
			judge := NewJudge(e, q)
			for range 200 {
				p := r.Random(rng, r.Pieces())
				var buf [board.MaxMoves]board.Move
				moves := r.Moves(buf[:0], p, rng.IntN(r.MaxRoll()+1))
				var got, want [board.MaxMoves]float64
				judge.Win(got[:], p, moves)
				oracle.Win(want[:], p, moves)
				testkit.MustEqual(t, got, want, "%s, %s: chances", r.Name(), e.Name())
				set := InputSet(r, p)
				testkit.Near(t, q.Chance(q.valueOfSet(set)), Logistic(float64(n.logitOfSet(set))), 0.02,
					"%s: win in integers, and in the net", r.Name())
			}
		}
	}
}

// A file names its rules, and a net of other rules is refused.
func TestNetNamesItsRules(t *testing.T) {
	blitz, aseb := testkit.Must(board.Lookup("blitz"))(t), testkit.Must(board.Lookup("aseb"))(t)
	three := testkit.Must(blitz.WithPieces(3))(t)
	for _, r := range []*board.Rules{blitz, aseb, three} {
		n := ruledNet(t, r)
		for name, file := range filesOf(t, n) {
			back, err := Read(bytes.NewReader(file))
			testkit.MustEqual(t, err, nil, "%s, %s", name, r.Name())
			testkit.ErrorIf(t, back.Rules == nil || !back.Rules.Equal(r) || back.Rules.Pieces() != r.Pieces(),
				"%s: a net of %s became one of %v", name, r.Name(), back.Shape)
		}
		want := fmt.Sprintf(`net of the rule set %q (want one of "finkel")`, r.Name())
		testkit.Equal(t, fmt.Sprint(n.CheckRules(board.Finkel())), want, "a net of %s plays Finkel's rules", r.Name())
	}
	d := blitz.Definition()
	d.Dice = []int{1, 1}
	other := testkit.Must(board.New(d))(t)
	testkit.WantError(t, ruledNet(t, blitz).CheckRules(other), `other rules with the name "blitz"`,
		"a net of the same name plays other rules")
	testkit.WantError(t, ruledNet(t, three).CheckRules(blitz), "of 3 pieces (want 5)", "a net of 3 pieces plays 5")
	testkit.NoError(t, ruledNet(t, blitz).CheckRules(three))
	testkit.WantError(t, ruledNet(t, blitz).CheckRules(aseb), "", "a net of blitz plays aseb")
}

func TestShapesOfRules(t *testing.T) {
	blitz := testkit.Must(board.Lookup("blitz"))(t)
	ten := testkit.Must(blitz.WithPieces(10))(t)
	for _, bad := range []Shape{
		{Rules: ten, Hidden: []int{8}}, // 76 inputs
		{Rules: blitz, Hidden: []int{8}, counts: true},
	} {
		testkit.WantError(t, bad.check(), "", "shape %v is accepted", bad)
	}
	s := Shape{Rules: blitz, Hidden: []int{8}}
	testkit.NoError(t, s.check())
	testkit.Equal(t, s.String(), "blitz-squares-8-relu", "the shape")
	testkit.Equal(t, s.Inputs(), 56, "inputs")
}

// Built-in nets of other rules are small, are of their rule set, and fit integers.
func TestBuiltinNetsOfRules(t *testing.T) {
	files := testkit.Must(builtinFiles.ReadDir("."))(t)
	testkit.FatalIf(t, len(files) < 2, "only %d files", len(files))
	for _, file := range files {
		size := testkit.Must(file.Info())(t).Size()
		testkit.ErrorIf(t, size > 64<<10, "%s has %d bytes: more than 64 KiB", file.Name(), size)
		name := strings.TrimSuffix(file.Name(), ".safetensors")
		if name == "builtin" {
			continue
		}
		r := testkit.Must(board.Lookup(name))(t)
		n, q := mustBuiltin(t, r)
		testkit.Equal(t, testkit.ErrorOf(Quantise(n)), nil, "%s: quantised", name)
		testkit.Near(t, q.Start(), 0.5, 0.05, "%s: light wins from the start with", name)
	}
}

func mustBuiltin(t *testing.T, r *board.Rules) (*Net, *Integer) {
	t.Helper()
	n, q, err := BuiltinFor(r)
	testkit.NoError(t, err)
	return n, q
}
