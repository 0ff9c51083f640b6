package board

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/internal/mix"
)

// The dice shared by all engines. All arithmetic is modulo 2^64. The mixing function is the
// finalizer in SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014), the step its golden gamma. Engines that throw the dice for many
// games at once use the same constants.
const (
	Gamma      uint64 = 0x9e3779b97f4a7c15
	MixFactor1 uint64 = mix.Factor1
	MixFactor2 uint64 = mix.Factor2

	// RollsPerWord is how many rolls one dice word holds: one in each nibble.
	RollsPerWord = 16
)

// Mix is SplitMix64's finalizer, a bijection on 64-bit words.
func Mix(z uint64) uint64 { return mix.Mix(z) }

// GameKey returns the key to all rolls in a seed's game.
func GameKey(seed, game uint64) uint64 { return Mix(seed + Gamma*(game+1)) }

// DiceWord returns word number k in the game with the given key. Under Finkel's rules it holds
// rolls 16k to 16k+15, each the number of ones in a nibble, lowest nibble first.
func DiceWord(key, k uint64) uint64 { return Mix(key + Gamma*(k+1)) }

// A roll comes from the dice words, so rule sets with Finkel's dice have its rolls.
//
// The weights are divided by their greatest common divisor. When their sum divides 16, each
// nibble is a roll: the 16 nibbles are sorted by how many ones they have, then by value, and the
// rolls are assigned to them in ascending order, each to its share. For four two-sided dice this
// is the number of ones. For any other sum the whole word t is a roll: word*sum/2^64 selects it
// among the weights laid end to end. A probability's error is below 2^-43.
type throws struct {
	weights [MaxRoll + 1]int // lowest terms
	sum     int
	nibbles uint64 // the rolls of the nibbles, 4 bits each; not used when whole
	whole   bool   // a roll takes a whole word
}

func newThrows(weights []int) throws {
	var t throws
	divisor := 0
	for _, w := range weights {
		for divisor, w = w, divisor; w != 0; {
			divisor, w = w, divisor%w
		}
	}
	for roll, w := range weights {
		t.weights[roll] = w / divisor
		t.sum += w / divisor
	}
	if t.whole = t.sum > 16 || 16%t.sum != 0; t.whole {
		return t
	}
	place := 0
	for ones := range 5 {
		for nibble := range uint(16) {
			if bits.OnesCount(nibble) == ones {
				t.nibbles |= uint64(t.at(place*t.sum/16)) << (4 * nibble)
				place++
			}
		}
	}
	return t
}

// at returns the roll at a place 0 to sum-1 among the weights laid end to end.
func (t *throws) at(place int) int {
	roll := 0
	for place >= t.weights[roll] {
		place -= t.weights[roll]
		roll++
	}
	return roll
}

// MaxRoll returns the longest possible roll.
func (r *Rules) MaxRoll() int { return len(r.def.Dice) - 1 }

// Weight returns a roll's weight in lowest terms; its probability is Weight/WeightSum.
func (r *Rules) Weight(roll int) int {
	if roll < 0 || roll > MaxRoll {
		return 0
	}
	return r.dice.weights[roll]
}

// WeightSum returns the sum over all rolls' weights.
func (r *Rules) WeightSum() int { return r.dice.sum }

// Probability returns a roll's probability.
func (r *Rules) Probability(roll int) float64 { return float64(r.Weight(roll)) / float64(r.dice.sum) }

// Roll returns roll number turn, from 0, in a seed's game. [Dice] throws the same rolls in order.
func (r *Rules) Roll(seed, game, turn uint64) int {
	d := r.Dice(seed, game)
	if d.throws.whole {
		d.next += Gamma * turn
		return d.Roll()
	}
	d.next += Gamma * (turn / RollsPerWord)
	for range turn % RollsPerWord {
		d.Roll()
	}
	return d.Roll()
}

// Dice throws one game's rolls in order; see [Rules.Dice].
type Dice struct {
	throws *throws
	next   uint64 // the argument of Mix for the next word
	word   uint64 // rolls not thrown yet, lowest nibble first
	left   int    // how many of them
}

// Dice returns the dice for game number game of a seed, before the first roll.
func (r *Rules) Dice(seed, game uint64) Dice {
	return Dice{throws: &r.dice, next: GameKey(seed, game) + Gamma}
}

// Roll throws the next roll.
func (d *Dice) Roll() int {
	if d.throws.whole {
		place, _ := bits.Mul64(Mix(d.next), uint64(d.throws.sum))
		d.next += Gamma
		return d.throws.at(int(place))
	}
	if d.left == 0 {
		d.word = Mix(d.next)
		d.next += Gamma
		d.left = RollsPerWord
	}
	roll := int(d.throws.nibbles >> (d.word & 0xf * 4) & 0xf)
	d.word >>= 4
	d.left--
	return roll
}
