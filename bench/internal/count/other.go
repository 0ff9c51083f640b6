//go:build !linux

package count

import (
	"errors"
	"os/exec"
)

// perfEvent is for Linux only.
type perfEvent struct{}

func openPerf(string) (*perfEvent, error) { return nil, errors.ErrUnsupported }
func hasPerfEvent(string) bool            { return false }
func (p *perfEvent) read() uint64         { return 0 }
func (p *perfEvent) close()               {}

// runSeeded is for Linux only: elsewhere no command is seeded.
func runSeeded(_ uint64, _ string, makeCommand func() *exec.Cmd) (unseeded string, err error) {
	return "seeds have no effect: tracing needs Linux", makeCommand().Run()
}
