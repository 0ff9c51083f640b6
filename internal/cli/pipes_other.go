//go:build js || wasip1 || plan9

package cli

// ignoreClosedPipes does nothing: a closed pipe ends no process here.
func ignoreClosedPipes() {}
