package cli

import (
	"math"

	"golang.org/x/sys/unix"
)

// machineMemory is the maximum memory of a process in bytes, as far as known.
func machineMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return mostMemory
	}
	return min(mostMemory, uint64(info.Totalram)*uint64(info.Unit))
}

// mostMemory is the size of the address space.
const mostMemory = uint64(math.MaxInt)
