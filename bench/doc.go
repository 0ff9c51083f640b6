// Package bench has the benchmark suites: engines, pieces, scaling, search, nets and Reversi.
// Every engine does the same work, checked before it is timed, in one run, interleaved in random
// order, with confidence intervals.
//
// # Scopes
//
// A [Workload] is fixed work, identical for every engine, at three scopes:
//
//   - [Value]: getValue for positions the engine already holds, in ns/eval;
//   - [Turn]: whole turns, from a position and a roll to the chosen move, in
//     ns/turn, and the time for each candidate move;
//   - [Game]: whole games on the shared dice, in us/game and games/s.
//
// Turns in engines that play games side by side, which implement [ur.Batch], are measured in
// whole games: their time is the games' time divided by the turns and candidates in them, since
// one turn in one game is not representative for such an engine.
//
// [Workload.Benchmark] is one engine at one scope. "go test -bench" and "ur bench run" run the same
// benchmarks under the same names, so benchstat compares either's output.
//
// # Method
//
// [Suites] lists the suites. A [Suite] is a list of [sample.Benchmark], and package sample takes
// samples from all in rounds, each in a newly drawn order. The results are medians with their
// non-parametric confidence intervals, and ratios to a baseline within each round. The engines'
// baseline is the oracle.
//
// Each scope has a separate [Workload.Signature], so a new scope leaves the others' records
// comparable.
package bench
