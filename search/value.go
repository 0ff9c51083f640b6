package search

import "github.com/seed-09dcdc84/ur/internal/mix"

// Value is a position's value for the side to move, from -MaxValue to MaxValue.
type Value = int64

const (
	// MaxValue bounds a game's values. It leaves a chance node room to add values times
	// their weights, and a table entry room for the rest.
	MaxValue Value = 1 << 46

	// infinity is beyond every value: the window (-infinity, infinity) holds all.
	infinity = MaxValue + 1

	// MaxDepth is the deepest search, in plies.
	MaxDepth = 64

	// MaxMoves is the maximum number of moves in a position: moves are numbered in a byte, and
	// one number means none.
	MaxMoves = 255

	// NoMove is the ID that no move has.
	NoMove = 255

	// maxPly is how far from the root a search can get: extensions double the depth at
	// most, and quiescence adds up to MaxDepth plies.
	maxPly = 3*MaxDepth + 1
)

// Key names a position for tables. Index selects the entry; Check is compared with the entry's
// check, upper 52 bits only. The two must be independent of each other, or Check alone must
// distinguish any two positions. Positions with the same key must have the same value.
type Key struct{ Index, Check uint64 }

// Xor combines k with a Zobrist key.
func (k Key) Xor(other Key) Key { return Key{k.Index ^ other.Index, k.Check ^ other.Check} }

// Roll returns a position's key after a roll, for books.
func (k Key) Roll(roll int) Key {
	z := mix.Mix(uint64(roll) + 1)
	return k.Xor(Key{z, mix.Mix(z)})
}

// KeyOf returns the key for a whole position that fits into 52 bits. No two such positions share
// a key, so an entry is never mistaken for another position's.
func KeyOf(position uint64) Key { return Key{mix.Mix(position), position << metaBits} }

// Zobrist fills keys with random numbers derived from a seed: one for each feature of a
// position, whose key is the [Key.Xor] of its features' keys (Zobrist, "A new hashing method
// with application for game playing", 1970). A move exchanges only the keys it changes.
func Zobrist(keys []Key, seed uint64) {
	const gamma = 0x9e3779b97f4a7c15
	for i := range keys {
		seed += gamma
		keys[i].Index = mix.Mix(seed)
		seed += gamma
		keys[i].Check = mix.Mix(seed)
	}
}
