// Package solve holds the exact solution of the Royal Game of Ur: the probability, for every
// position, that the player to move wins when both sides play perfectly.
//
// A position is seen from the player to move, by the pieces each side still has to bring home
// and the squares they stand on; the number of pieces already home makes no difference. The
// positions with a pieces left to the player to move and b to the opponent form the layer (a, b).
// Scores never fall, so a layer needs only itself and the layers (a-1, b) and (a, b-1), and the
// solution of a game of seven pieces contains that of every smaller game.
//
//   - [Index.Rank] numbers the positions 0, 1, 2, ... without a gap, so a table of the game is a
//     plain array;
//   - [Solve] fills such an array by value iteration, layer after layer, and
//     [Table.Certify] measures the remaining error in a separate pass;
//   - a [Table] returns the value of a position, from memory or from a file;
//   - [Table.BestMove] and [Table.Regret] judge moves by it.
package solve
