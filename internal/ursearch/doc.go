// Package ursearch searches the Royal Game of Ur through its dice: the game as [search.DiceGame],
// its leaves, its opening books and the curve from scores to probabilities.
//
// A ply is a roll and a move; a pass is a ply, and a rosette gives the same side the next one.
// Leaves are valued by a brain, whose score a fitted curve turns into a probability, by the
// exact solution, or by any function. Values are probabilities as integers, so every algorithm
// of package search returns the same bits.
package ursearch
