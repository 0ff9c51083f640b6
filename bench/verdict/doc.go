// Package verdict decides whether a program has become slower, from measurements on two sides.
//
// A [Family] holds a [Row] for each benchmark and unit. Rows get rounds by [Row.Add], or, from
// two files that were not measured in turns, all samples by [Row.AddSides]. [Family.Look] judges
// them. [Median], [Interval] and [Ratio] describe samples without a verdict.
//
// A [Count] judges instructions an operation, a second judge beside the time; [Combine] has the rule
// for two judges.
//
// # The model
//
// Every round measures old and new one directly after the other, in random order. The logarithm
// of new over old is then the change, plus or minus the machine's drift between the two.
// The random order makes both signs equally likely, however the machine behaves. So the
// logarithms are distributed symmetrically around the change under any noise: drift, correlated
// neighbours, lasting states, heavy tails. No distribution and no independence of rounds is
// assumed. [NewShift] is the test that needs nothing else: a signed-rank test, inverted into an
// interval and an estimate. Verdict, interval and p of a [Row] all come from it, so they cannot
// contradict each other:
//
//   - slower: p, corrected for all looks and all rows, is at most alpha; the whole
//     interval lies above 0, and its center above the limit by more than likely chance
//     (see [Rule]);
//   - faster: p, corrected likewise, is at most alpha, and the whole interval lies
//     below 0;
//   - not slower: the interval's upper end lies below the limit, a test for
//     non-inferiority;
//   - undecided: none of these, and [Row.Detectable] is the slowdown that would have been found.
//
// Samples from sides that were measured one after the other ([NewSides]) must be independent. A change in the
// machine between the sides looks like a change in the program.
//
// # Repeated looks
//
// A [Family] is judged after 10 rounds, and again whenever the number of rounds has grown by
// two fifths. Decided rows need no further rounds. Half the error rate is spent on
// these looks, a fifth of the rest on each. The other half is spent on the
// last look, when time is over (alpha spending: Lan and DeMets, "Discrete sequential boundaries for clinical trials",
// Biometrika 70, 1983). Bonferroni's inequality adds up the spent rates; it holds for any
// dependence between looks. Holm's method controls the errors in all rows together ("A simple
// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979);
// it holds for any dependence between rows.
//
// # Guarantees
//
// If nothing has changed, the probability that any row in a family is called slower or faster is at
// most alpha, each half of it, whenever the rounds end. A row slower by its limit or more is called "not slower" with a
// probability of at most 4 %: 1.25 % at the looks, and 2.5 % at the upper end of a 95 %
// interval at the last. A slowdown as large as [Row.Detectable] is found in nine of ten cases.
//
// All this requires the random order, and noise that affects old and new alike: a change
// with its own noise is judged by its median.
package verdict
