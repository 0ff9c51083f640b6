//go:build !js && !wasip1 && !plan9

package cli

import (
	"os/signal"
	"syscall"
)

// ignoreClosedPipes makes a reader that goes away, as in "ur eval | head", an error of
// the write and not the end of the process: files being written must still be put right.
func ignoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
