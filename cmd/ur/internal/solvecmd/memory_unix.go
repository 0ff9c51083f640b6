//go:build linux || darwin

package solvecmd

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// peakMemory returns the process's peak memory in bytes, or 0 if unknown.
func peakMemory() int64 {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
