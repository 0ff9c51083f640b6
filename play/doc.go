// Package play provides players of every kind, single games between two of them, and matches of
// many games.
//
// # Players
//
// A [Player] is a strategy for choosing moves. [ParsePlayer] parses the names used on the
// command line: "brain", "greedy:linear", "random". A player holds no state of a game and may
// be shared; for each goroutine it takes an [Instance], which answers one [Turn] after another. A
// player of your own is such a value and can play against all others. [Kinds] lists all kinds of players: brains, nets, square values, search, [Perfect] play by the exact
// solution, and levels, which err like a person. [NewEvaluator] returns the values of positions
// and moves by a player that has them.
//
// # Games and matches
//
// [Game] plays one game on the shared dice and calls an observer after every turn. [Match]
// plays games in pairs on many goroutines: both games of a pair have the same dice, and the
// players change sides. [Score] counts the results, and its [rating.Pairs] estimate the strength of
// the players; a [rating.SPRT] ends a match as soon as the stronger player is established. More
// than two players play a tournament. A log resumes after an interruption.
//
// [Regret] measures the regret of a player's decisions, and a match may measure its [Luck]. Package
// record reads and writes games, and package analysis grades them.
//
// Dice and random players are pure functions of the seed and the numbers of game and turn, so
// the result of a match or a tournament is the same on any number of goroutines and on any
// machine.
package play
