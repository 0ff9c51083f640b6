package board

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Every layout runs the same tests. A new one is one line in each list below.

func TestLayoutsAgreeWithTheOracle(t *testing.T) {
	t.Run("board=array16", testLayout[Array16])
	t.Run("board=array8", testLayout[Array8])
	t.Run("board=rows", testLayout[Rows])
	t.Run("board=bits", testLayout[Bits])
}

func BenchmarkFutures(b *testing.B) {
	for _, list := range []string{"one", "new"} {
		isNew := list == "new"
		b.Run("board=array16/list="+list, func(b *testing.B) { benchmarkFutures[Array16](b, isNew) })
		b.Run("board=array8/list="+list, func(b *testing.B) { benchmarkFutures[Array8](b, isNew) })
		b.Run("board=rows/list="+list, func(b *testing.B) { benchmarkFutures[Rows](b, isNew) })
		b.Run("board=bits/list="+list, func(b *testing.B) { benchmarkFutures[Bits](b, isNew) })
		b.Run("board=position/list="+list, func(b *testing.B) { benchmarkPosition(b, isNew) })
	}
}

func testLayout[B any, L Layout[B]](t *testing.T) {
	var f Futures[B] // one for all draws: what an earlier roll left must not show
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t)
		roll := rapid.IntRange(0, FinkelRoll).Draw(t, "roll")
		checkFutures[B, L](t, &f, p, roll)
	})
	t.Run("lockstep", testLockstep[B, L])
}

// testLockstep plays games on the layout's own boards, never converting back to
// carry on, beside the plain rules with the same dice and choices.
func testLockstep[B any, L Layout[B]](t *testing.T) {
	var f Futures[B]
	for game := range uint64(70) {
		dice := finkel.Dice(7, game)
		p := StartPosition(1 + int(game%FinkelPieces))
		var b B
		L(&b).Set(p)
		for turn := 0; ; turn++ {
			if _, over := p.Winner(); over {
				break
			}
			roll := dice.Roll()
			checkFutures[B, L](t, &f, p, roll)
			L(&b).Futures(&f, roll)
			i := turn % f.N
			b, p = f.Boards[i], finkel.Futures(nil, p, roll)[i]
			if got := L(&b).Position(); got != p {
				t.Fatalf("game %d, turn %d: layout is at %s, the oracle at %s", game, turn, finkelText(got),
					finkelText(p))
			}
		}
	}
}

func checkFutures[B any, L Layout[B]](t interface{ Fatalf(string, ...any) }, f *Futures[B], p Position, roll int) {
	var b B
	L(&b).Set(p)
	if got := L(&b).Position(); got != p {
		t.Fatalf("%s converts back as %s", finkelText(p), finkelText(got))
	}
	L(&b).Futures(f, roll)

	moves := finkel.Moves(nil, p, roll)
	if f.Pass != (len(moves) == 0) || !f.Pass && !slices.Equal(f.Moves[:f.N], moves) {
		t.Fatalf("%s, roll %d: pass %v, moves %v, want %v", finkelText(p), roll, f.Pass, f.Moves[:f.N], moves)
	}
	want := finkel.Futures(nil, p, roll)
	if f.N != len(want) {
		t.Fatalf("%s, roll %d: %d futures, want %d", finkelText(p), roll, f.N, len(want))
	}
	for i := range want {
		if got := L(&f.Boards[i]).Position(); got != want[i] {
			t.Fatalf("%s, roll %d: future %d is %s, want %s", finkelText(p), roll, i, finkelText(got),
				finkelText(want[i]))
		}
	}
}

// benchmarkFutures generates the futures of positions and rolls from real games, into one list or into
// a new one for each turn.
func benchmarkFutures[B any, L Layout[B]](b *testing.B, isNew bool) {
	positions, rolls := samplePositions()
	boards := make([]B, len(positions))
	for i, p := range positions {
		L(&boards[i]).Set(p)
	}
	f := new(Futures[B])
	turns := 0
	for b.Loop() {
		i := turns % len(boards)
		if isNew {
			f = new(Futures[B])
		}
		L(&boards[i]).Futures(f, rolls[i])
		turns++
	}
	reportTurns(b, turns)
}

// benchmarkPosition does so with the oracle.
func benchmarkPosition(b *testing.B, isNew bool) {
	positions, rolls := samplePositions()
	list := make([]Position, 0, MaxMoves)
	turns := 0
	for b.Loop() {
		i := turns % len(positions)
		if isNew {
			list = nil
		}
		list = finkel.Futures(list[:0], positions[i], rolls[i])
		turns++
	}
	reportTurns(b, turns)
}

func samplePositions() (positions []Position, rolls []int) {
	p, game := finkel.Start(), uint64(0)
	dice := finkel.Dice(1, game)
	for i := range 1024 {
		if _, over := p.Winner(); over {
			game++
			p, dice = finkel.Start(), finkel.Dice(1, game)
		}
		positions, rolls = append(positions, p), append(rolls, dice.Roll())
		futures := finkel.Futures(nil, p, rolls[i])
		p = futures[i%len(futures)]
	}
	return positions, rolls
}

func reportTurns(b *testing.B, turns int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(turns), "ns/turn")
	b.ReportMetric(0, "ns/op")
}
