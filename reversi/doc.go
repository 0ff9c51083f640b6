// Package reversi plays Reversi: players of every strength, games and matches between them.
//
// Each part can be used alone. Package board has the rules, movegen generates moves and counts
// positions, eval values positions, and engine searches and solves them.
//
// There is no global state: players have separate tables, take a seed for random choices, and
// stop when their context ends.
package reversi
