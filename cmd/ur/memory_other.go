//go:build !linux && !darwin

package main

// peakMemory returns the most memory that the process has had so far, in bytes, or 0
// where it cannot be told.
func peakMemory() int64 { return 0 }
