// Package bench measures engines so that the figures can be believed: the same
// work for all, checked before it is timed, in one run, interleaved in random
// order, with confidence intervals.
//
// # What is measured
//
// A [Workload] is fixed work that every engine does alike, at four levels:
//
//   - [Value]: getValue of positions that the engine already holds, in ns/eval;
//   - [Turn]: whole turns, from a position and a roll to the chosen move, in
//     ns/turn, with the time for each candidate move beside it;
//   - [Game]: whole games on the shared dice, in us/game and games/s;
//   - [Match]: the same between two brains that differ.
//
// Turns of engines that play games side by side, which implement [ur.Batch], are
// measured in whole games: their time is that of the games divided by the turns and
// candidates in them, since one turn of one game says nothing about such an engine.
//
// A [Case] is one engine at one level. "go test -bench" and [Measure] run the same
// cases under the same names, so benchstat compares the output of either.
//
// # How it is measured
//
// A [Case] is an [experiment.Subject], and [Measure] lets package experiment take samples
// of all of them in rounds, each in an order drawn anew. What is reported is the median
// with its non-parametric confidence interval, and the ratio to the oracle: the median of
// the ratios within each round, with a bootstrap interval. A command is a program of its
// own, in whatever language, that is measured in the same rounds.
//
// [MeasureScaling] does the same for the numbers of workers that play at a time, and
// [MeasurePieces] for the numbers of pieces on the board. [MeasureAgain] measures what
// package compare suspects, and [Workload.Profiled] lets package profile see where the
// time goes. Package doctor tells whether a machine can be believed, and package record
// keeps what was found.
//
// A new level is a descriptor and its work in a file of its own, and an entry in the
// list of descriptors. Each level has a [Workload.Signature] of its own, so that a new
// one makes no record of the others incomparable.
package bench
