// Package reversi plays Reversi: players of every strength, games and matches between
// them. It looks ahead by package search, with patterns or hand-set rules at the leaves,
// and solves the end of a game exactly.
//
// What it stands on can be used alone: package board has the rules, movegen finds moves
// in several ways and counts positions, eval values positions, endgame solves them,
// train learns weights, book keeps openings, and protocol lets other programs play.
//
// Nothing here is global: players keep their tables to themselves, take a seed for what
// is random, and stop when their context does.
package reversi
