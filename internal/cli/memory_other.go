//go:build !linux && !darwin

package cli

// PeakMemory returns the process's peak memory in bytes, or 0 if unknown.
func PeakMemory() int64 { return 0 }
