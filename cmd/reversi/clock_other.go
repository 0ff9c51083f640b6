//go:build !linux

package main

import "time"

// processTime is the time on the wall, where the processor's is not asked for.
func processTime() time.Duration { return time.Since(started) }

var started = time.Now()
