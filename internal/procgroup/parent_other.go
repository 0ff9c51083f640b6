//go:build unix && !linux

package procgroup

import "syscall"

func dieWithParent(*syscall.SysProcAttr) {}
