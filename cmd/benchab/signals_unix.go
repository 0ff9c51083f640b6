//go:build unix

package main

import (
	"os"
	"syscall"
)

// endSignals end a run.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
