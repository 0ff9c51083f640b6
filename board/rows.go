package board

// Rows holds each player's path as a separate row, unrolled from start to finish: Row[side][s]
// counts side's pieces on square s, 0..15. Both players look alike and the turn is
// separate from the squares, which suits a value network.
type Rows struct {
	Row  [2][Finish + 1]uint8
	Turn Side
}

// Set makes the board hold p.
func (b *Rows) Set(p Position) {
	for _, side := range [2]Side{Light, Dark} {
		for square := range b.Row[side] {
			b.Row[side][square] = uint8(finkel.Count(p, side, square))
		}
	}
	b.Turn = p.turn
}

// Position converts back. The board must be legal.
func (b *Rows) Position() Position {
	var x [Numbers]int
	for side, row := range b.Row {
		for square, n := range row {
			x[Side(side).Number(square)] = int(n)
		}
	}
	x[TurnNumber] = int(b.Turn)
	return fromCounts(&x)
}

// Futures fills f; see [Layout]. The mover's row is read twice, roll squares apart; the opponent's
// only on the destination.
func (b *Rows) Futures(f *Futures[Rows], roll int) {
	f.clearMoves()
	me, you := b.Turn&1, b.Turn&1^1
	mine, theirs := &b.Row[me], &b.Row[you]

	for from := 0; roll != 0 && from+roll <= Finish; from++ {
		if mine[from] == 0 {
			continue
		}
		to := from + roll
		if to != Finish && mine[to] != 0 {
			continue
		}
		capture := sharedSet>>to&1 != 0 && theirs[to] != 0
		if capture && to == SafeSquare {
			continue
		}
		next := f.addMove(from, to, capture)
		*next = *b
		next.Row[me][from]--
		next.Row[me][to]++
		if capture {
			next.Row[you][to] = 0
			next.Row[you][Start]++
		}
		if rosetteSet>>to&1 == 0 {
			next.Turn = you
		}
	}
	if f.N == 0 {
		next := f.addPass()
		*next = *b
		next.Turn = you
	}
}
