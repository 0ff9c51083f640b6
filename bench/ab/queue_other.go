//go:build !linux

package ab

import "time"

// killMarked finds processes on Linux only.
func killMarked(string) {}

// watchQueue sees nothing.
func watchQueue(int) func() time.Duration { return func() time.Duration { return 0 } }
