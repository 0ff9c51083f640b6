// Package ur is a performance lab for the Royal Game of Ur: one position evaluator, implemented
// many times over, all implementations bit-for-bit identical.
//
// # The value
//
// A [Brain] is a lower triangular 33 x 33 matrix B with 16-bit integers. With x the 33-number
// board from package board,
//
//	V(x) = sum over i >= j of B[i][j] * x[i] * x[j]
//
// is a position's value to Light. Light moves to the future with the highest V, Dark to the one
// with the lowest; ties go to the first future, ordered by the moving piece's square. A game
// takes about 500 values and learning a brain takes millions of games, so this one computation
// limits how much can be learned.
//
// # Engines
//
// An [Engine] is one way to hold a game and to choose moves by a brain: a board representation,
// its move generator and its evaluator. All engines share one interface and are named
// board/eval, for example "array16/scalar", the oracle. An engine binds a pair of brains into a
// [Game], which answers at the three measured levels: values for many positions, one turn, and
// whole games on the shared dice.
//
// This package holds getValue on array boards, from the definition to vectors, and [TurnByTurn],
// which turns any evaluator into an engine. Package engine lists these and all others, finds
// them by name, picks the fastest one for this CPU, and compares each with the oracle bit for
// bit.
//
// # CPU features
//
// Scalar and vector engines live side by side in one binary. [Available] reports whether this
// CPU has all instructions for an engine. The environment variable UR_DISABLE=avx512,avx2 masks
// feature tiers, UR_REQUIRE=avx512 makes tests fail where a tier is missing, and the build
// tag purego leaves assembly out.
package ur
