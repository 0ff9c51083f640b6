package experiment

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pinThread restricts the calling thread to one core, and returns the core's number and an undo
// function.
func pinThread(core int) (int, func(), error) {
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return 0, nil, os.NewSyscallError("sched_getaffinity", err)
	}
	if core == AnyCore {
		var err error
		if core, err = currentCore(); err != nil {
			return 0, nil, err
		}
	}
	if !before.IsSet(core) {
		return 0, nil, fmt.Errorf("this process may use %s", coreList(&before))
	}
	var only unix.CPUSet
	only.Set(core)
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		return 0, nil, os.NewSyscallError("sched_setaffinity", err)
	}
	undo := func() {
		if err := unix.SchedSetaffinity(0, &before); err != nil {
			// A thread that cannot be unpinned must not be reused: if it stays locked, Go ends
			// it with its goroutine.
			runtime.LockOSThread()
		}
	}
	return core, undo, nil
}

// currentCore returns the core of the calling thread.
func currentCore() (int, error) {
	var core uint32
	_, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&core)), 0, 0)
	if errno != 0 {
		return 0, os.NewSyscallError("getcpu", errno)
	}
	return int(core), nil
}

// coreList lists the cores of a set: "0, 1, 3".
func coreList(set *unix.CPUSet) string {
	var cores []string
	for core := range 8 * int(unsafe.Sizeof(*set)) {
		if set.IsSet(core) {
			cores = append(cores, fmt.Sprint(core))
		}
	}
	return strings.Join(cores, ", ")
}
