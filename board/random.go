package board

import "math/rand/v2"

// RandomPosition returns a legal unfinished position with the given number of pieces a side,
// 1..MaxPieces. Every piece is put on a random free square, so crowded, blocked and nearly
// finished positions are far more frequent than in play. It is meant for tests.
func RandomPosition(rng *rand.Rand, pieces int) Position {
	for {
		p := Position{pieces: uint8(pieces), turn: Side(rng.IntN(2))}
		for piece := range 2 * pieces {
			p.place(rng, Side(piece%2))
		}
		if _, over := p.Winner(); !over {
			return p
		}
	}
}

// place moves one piece of side from its hand to a random free square, or leaves
// it there.
func (p *Position) place(rng *rand.Rand, side Side) {
	square := rng.IntN(Finish + 1)
	held := p.squares[side]
	if IsShared(square) {
		held |= p.squares[side.Other()]
	}
	switch {
	case square == Finish:
		p.home[side]++
	case square != Start && held>>square&1 == 0:
		p.squares[side] |= 1 << square
	}
}
