// Package net holds value networks of the Royal Game of Ur: what they see of a
// position, their weights and the file of these, and the integer nets that play.
//
// A [Net] has one or two hidden layers and says with which probability the side to
// move wins, before the dice are thrown. It is learned in float32. What plays is an
// [Integer] net, quantised from it by [Quantise]: its arithmetic is exact, so that every
// way to compute it (the scalar oracle, accumulators that follow the moves, vectors)
// gives the same bits, and two programs that play by it play the same games.
//
// The shape of the idea is that of TD-Gammon (Tesauro, "Temporal difference learning and
// TD-Gammon", 1995), and that of the integer inference is NNUE (Nasu, "Efficiently
// updatable neural-network-based evaluation functions for computer shogi", 2018).
package valuenet
