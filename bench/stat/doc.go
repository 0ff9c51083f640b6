// Package stat has the statistics of measurements: estimates with their intervals,
// ratios of two sides, tests of a change, and corrections for many tests at a time.
// It knows numbers, and nothing of what they were measured of.
//
// Two sides of samples are a [Pair]. Where sample k of both was taken side by side,
// what disturbed one disturbed the other: [RatioOfPairs] and [StepOfPairs] make use of
// that, and so does [Pair.Evidence]. Where one side was measured after the other, that and
// [StepBetween] do without.
//
// Every interval holds the truth in [Confidence] of the cases. Random numbers follow
// from a seed that the caller gives, so that the same samples have the same interval.
package stat
