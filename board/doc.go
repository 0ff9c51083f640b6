// Package board describes games in the Ur family as data: a rule set is a value, and the moves,
// notation, text form and dice for its games follow from it. It also has the engines' board
// representations, which play Irving Finkel's rules.
//
// # Rule sets
//
// A [Definition] lists the tiles on each side's path, the rosettes, the number of pieces, each
// roll's weight and the three rules that vary: whether a rosette protects a piece, whether
// it grants another roll, and whether a capture does. [New] checks a definition and returns
// [Rules], which never change. [Lookup] returns a built-in rule set by name (finkel, blitz,
// masters, masters4 or aseb), [Parse] reads a definition in JSON, and [Find] accepts a name
// or a file, as the commands' flag --rules does.
//
// # Positions
//
// A [Position] has each side's pieces on the squares of that side's own path: square 0 is
// the start (pieces in hand), 1 to [Rules.Squares] are tiles, and [Rules.Finish] is the finish
// (pieces home). Both sides walk paths with the same structure, so a position seen by one side is
// the mirror image of the same position seen by the other; see [Position.Mirror]. A tile on both
// paths may have different square numbers, and captures happen on tiles: [Rules.Across] converts
// a square on one path to the square on the other path with the same tile.
//
// # One truth
//
// [Rules.Moves] and [Rules.Apply] are the oracle: they are written to be compared with the rules
// line by line, not for speed. The representations [Array16], [Array8], [Rows] and [Bits] each
// hold a position under Finkel's rules in another layout with its own move generator, and must agree
// with the oracle on every position and roll. Their generators all fill a [Futures] in the
// caller's memory, so generating moves never allocates.
//
// # Dice
//
// [Rules.Dice] is the one source of rolls: roll t in game g of seed s is a pure function of
// those three numbers and the weights, so a game can be replayed anywhere.
package board
