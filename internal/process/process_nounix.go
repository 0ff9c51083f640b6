//go:build !unix

package process

import "os/exec"

func ownGroup(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}

// PeakMemory returns 0: it is unknown here.
func PeakMemory() int64 { return 0 }
