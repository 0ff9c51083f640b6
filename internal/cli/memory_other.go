//go:build !linux && !darwin

package cli

// PeakMemory returns the most memory that the process has had so far, in bytes, or 0
// where it cannot be told.
func PeakMemory() int64 { return 0 }
