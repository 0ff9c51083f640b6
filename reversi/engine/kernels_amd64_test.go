//go:build !purego

package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	testkit.CheckKernels(t, []solving{{"last/avx2", lastNeeds}, {"last/avx512", lastNeeds512}}, map[string]string{
		"last/avx2":   `engine\.(lastFew|listMoves)AVX2`,
		"last/avx512": `engine\.(lastFew|listMoves)AVX512`,
	}, ".")
}

// eachTier tests the kernels that can run here, one after the other.
func eachTier(t *testing.T, test func(t *testing.T)) {
	testkit.SkipIf(t, !lastKernel, "this CPU cannot run the kernel")
	can := lastKernel512
	defer func() { lastKernel512 = can }()
	tiers := []bool{false}
	if can {
		tiers = append(tiers, true)
	}
	for _, lastKernel512 = range tiers {
		t.Run(fmt.Sprintf("avx512=%v", lastKernel512), test)
	}
}

// The kernels list what plain Go lists, find the first in order, and fetch the buckets of the children.
func TestListKernelEqualsPlain(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(64, 10))
		kernel, plain := searcher{table: newTable(10)}, searcher{without: kernels, generator: movegen.Fastest()}
		for i := range 4000 {
			b, ok := ending(random, 1+i%50)
			if i%100 == 99 { // a move turns everything over
				b, ok = board.Board{Own: 1 << (i / 100), Opp: 2 << (i / 100)}, i/100&7 < 6
			}
			if !ok || b.Moves() == 0 {
				continue
			}
			o := ordering{random.Uint64(), random.IntN(9), []int{0, 4, orderMobility}[i%3], i%2 == 0}
			var here, there frame
			list, _, over := plain.expand(&there, b.Own, b.Opp, b.Moves(), o)
			wiped, first, sum := kernel.listMoves(&here, b.Own, b.Opp, b.Moves(), o)
			want := uint64(0)
			for _, x := range board.Squares(b.Moves()) {
				next := b.Play(x, b.Flips(x))
				want += kernel.table.number(next.Own, next.Opp)
			}
			if !o.ahead {
				want = 0
			}
			same, place := here.moves[:len(list)], 0
			for j := range list {
				if list[j].order > list[place].order {
					place = j
				}
			}
			testkit.FatalIf(t, (wiped != 0) != over || int(first) != place || !slices.Equal(list, same) || sum != want,
				"%v: listed %v, first %d, %v, sum %d, want %v, %d, %v, %d", b, same, first, wiped, sum, list, place,
				over, want)
		}
	})
}

// The kernels return the scores and nodes of plain Go, on any board.
func TestLastKernelEqualsPlain(t *testing.T) { eachTier(t, testLastKernel) }

func testLastKernel(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 64))
	for i := range testkit.Trials(50000, 200000) {
		empties := lastSquares + i%(byParity-lastSquares+1)
		b := lastBoard(random, empties)
		alpha := random.IntN(131) - 66
		if random.IntN(4) > 0 {
			alpha = random.IntN(41) - 20 + board.Board.Score(b)
		}
		var kernel, plain searcher
		got := kernel.few(b.Own, b.Opp, alpha, empties)
		want := plain.fewPlain(b.Own, b.Opp, alpha, empties)
		testkit.FatalIf(t, got != want || kernel.nodes != plain.nodes,
			"%v, alpha %d: score %d and %d nodes, want %d and %d", b, alpha, got, kernel.nodes, want, plain.nodes)
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
