// Package verdict decides whether a program has become slower, from alternating measurements of
// two sides.
//
// # The model
//
// Every round measures old and new one directly after the other, in random order. The logarithm
// of new over old is then the change, plus or minus the drift of the machine between the two.
// The random order makes both signs equally likely, however the machine behaves. So the
// logarithms are distributed symmetrically around the change under any noise: drift, correlated
// neighbours, lasting states, heavy tails. No distribution and no independence of rounds is
// assumed. [Shift] is the test that needs nothing else: a signed-rank test, inverted into an
// interval and an estimate. Verdict, interval and p of a [Row] all come from it, so they cannot
// contradict each other:
//
//   - slower: p, corrected for all looks and all rows, is at most alpha; the whole
//     interval lies above 0, and its center above the limit by more than likely chance
//     (see [Rule]);
//   - faster: p, corrected likewise, is at most alpha, and the whole interval lies
//     below 0;
//   - not slower: the upper end of the interval lies below the limit, a test of
//     non-inferiority;
//   - undecided: none of these, and the interval shows why.
//
// # Repeated looks
//
// A [Family] is judged after 10 rounds, and again whenever the number of rounds has grown by
// two fifths. Decided rows need no further rounds. Two fifths of every error rate are spent on
// these looks, a fifth of the rest on each. A fifth is spent on two early looks, after 6 and 8
// units. They compare the units of the two sides instead of the rounds. The rest is spent on the
// last look, when time is over (alpha spending: Lan and DeMets, "Discrete sequential boundaries for clinical trials",
// Biometrika 70, 1983). Bonferroni's inequality adds up the spent rates; it holds for any
// dependence between looks. Holm's method controls the errors of all rows together ("A simple
// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979);
// it holds for any dependence between rows.
//
// # Guarantees
//
// If nothing has changed, the probability of calling any row of a family slower or faster is at
// most alpha, each half of it. A row slower by its limit or more is called "not slower" with a
// probability of at most 4 %: 1.5 % at the looks, and the 2.5 % of the upper end of a 95 %
// interval at the last. A family passes only if all rows pass, so the bound holds for the
// family, too, without a correction.
//
// All of this requires the random order, and noise that affects old and new alike: a change
// with its own noise is judged by its median. A last look at fewer than six units assumes that
// the changes of units are normal, with a standard deviation of 5 % or more.
package verdict
