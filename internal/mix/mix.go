// Package mix has the mixing function of all random numbers and hash keys.
package mix

// The factors of [Mix], for assembly.
const (
	Factor1 uint64 = 0xbf58476d1ce4e5b9
	Factor2 uint64 = 0x94d049bb133111eb
)

// Mix is a bijection of 64-bit words whose result has no visible pattern: the finalizer of
// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
// OOPSLA 2014).
func Mix(z uint64) uint64 {
	z ^= z >> 30
	z *= Factor1
	z ^= z >> 27
	z *= Factor2
	z ^= z >> 31
	return z
}
