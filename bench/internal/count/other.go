//go:build !linux

package count

import "os/exec"

// hasPerfEvent is for Linux only.
func hasPerfEvent(string) bool { return false }

// runSeeded is for Linux only: elsewhere no command is seeded.
func runSeeded(_ uint64, _ string, makeCommand func() *exec.Cmd) (unseeded string, err error) {
	return "seeds have no effect: tracing needs Linux", makeCommand().Run()
}
