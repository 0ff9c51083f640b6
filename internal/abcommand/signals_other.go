//go:build !unix

package abcommand

import "os"

// endSignals end a run.
var endSignals = []os.Signal{os.Interrupt}
