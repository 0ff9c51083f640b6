package testkit

import "flag"

var all = flag.Bool("long", false, "run all trials, not a sample")

// Long reports whether the tests run with -long.
func Long() bool { return *all }

// Trials returns the number of trials: the size of the sample, or all with -long.
func Trials(sample, trials int) int {
	if *all {
		return trials
	}
	return sample
}
