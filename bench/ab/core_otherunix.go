//go:build unix && !linux

package ab

import "syscall"

func dieWithParent(*syscall.SysProcAttr) {}
