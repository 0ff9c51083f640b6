package main

import (
	"math"

	"golang.org/x/sys/unix"
)

// machineMemory is how many bytes of memory a process can have, as far as that is known.
func machineMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return mostMemory
	}
	return min(mostMemory, uint64(info.Totalram)*uint64(info.Unit))
}

// mostMemory is what addresses reach.
const mostMemory = uint64(math.MaxInt)
