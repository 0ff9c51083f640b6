package count

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// perfEvent counts an event in the calling thread. A nil one counts nothing.
type perfEvent struct{ fd int }

// openPerf starts to count an event, given as type:config.
func openPerf(event string) (*perfEvent, error) {
	var kind uint32
	var config uint64
	if n, _ := fmt.Sscanf(event, "%d:%d", &kind, &config); n != 2 {
		return nil, fmt.Errorf("perf event %q (want type:config)", event)
	}
	// As in linux/perf_event.h: sizes, event, and the flags exclude_kernel and exclude_hv.
	const size, flags, closeOnExec = 128, 1<<5 | 1<<6, 8
	attributes := [size / 8]uint64{1: config, 5: flags}
	head := (*[2]uint32)(unsafe.Pointer(&attributes))
	head[0], head[1] = kind, size
	const thisThread, anyCore, noGroup = 0, ^uintptr(0), ^uintptr(0)
	fd, _, errno := syscall.Syscall6(syscall.SYS_PERF_EVENT_OPEN, uintptr(unsafe.Pointer(&attributes)),
		thisThread, anyCore, noGroup, closeOnExec, 0)
	if errno != 0 {
		return nil, os.NewSyscallError("perf_event_open", errno)
	}
	return &perfEvent{int(fd)}, nil
}

// read returns the count, 0 if the kernel has none.
func (p *perfEvent) read() (count uint64) {
	if p != nil {
		syscall.RawSyscall(syscall.SYS_READ, uintptr(p.fd), uintptr(unsafe.Pointer(&count)), unsafe.Sizeof(count))
	}
	return count
}

func (p *perfEvent) close() { _ = syscall.Close(p.fd) }

// hasPerfEvent reports whether the kernel counts an event for processes of this user. Most virtual
// machines have no counter of instructions.
func hasPerfEvent(event string) bool {
	p, err := openPerf(event)
	if err != nil {
		return false
	}
	defer p.close()
	return p.read() > 0
}
