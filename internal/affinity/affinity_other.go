//go:build !linux

package affinity

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

// On calls a function on any core.
func On(_ int, call func() error) error { return call() }
