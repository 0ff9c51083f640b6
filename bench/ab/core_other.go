//go:build !linux

package ab

import (
	"os/exec"
	"time"
)

// usableCores lists no core where processes cannot be put on one.
func usableCores() []int { return nil }

func startOn(cmd *exec.Cmd, _ int) error { return cmd.Start() }

func onCore(_ int, call func() error) error { return call() }

// killMarked finds processes on Linux only.
func killMarked(string) {}

// watchQueue sees nothing.
func watchQueue(int) func() time.Duration { return func() time.Duration { return 0 } }
