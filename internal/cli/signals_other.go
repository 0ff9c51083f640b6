//go:build js || wasip1 || plan9

package cli

import "os"

// endings returns the signals that interrupt a command.
func endings() []os.Signal { return []os.Signal{os.Interrupt} }

// ignoreClosedPipes does nothing: a closed pipe ends no process here.
func ignoreClosedPipes() {}
