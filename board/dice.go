package board

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/internal/mix"
)

// The dice shared by all engines. All arithmetic is modulo 2^64. The mixing function is the
// finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014), the step its golden gamma. Engines that throw the dice of many
// games at once use the same constants.
const (
	Gamma      uint64 = 0x9e3779b97f4a7c15
	MixFactor1 uint64 = mix.Factor1
	MixFactor2 uint64 = mix.Factor2

	// RollsPerWord is how many rolls one dice word holds: one in each nibble.
	RollsPerWord = 16
)

// Mix is SplitMix64's finalizer, a bijection of 64-bit words.
func Mix(z uint64) uint64 { return mix.Mix(z) }

// GameKey returns the key that determines all rolls of a game of a seed.
func GameKey(seed, game uint64) uint64 { return Mix(seed + Gamma*(game+1)) }

// DiceWord returns word number k of the game with the given key: rolls 16k to
// 16k+15, each the number of ones in a nibble, lowest nibble first.
func DiceWord(key, k uint64) uint64 { return Mix(key + Gamma*(k+1)) }

// Roll returns roll number turn, 0, 1, 2, ..., of a game of a seed. It is the definition;
// [Dice] computes the same rolls step by step.
func Roll(seed, game, turn uint64) int {
	word := DiceWord(GameKey(seed, game), turn/RollsPerWord)
	return bits.OnesCount64(word >> (turn % RollsPerWord * 4) & 0xf)
}

// Dice throws the rolls of one game in order. The zero Dice is not ready; use
// [NewDice].
type Dice struct {
	next uint64 // key + Gamma*(k+1) for the next word k
	word uint64 // rolls not thrown yet, lowest nibble first
	left int    // how many of them
}

// NewDice returns the dice of game number game of a seed, before its first roll.
func NewDice(seed, game uint64) Dice {
	return Dice{next: GameKey(seed, game) + Gamma}
}

// nibbleOnes packs the number of ones of every nibble value, four bits each.
const nibbleOnes = 0x4332_3221_3221_2110

// Roll throws the next roll, 0..4.
func (d *Dice) Roll() int {
	if d.left == 0 {
		d.word = Mix(d.next)
		d.next += Gamma
		d.left = RollsPerWord
	}
	roll := uint64(nibbleOnes) >> (d.word & 0xf * 4) & 0xf
	d.word >>= 4
	d.left--
	return int(roll)
}
