// Package play seats players at the board: players of every kind, one game between
// two of them, and matches of many games.
//
// # Players
//
// A [Player] is a way to choose moves. [ParsePlayer] reads the names by which the
// command line knows them: "brain", "greedy", "first", "random". A player holds no
// state of a game and may be shared; for each goroutine it takes a [Seat], which
// answers one [Turn] after another. Whoever writes a player of their own implements
// these two interfaces and can play it against all others.
//
// # Games and matches
//
// [Game] plays one game on the shared dice, and tells an observer of every turn.
// [Match] plays games 0, 1, 2, ... of a seed on many goroutines, the players
// changing sides from game to game. Dice and random players are pure functions of
// the seed and the numbers of game and turn, so the result of a match is the same
// on any number of goroutines and on any machine.
package play
