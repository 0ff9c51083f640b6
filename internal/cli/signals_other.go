//go:build js || wasip1 || plan9

package cli

import "os"

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt} }

// ignoreClosedPipes does nothing: a closed pipe ends no process here.
func ignoreClosedPipes() {}
