//go:build !linux

package main

import "math"

// machineMemory is how many bytes of memory a process can have, as far as that is known:
// here, what addresses reach.
func machineMemory() uint64 { return math.MaxInt }
