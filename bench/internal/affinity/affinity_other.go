//go:build !linux

// Package affinity pins threads and processes to a core.
package affinity

import (
	"fmt"
	"runtime"
)

// AnyCore is the core on which the thread runs.
const AnyCore = -1

// Cores lists no core: threads can be pinned on Linux only.
func Cores() []int { return nil }

// Pin fails: threads can be pinned on Linux only.
func Pin(int) (core int, undo func(), err error) {
	return 0, nil, fmt.Errorf("not supported on %s", runtime.GOOS)
}

// OnCore calls a function on any core.
func OnCore(_ int, call func() error) error { return call() }
