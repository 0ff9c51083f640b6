//go:build !purego

package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// solving is an implementation that calls kernels.
type solving struct {
	name  string
	needs []cpu.Feature
}

func (k solving) Name() string         { return k.name }
func (k solving) Needs() []cpu.Feature { return k.needs }

func TestKernelsAndGates(t *testing.T) {
	testkit.CheckKernels(t, []solving{{"last/avx2", lastNeeds}, {"last/avx512", lastNeeds512}, {"prefetch/bmi1", prefetchNeeds}}, map[string]string{
		"last/avx2":     `engine\.lastFewAVX2`,
		"last/avx512":   `engine\.lastFewAVX512`,
		"prefetch/bmi1": `engine\.prefetchChildren`,
	}, ".")
}

// The buckets fetched ahead are those of the children.
func TestPrefetchedBuckets(t *testing.T) {
	if !prefetches {
		t.Skip("this CPU cannot run the kernel")
	}
	table := newTable(10)
	random := rand.New(rand.NewPCG(64, 10))
	for _, empties := range []int{1, 8, 20, 33} {
		b, ok := ending(random, empties)
		if !ok || b.Moves() == 0 {
			continue
		}
		var children movegen.Children
		movegen.Fastest().Expand(b, b.Moves(), &children)
		want := uint64(0)
		for _, x := range board.Squares(b.Moves()) {
			next := b.Play(x, b.Flips(x))
			want += table.number(next.Own, next.Opp)
		}
		if got := table.prefetch(b.Own, b.Opp, b.Moves(), &children.Flips); got != want {
			t.Errorf("%d empties: sum %d, want %d", empties, got, want)
		}
	}
}

// The kernel returns the scores and nodes of plain Go, on any board.
func TestLastKernelEqualsPlain(t *testing.T) {
	if !lastKernel {
		t.Skip("this CPU cannot run the kernel")
	}
	random := rand.New(rand.NewPCG(3, 64))
	for i := range 200000 {
		empties := lastSquares + i%(byParity-lastSquares+1)
		b := lastBoard(random, empties)
		alpha := random.IntN(131) - 66
		if random.IntN(4) > 0 {
			alpha = random.IntN(41) - 20 + board.Board.Score(b)
		}
		var kernel, plain searcher
		got := kernel.few(b.Own, b.Opp, alpha, empties)
		want := plain.fewPlain(b.Own, b.Opp, alpha, empties)
		if got != want || kernel.nodes != plain.nodes {
			t.Fatalf("%v, alpha %d: score %d and %d nodes, want %d and %d", b, alpha, got, kernel.nodes, want, plain.nodes)
		}
	}
}

// lastBoard returns a board with a number of empty squares, reachable or not: discs in stripes of
// any length make moves, passes and ends alike.
func lastBoard(random *rand.Rand, empties int) (b board.Board) {
	squares := random.Perm(64)
	if random.IntN(2) == 0 { // adjacent squares, of which some have no neighbour
		squares = []int{squares[0]}
		for _, step := range []int{1, 8, 9, 2, 16, 10} {
			squares = append(squares, squares[0]^step)
		}
	}
	empty := uint64(0)
	for _, x := range squares[:empties] {
		empty |= board.Square(x).Bit()
	}
	own := random.Uint64()
	switch random.IntN(6) {
	case 0:
		own &= random.Uint64() & random.Uint64()
	case 1:
		own |= random.Uint64() | random.Uint64()
	case 2:
		own = random.Uint64() & random.Uint64() & random.Uint64() & random.Uint64() & random.Uint64()
	case 3:
		own = ^(random.Uint64() & random.Uint64() & random.Uint64() & random.Uint64() & random.Uint64())
	}
	own &^= empty
	return board.Board{Own: own, Opp: ^own &^ empty}
}
