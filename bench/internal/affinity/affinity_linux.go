// Package affinity pins threads and processes to a core.
package affinity

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// AnyCore is the core on which the thread runs.
const AnyCore = -1

// Cores lists the cores available to the calling thread. It is empty where threads cannot be
// pinned.
func Cores() []int {
	set, err := readAffinity()
	if err != nil {
		return nil
	}
	return listCores(&set)
}

func listCores(set *unix.CPUSet) (cores []int) {
	for core := range 8 * int(unsafe.Sizeof(*set)) {
		if set.IsSet(core) {
			cores = append(cores, core)
		}
	}
	return cores
}

func readAffinity() (set unix.CPUSet, err error) {
	err = os.NewSyscallError("sched_getaffinity", unix.SchedGetaffinity(0, &set))
	return set, err
}

// Pin restricts the calling thread, which must be locked to its goroutine, to one core. It
// returns the core's number and an undo function.
func Pin(core int) (int, func(), error) {
	before, err := readAffinity()
	if err != nil {
		return 0, nil, err
	}
	if core == AnyCore {
		var current uint32
		if _, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&current)), 0, 0); errno != 0 {
			return 0, nil, os.NewSyscallError("getcpu", errno)
		}
		core = int(current)
	}
	if cores := listCores(&before); !slices.Contains(cores, core) {
		return 0, nil, fmt.Errorf("this process may use %s",
			strings.Trim(strings.ReplaceAll(fmt.Sprint(cores), " ", ", "), "[]"))
	}
	var only unix.CPUSet
	only.Set(core)
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		return 0, nil, os.NewSyscallError("sched_setaffinity", err)
	}
	undo := func() {
		if unix.SchedSetaffinity(0, &before) != nil {
			// A thread that cannot be unpinned must not be reused: if it stays locked, Go ends
			// it with its goroutine.
			runtime.LockOSThread()
		}
	}
	return core, undo, nil
}

// OnCore calls a function on a core. A process that it starts stays on the core with all its
// children: a process inherits the cores of its creating thread.
func OnCore(core int, call func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, undo, err := Pin(core)
	if err != nil {
		return err
	}
	defer undo()
	return call()
}
