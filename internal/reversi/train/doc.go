// Package train learns the weights of patterns from games: games that programs play
// against themselves from random openings, with exact ends, in rounds of which each plays
// with what the rounds before it have taught; and archives of games in the WTHOR format.
//
// A seed names a result on any number of threads. Every game is a line of a log that is
// written as soon as it is played, so that a run that was interrupted goes on where it
// was.
package train
