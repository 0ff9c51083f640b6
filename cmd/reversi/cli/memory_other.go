//go:build !linux

package cli

import "math"

// machineMemory is the maximum memory of a process in bytes, as far as known: here, the address
// space.
func machineMemory() uint64 { return math.MaxInt }
