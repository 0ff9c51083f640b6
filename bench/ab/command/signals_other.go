//go:build !unix

package command

import "os"

// endSignals end a run.
var endSignals = []os.Signal{os.Interrupt}
