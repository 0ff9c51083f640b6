// Package ur is a performance lab for the Royal Game of Ur: one position value,
// computed in as many ways as anyone cares to write, all giving the same bits.
//
// # The value
//
// A [Brain] is a lower triangular 33 x 33 matrix B of 16-bit integers. With x the
// 33-number board of package board,
//
//	V(x) = sum over i >= j of B[i][j] * x[i] * x[j]
//
// is what a position is worth to Light. Light moves to the future of highest V,
// Dark to that of lowest; on a tie to the first in the order of the moving piece's
// square. A game takes about 500 values, and learning a brain takes millions of
// games, so this one computation decides how much can be learned.
//
// # Engines
//
// An [Engine] is one way to hold a game and to choose moves by a brain: a board
// representation, its move generator and its evaluator. All stand behind one interface
// and are named board/eval, as in "array16/scalar", the oracle. An engine binds a pair
// of brains into a [Game], which answers at the three levels that are measured: values
// of many positions, one turn, and whole games on the shared dice.
//
// This package holds the engines that differ in how a board is evaluated, and
// [TurnByTurn], which makes one of any evaluator. Package engine lists these and the
// ones that play in ways of their own, finds them by name, knows which is fastest here,
// and compares each with the oracle bit for bit.
//
// # CPU features
//
// Scalar and vector engines live side by side in one binary. [Available] tells
// whether this CPU has exactly the instructions an engine uses. The environment
// variable UR_DISABLE=avx512,avx2 masks tiers of features, UR_REQUIRE=avx512 makes
// tests fail where a tier is missing, and the build tag purego leaves assembly
// out.
package ur
