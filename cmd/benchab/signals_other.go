//go:build !unix

package main

import "os"

// endSignals end a run.
var endSignals = []os.Signal{os.Interrupt}
