package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// processTime is the time that the processor has spent on this process: other processes
// on the machine do not count.
func processTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &now); err != nil {
		return time.Since(started)
	}
	return time.Duration(now.Nano())
}

var started = time.Now()
