//go:build !js && !wasip1 && !plan9

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// endings returns the signals that tell a command to stop and save. SIGHUP is not among
// them where whoever started the program had it ignored, as nohup does.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// ignoreClosedPipes makes a reader that goes away, as in "ur eval | head", an error of
// the write and not the end of the process: files being written must still be put right.
func ignoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
