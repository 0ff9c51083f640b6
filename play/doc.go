// Package play seats players at the board: players of every kind, one game between
// two of them, and matches of many games.
//
// # Players
//
// A [Player] is a way to choose moves. [ParsePlayer] reads the names by which the
// command line knows them: "brain", "greedy:linear", "random". A player holds no
// state of a game and may be shared; for each goroutine it takes a [Seat], which
// answers one [Turn] after another. Whoever writes a player of their own implements
// these two interfaces and can play it against all others. [Kinds] lists all kinds of
// players: brains, nets, square values, search, [Perfect] play by the exact solution,
// and [Level], which errs like a person.
//
// # Games and matches
//
// [Game] plays one game on the shared dice, and tells an observer of every turn.
// [Match] plays games in pairs on many goroutines: both games of a pair have the same
// dice, and the players change sides. [Score] counts what came of them, and
// [Score.Estimate] says what that tells about the players' strength, with confidence
// intervals from the pairs; a [rating.SPRT] ends a match as soon as it is plain who is the
// stronger one. [Tournament] lets many players meet, rates them, and keeps a log from
// which it goes on after an interruption.
//
// [Regret] measures what a player gives away in its decisions, and a match may measure its
// [Luck]. Games are recorded by a [Recorder], in the forms of package record, and package
// analysis says where they were won and lost.
//
// Dice and random players are pure functions of the seed and the numbers of game and
// turn, so the result of a match or a tournament is the same on any number of
// goroutines and on any machine.
package play
