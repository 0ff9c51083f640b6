// Package reversi plays Reversi: players of every strength, games and matches between them.
// Players search with package search, with patterns or hand-set rules at the leaves, and solve
// the end of a game exactly.
//
// Its parts can be used alone: package board has the rules, movegen finds moves in several ways
// and counts positions, eval values positions, endgame solves them, train learns weights, book
// keeps openings, and protocol lets other programs play.
//
// There is no global state: players have separate tables, take a seed for random choices, and
// stop when their context ends.
package reversi
