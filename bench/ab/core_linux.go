package ab

import (
	"bytes"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// coreSet is a set of cores as the kernel has it: one bit for each.
type coreSet [1024 / bits.UintSize]uint

// usableCores lists the cores available to this process.
func usableCores() []int {
	set, ok := affinity()
	var cores []int
	for core := range bits.UintSize * len(set) {
		if ok && set[core/bits.UintSize]>>(core%bits.UintSize)&1 == 1 {
			cores = append(cores, core)
		}
	}
	return cores
}

func affinity() (set coreSet, ok bool) {
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
	return set, errno == 0
}

func setAffinity(set coreSet) error {
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
	if errno != 0 {
		return os.NewSyscallError("sched_setaffinity", errno)
	}
	return nil
}

// startOn starts a command on a core. All its children stay on the core, too: a process
// inherits the cores of the thread that created it.
func startOn(cmd *exec.Cmd, core int) error {
	return onCore(core, cmd.Start)
}

// onCore calls a function on a core.
func onCore(core int, call func() error) error {
	if core < 0 {
		return call()
	}
	runtime.LockOSThread()
	before, ok := affinity()
	if !ok {
		runtime.UnlockOSThread()
		return call()
	}
	var only coreSet
	only[core/bits.UintSize] = 1 << (core % bits.UintSize)
	if err := setAffinity(only); err != nil {
		runtime.UnlockOSThread()
		return err
	}
	err := call()
	if setAffinity(before) == nil {
		runtime.UnlockOSThread() // otherwise the thread ends with its goroutine and is not reused
	}
	return err
}

// dieWithParent lets the kernel kill a command when this process is killed. The kernel acts
// when the starting thread ends. Go's threads end with the process, except those that onCore
// could not give back.
func dieWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }

// killMarked kills the processes started by a run, identified by their environment.
func killMarked(id string) {
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return
	}
	want := []byte(marker + "=" + id)
	for _, path := range environments {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // another user's process, or gone
		}
		for variable := range bytes.SplitSeq(text, []byte{0}) {
			if !bytes.Equal(variable, want) {
				continue
			}
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && pid != os.Getpid() {
				_ = syscall.Kill(pid, syscall.SIGKILL) // an error means the process is gone
			}
		}
	}
}

// watchQueue measures the time that the threads of a process are ready to run without a core.
// The returned function ends the measurement and returns the last figure.
func watchQueue(pid int) func() time.Duration {
	end, result := make(chan struct{}), make(chan time.Duration)
	go func() {
		seen := make(map[string]time.Duration) // by thread: ended threads count too
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				readQueue(pid, seen)
			case <-end:
				sum := time.Duration(0)
				for _, queued := range seen {
					sum += queued
				}
				result <- sum
				return
			}
		}
	}()
	return func() time.Duration {
		close(end)
		return <-result
	}
}

// readQueue reads the second number of each thread's schedstat: nanoseconds in the queue.
func readQueue(pid int, seen map[string]time.Duration) {
	threads, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "schedstat"))
	if err != nil {
		return
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		if fields := bytes.Fields(text); len(fields) > 1 {
			if queued, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
				seen[thread] = time.Duration(queued)
			}
		}
	}
}
