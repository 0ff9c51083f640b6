//go:build !linux

package experiment

import "time"

// processTime is for Linux only: elsewhere it is counted in ticks that are too long
// beside a sample.
func processTime() (time.Duration, bool) { return 0, false }
