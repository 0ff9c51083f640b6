//go:build !linux

package experiment

import (
	"fmt"
	"runtime"
)

// OpenCounters opens the hardware counters for the calling thread. The error explains why there
// are none.
func OpenCounters() (Counters, error) {
	return nil, fmt.Errorf("not supported on %s", runtime.GOOS)
}
