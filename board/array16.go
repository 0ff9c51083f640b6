package board

// Array16 is the 33-number board in 16-bit entries, 66 bytes: the layout in which getValue is
// defined. Sixteen bits is the most common multiplier width of AVX2 and AVX-512 (VPMADDWD), so
// a vector kernel reads the board without conversion.
type Array16 = Array[int16]
