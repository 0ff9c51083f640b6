package board

// Array16 is the 33-number board in 16-bit entries, 66 bytes: the layout in which
// getValue is defined. Sixteen bits is the width of the multipliers that AVX2 and
// AVX-512 have most of (VPMADDWD), so a vector kernel reads it as it stands.
type Array16 = Array[int16]
