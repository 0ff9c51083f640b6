// Package train learns the weights of patterns from games: games of self-play from random
// openings, with exact ends, in rounds, each played with the weights of the rounds before; and
// archives of games in the WTHOR format.
//
// A seed names a result on any number of threads. Every game is a line of a log, written as
// soon as it is played, so an interrupted run can be resumed.
package train
