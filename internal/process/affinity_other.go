//go:build !linux

package process

import (
	"fmt"
	"runtime"
)

// Cores lists no core: threads can be pinned on Linux only.
func Cores() []int { return nil }

// Pin fails: threads can be pinned on Linux only.
func Pin(int) (core int, undo func(), err error) {
	return 0, nil, fmt.Errorf("not supported on %s", runtime.GOOS)
}

// OnCore calls a function on any core.
func OnCore(_ int, call func() error) error { return call() }
