package tictactoe

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/search"
)

// HashedPosition is a position with its Zobrist key, which a move changes by one number for the
// square and one for the side.
type HashedPosition struct {
	Position
	key search.Key
}

// zobrist has a number for each square of the first and of the second player, and one for the side
// to move.
var zobrist = func() (keys [19]search.Key) {
	search.Zobrist(keys[:], 1)
	return keys
}()

// Hash returns a position with its key.
func Hash(p Position) (h HashedPosition) {
	h.Position = p
	first, second := p.Own, p.Opp
	if bits.OnesCount16(p.Own) != bits.OnesCount16(p.Opp) {
		first, second = second, first
		h.key = zobrist[18]
	}
	for square := range 9 {
		if first>>square&1 != 0 {
			h.key = h.key.Xor(zobrist[square])
		}
		if second>>square&1 != 0 {
			h.key = h.key.Xor(zobrist[9+square])
		}
	}
	return h
}

// after returns the position after the side to move takes a square.
func (h *HashedPosition) after(square int) HashedPosition {
	if bits.OnesCount16(h.Own) != bits.OnesCount16(h.Opp) {
		return HashedPosition{h.Position.After(square), h.key.Xor(zobrist[9+square]).Xor(zobrist[18])}
	}
	return HashedPosition{h.Position.After(square), h.key.Xor(zobrist[square]).Xor(zobrist[18])}
}

// ZobristGame is [Game] with Zobrist keys, for boards too large to pack. On this one they cost more
// than the packed position: the key is copied with every move.
type ZobristGame struct{}

// Key is the position's key.
func (ZobristGame) Key(p *HashedPosition) search.Key { return p.key }

// Moves adds a move for every empty square.
func (ZobristGame) Moves(p *HashedPosition, list *search.List[HashedPosition]) (result search.Value) {
	if value, over := p.Over(); over {
		return value
	}
	for empty := full &^ (p.Own | p.Opp); empty != 0; empty &= empty - 1 {
		square := bits.TrailingZeros16(empty)
		m := list.Add()
		m.ID = uint8(square)
		m.Next = p.after(square)
		m.Key = m.Next.key
		m.Order = p.orderMove(square)
	}
	return 0
}

// Value is 0 for unfinished games.
func (ZobristGame) Value(p *HashedPosition) search.Value { return Game{}.Value(&p.Position) }
