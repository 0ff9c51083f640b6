// Package verdict decides whether something has become slower, from two sides that were
// measured in turns.
//
// # The model
//
// In every round old and new are measured one directly after the other, and a coin says
// which is first. The logarithm of new over old is then the change, plus or minus
// whatever the machine did between the two; the coin makes the sign of that even odds,
// however the machine behaves. So the logarithms lie symmetrically around the change
// under any noise: drift, neighbours that resemble each other, states that last, heavy
// tails. No distribution and no independence of rounds is assumed. [Shift] is the test
// that needs nothing else, of signed ranks, turned into an interval and an estimate. Verdict, interval and p of a [Row] all come from it, so that they cannot
// contradict each other:
//
//   - slower: p, corrected for all looks and all rows, is at most alpha; the whole
//     interval lies above 0, and its center above the limit, by more than likely chance
//     (see [Rule]);
//   - faster: p, corrected likewise, is at most alpha, and the whole interval lies
//     below 0;
//   - not slower: the upper end of the interval lies below the limit, a test of
//     non-inferiority;
//   - undecided: none of these, and the interval shows why.
//
// # Looking more than once
//
// A [Family] is looked at after 10 rounds, and then whenever these have grown by two
// fifths. Rows that are decided need not be measured further. Half of every error rate
// is spent on these looks, a fifth of what is left of it on each, and the other half on
// the last, when there is no time left (alpha spending: Lan and DeMets, "Discrete
// sequential boundaries for clinical trials", Biometrika 70, 1983). What is spent is added up by Bonferroni's
// inequality, which needs to know nothing of how looks depend on each other. The errors of all rows together are held by
// Holm's method ("A simple sequentially rejective multiple test procedure",
// Scandinavian Journal of Statistics 6, 1979), which needs to know nothing of how
// rows depend on each other either.
//
// # What holds
//
// Where nothing has changed, the probability that any row of a family is called slower
// or faster is at most alpha, each half of it. A row that is slower by its limit or
// more is called "not slower" with a probability of at most 3.75 %: 1.25 % at the looks, and the
// 2.5 % of the upper end of a 95 % interval at the last. Since all rows must pass for a
// family to pass, that bound holds for the family too, without a correction.
//
// The condition of all of it is the coin, and that old and new are alike in how noise
// reaches them: a change that brings noise of its own is judged by its median.
package verdict
