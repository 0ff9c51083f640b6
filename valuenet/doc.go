// Package valuenet holds value networks of the Royal Game of Ur: their inputs, their weights and
// weight files, and the integer nets used in play.
//
// A [Net] has one or two hidden layers and returns the probability that the side to move wins,
// before the dice are thrown. It is learned in float32. Players use an [Integer] net, quantised
// from it by [Quantise]. Its arithmetic is exact, so every implementation (the scalar oracle,
// accumulators that follow the moves, vectors) gives the same bits, and two programs with the
// same net play the same games.
//
// The approach follows TD-Gammon (Tesauro, "Temporal difference learning and TD-Gammon", 1995),
// and the integer inference follows NNUE (Nasu, "Efficiently updatable neural-network-based
// evaluation functions for computer shogi", 2018).
package valuenet
