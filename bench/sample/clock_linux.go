package sample

import (
	"time"

	"golang.org/x/sys/unix"
)

// processTime is the CPU time of this process, to the nanosecond.
func processTime() (time.Duration, bool) {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &now); err != nil {
		return 0, false
	}
	return time.Duration(now.Nano()), true
}
