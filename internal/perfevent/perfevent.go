// Package perfevent counts hardware events of child processes and explains why the kernel refuses
// to count. It uses the standard library only.
package perfevent

import (
	"errors"
	"fmt"
	"syscall"
)

// Event is an event counted by the processor.
type Event struct {
	Name   string
	kind   uint32 // PERF_TYPE_*
	config uint64
}

// The hardware events. Few current processors lack one of them.
var (
	Instructions = Event{"instructions", 0, 1}
	CacheMisses  = Event{"cache misses", 0, 3} // of the last level
)

// Error adds the likely reason to an error of perf_event_open.
func Error(event string, err error) error {
	why := ""
	switch {
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.EOPNOTSUPP), errors.Is(err, syscall.ENODEV):
		why = ": this machine offers none, as many virtual machines"
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		why = ": not allowed, as in most containers (sysctl kernel.perf_event_paranoid=2 or less allows it on a host)"
	case errors.Is(err, syscall.ENOSYS):
		why = ": this kernel has no perf events"
	}
	return fmt.Errorf("perf_event_open of %s: %w%s", event, err, why)
}
