//go:build !purego

package engine

import (
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
	testkit.CheckKernels(t, []solving{{"last/avx2", lastNeeds}, {"last/avx512", lastNeeds512}, {"moves/popcnt", listNeeds}}, map[string]string{
		"last/avx2":    `engine\.lastFewAVX2`,
		"last/avx512":  `engine\.lastFewAVX512`,
		"moves/popcnt": `engine\.listMoves`,
	}, ".")
}

// The kernel lists what plain Go lists, and fetches the buckets of the children.
func TestListKernelEqualsPlain(t *testing.T) {
	if !lists {
		t.Skip("this CPU cannot run the kernel")
	}
	random := rand.New(rand.NewPCG(64, 10))
	s := searcher{table: newTable(10), generator: movegen.Fastest()}
	for i := range 2000 {
		b, ok := ending(random, 1+i%50)
		if i%100 == 99 { // a move turns everything over
			b, ok = board.Board{Own: 1 << (i / 100), Opp: 2 << (i / 100)}, i/100&7 < 6
		}
		if !ok || b.Moves() == 0 {
			continue
		}
		o := ordering{random.Uint64(), random.IntN(9), []int{0, 4, orderMobility}[i%3], i%2 == 0}
		var kernel, plain frame
		list, _ := s.expand(&kernel, b.Own, b.Opp, b.Moves(), o)
		wiped, sum := s.listMoves(&kernel, b.Own, b.Opp, b.Moves(), o)
		want := uint64(0)
		for _, x := range board.Squares(b.Moves()) {
			next := b.Play(x, b.Flips(x))
			want += s.table.number(next.Own, next.Opp)
		}
		if !o.ahead {
			want = 0
		}
		same := plain.moves[:len(list)]
		if listPlain(same, &kernel.children, b.Own, b.Opp, b.Moves(), o) != wiped || !slices.Equal(list, same) || sum != want {
			t.Fatalf("%v: listed %v, %v, sum %d, want %v, sum %d", b, list, wiped, sum, same, want)
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
