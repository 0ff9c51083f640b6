package board

// Array8 is the 33-number board in bytes: half the memory of [Array16], at the
// price of widening every entry before it can be multiplied by a 16-bit weight.
type Array8 = Array[uint8]
