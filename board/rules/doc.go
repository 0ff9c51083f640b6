// Package rules describes games of the Ur family as data: a rule set is a value, and the moves,
// notation, text form and dice of its games follow from it.
//
// # Rule sets
//
// A [Definition] lists the tiles of each side's path, the rosettes, the number of pieces, the
// weight of each roll and the three rules that vary: whether a rosette protects a piece, whether
// it grants another roll, and whether a capture does. [New] checks a definition and returns
// [Rules], which never change. [Lookup] returns a built-in rule set by name (finkel, blitz,
// masters, masters4 or aseb), [Parse] reads a definition in JSON, and [Find] accepts a name
// or a file, as the flag --rules of the commands does.
//
// # Positions
//
// A [Position] has the pieces of each side on the squares of that side's own path: square 0 is
// the start (pieces in hand), 1 to [Rules.Squares] are tiles, and [Rules.Finish] is the finish
// (pieces home). Both sides walk paths of the same structure, so a position seen by one side is
// the mirror image of the same position seen by the other; see [Position.Mirror]. A tile on both
// paths may have different square numbers, and captures happen on tiles: [Rules.Across] converts
// a square of one path to the square of the other path on the same tile.
//
// Moves are [board.Move] values and sides [board.Side], as in package board. On the rule set
// finkel this package agrees with package board on every position, move, text and roll; other
// packages use board for Finkel's rules because it is faster.
package rules
