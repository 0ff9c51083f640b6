// Package long has the flag -long of tests. Without it they run a sample of their trials.
package long

import "flag"

var all = flag.Bool("long", false, "run all trials, not a sample")

// Enabled reports whether the tests run with -long.
func Enabled() bool { return *all }

// N returns the number of trials: the size of the sample, or all with -long.
func N(sample, trials int) int {
	if *all {
		return trials
	}
	return sample
}
