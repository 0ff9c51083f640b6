// Package stat has the statistics of measurements: estimates with their intervals, ratios of
// two sides, tests of a change, and corrections for multiple tests. It works on numbers alone.
//
// Two sides of samples are a [Pair]. If sample k of both was taken side by side, a disturbance
// affects both: [RatioOfPairs], [StepOfPairs] and [Pair.Evidence] use that. For sides measured
// one after the other, use [Pair.Evidence] and [StepBetween].
//
// Every interval holds the truth with probability [verdict.Confidence]. Random numbers follow from the
// caller's seed, so the same samples have the same interval.
package stat
