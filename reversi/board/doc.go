// Package board implements the rules of Reversi: squares, boards, moves, flips, positions,
// records of games, and their texts.
//
// The oracle is [Array]: 64 squares in an array, walked in eight directions. It is written to
// be compared with the rules. [Board] holds the same in two words of 64 bits, with [Moves] and
// [Flips] as fast as possible in plain Go; package movegen lists other ways to compute both,
// and compares them.
//
// Square a1 is bit 0, h1 bit 7, a2 bit 8, h8 bit 63. Black, written X, moves first.
package board
