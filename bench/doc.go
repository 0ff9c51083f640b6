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
// A [Case] is one engine at one level. "go test -bench" and "ur bench run" run the same
// cases under the same names, so benchstat compares the output of either.
//
// # How it is measured
//
// A [Suite] is a list of benchmarks, and package experiment takes samples of
// all of them in rounds, each in an order drawn anew. The results are medians with their
// non-parametric confidence intervals, and ratios to a baseline: the median of the ratios
// within each round, with a bootstrap interval. The baseline of engines is the oracle. A
// command is a program of its own, in any language, that is measured in the same rounds.
//
// [Suites] lists the suites: engines, pieces, scaling, search, nets and reversi. A new one
// is a file and an entry there. [MeasureAgain] measures the suspects of package compare,
// and [Workload.Profiled] lets package profile see where the time goes. Package doctor
// measures the noise of a machine, and package record keeps the figures.
//
// A new level is a descriptor and its work in a file of its own, and an entry in the
// list of descriptors. Each level has a [Workload.Signature] of its own, so that a new
// one makes no record of the others incomparable.
package bench
