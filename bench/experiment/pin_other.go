//go:build !linux

package experiment

import (
	"fmt"
	"runtime"
)

// pinThread is for Linux only.
func pinThread(int) (core int, undo func(), err error) {
	return 0, nil, fmt.Errorf("not supported on %s", runtime.GOOS)
}
