//go:build !linux && !darwin

package solvecmd

// peakMemory returns the process's peak memory in bytes, or 0 if unknown.
func peakMemory() int64 { return 0 }
