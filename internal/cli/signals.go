//go:build !js && !wasip1 && !plan9

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// endingSignals returns the signals to interrupt a command. SIGHUP is not among them if the parent
// process ignored it, as nohup does.
func endingSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// ignoreClosedPipes turns a closed pipe, as in "ur eval | head", into a write error instead of
// the end of the process: files being written must still be completed.
func ignoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
