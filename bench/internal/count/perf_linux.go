package count

import (
	"fmt"
	"syscall"
	"unsafe"
)

// hasPerfEvent reports whether the kernel counts an event, given as type:config, for processes of
// this user. Most virtual machines have no counter of instructions.
func hasPerfEvent(event string) bool {
	var kind uint32
	var config uint64
	if n, _ := fmt.Sscanf(event, "%d:%d", &kind, &config); n != 2 {
		return false
	}
	// As in linux/perf_event.h: sizes, event, and the flags exclude_kernel and exclude_hv.
	const size, flags, closeOnExec = 128, 1<<5 | 1<<6, 8
	attributes := [size / 8]uint64{1: config, 5: flags}
	head := (*[2]uint32)(unsafe.Pointer(&attributes))
	head[0], head[1] = kind, size
	const anyCore, noGroup = ^uintptr(0), ^uintptr(0)
	fd, _, errno := syscall.Syscall6(syscall.SYS_PERF_EVENT_OPEN, uintptr(unsafe.Pointer(&attributes)),
		0, anyCore, noGroup, closeOnExec, 0)
	if errno != 0 {
		return false
	}
	defer syscall.Close(int(fd))
	var counted [8]byte
	n, err := syscall.Read(int(fd), counted[:])
	return err == nil && n == len(counted) && counted != [8]byte{}
}
