//go:build unix

package abcommand

import (
	"os"
	"syscall"
)

// endSignals end a run.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
