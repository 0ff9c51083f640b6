package count

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
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

// runSeeded runs a command that makeCommand makes. A tracer fixes the chance in it: see [tracee].
// Where tracing is forbidden the command runs as it is, and unseeded is the reason.
func runSeeded(seed uint64, tool string, makeCommand func() *exec.Cmd) (unseeded string, err error) {
	// The kernel takes a tracer's requests from one thread, and kills the command with it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := makeCommand()
	cmd.SysProcAttr.Ptrace = true
	if err := cmd.Start(); err != nil {
		cmd = makeCommand()
		if err := cmd.Start(); err != nil {
			return "", &startError{err}
		}
		return fmt.Sprintf("seeds have no effect: tracing is forbidden: %v", err), cmd.Wait()
	}
	t := tracee{pid: cmd.Process.Pid, stopped: make(map[int]syscall.WaitStatus)}
	err = t.fixChance(seed, tool)
	if err != nil && !errors.Is(err, errEnded) && !errors.Is(err, syscall.ESRCH) {
		unseeded = fmt.Sprintf("seeds have no effect: %v", err)
		err = t.detach()
	}
	if errors.Is(err, syscall.ESRCH) { // it was killed while it was stopped
		err = t.kill()
	}
	if errors.Is(err, errEnded) {
		_ = cmd.Wait() // the tracer has received the status
		return "", t.status
	}
	return unseeded, cmd.Wait()
}

// tracee is a traced process, whose random bytes and first thread are changed before it runs.
//
// The random bytes are those of AT_RANDOM, the seeds of Go's runtime. The first thread of a Go
// program is its monitor (sysmon), which interrupts long-running goroutines by the clock: its first
// sleep is made endless. A goroutine then keeps its processor during a blocking system call. If it waits
// there for another goroutine, the benchmark hangs.
//
// A killed process has not ended before its tracer has received the end of each traced thread, so the tracer waits for
// all of its group.
type tracee struct {
	pid     int
	monitor int                        // thread; 0 before it begins
	stopped map[int]syscall.WaitStatus // stops that the tracer has not yet used, by thread
	status  error                      // the ended process's status
}

// errEnded reports that the process has ended.
var errEnded = errors.New("the process has ended")

// fixChance traces the process until it is prepared, and detaches.
func (t *tracee) fixChance(seed uint64, tool string) error {
	err := t.waitFor(t.pid, func(status syscall.WaitStatus) bool {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", t.pid))
		return status.StopSignal() == syscall.SIGTRAP && err == nil && strings.HasPrefix(filepath.Base(exe), tool)
	}, syscall.PtraceCont)
	if err != nil {
		return err
	}
	if err := t.overwriteRandom(seed); err != nil {
		return err
	}
	const killWithTracer, markSyscalls = 1 << 20, 1
	if err := syscall.PtraceSetOptions(t.pid, syscall.PTRACE_O_TRACECLONE|killWithTracer|markSyscalls); err != nil {
		return os.NewSyscallError("ptrace", err)
	}
	if err := syscall.PtraceCont(t.pid, 0); err != nil {
		return os.NewSyscallError("ptrace", err)
	}
	isClone := func(status syscall.WaitStatus) bool { return status.TrapCause() == syscall.PTRACE_EVENT_CLONE }
	err = t.waitFor(t.pid, isClone, syscall.PtraceCont)
	if err != nil {
		return err
	}
	thread, err := syscall.PtraceGetEventMsg(t.pid)
	if err != nil {
		return os.NewSyscallError("ptrace", err)
	}
	t.monitor = int(thread)
	if err := syscall.PtraceDetach(t.pid); err != nil {
		return os.NewSyscallError("ptrace", err)
	}
	return t.stopMonitor()
}

// detach lets the process run on without its tracer. Of two traced threads, the first is free already.
func (t *tracee) detach() error {
	return syscall.PtraceDetach(cmp.Or(t.monitor, t.pid))
}

// kill kills the process and waits for its end.
func (t *tracee) kill() error {
	_ = syscall.Kill(-t.pid, syscall.SIGKILL)
	const none = 0
	_, err := t.nextStop(none)
	return err
}

// waitFor resumes a thread of the process until a stop is wanted, and passes signals on.
func (t *tracee) waitFor(thread int, wanted func(syscall.WaitStatus) bool, resume func(pid, signal int) error) error {
	for {
		status, err := t.nextStop(thread)
		if err != nil {
			return err
		}
		signal := 0
		switch {
		case wanted(status):
			return nil
		case status.StopSignal()&^0x80 != syscall.SIGTRAP && status.StopSignal() != syscall.SIGSTOP:
			signal = int(status.StopSignal())
		}
		if err := resume(thread, signal); err != nil {
			return os.NewSyscallError("ptrace", err)
		}
	}
}

// nextStop waits for a thread to stop, or for the process to end, and keeps the stops of other threads.
func (t *tracee) nextStop(thread int) (syscall.WaitStatus, error) {
	for {
		if status, ok := t.stopped[thread]; ok {
			delete(t.stopped, thread)
			return status, nil
		}
		const allThreads = 0x40000000 // __WALL
		var status syscall.WaitStatus
		changed, err := syscall.Wait4(-t.pid, &status, allThreads, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 0, os.NewSyscallError("wait4", err)
		case status.Stopped():
			t.stopped[changed] = status
		case changed == t.pid:
			t.status = statusError(status)
			return 0, errEnded
		}
	}
}

// statusError returns the error of an ended process, in the words of os/exec.
func statusError(status syscall.WaitStatus) error {
	switch {
	case status.Signaled():
		return fmt.Errorf("signal: %v", status.Signal())
	case status.ExitStatus() != 0:
		return fmt.Errorf("exit status %d", status.ExitStatus())
	}
	return nil
}

// overwriteRandom replaces the random bytes of the process by those of a seed.
func (t *tracee) overwriteRandom(seed uint64) error {
	vector, err := os.ReadFile(fmt.Sprintf("/proc/%d/auxv", t.pid))
	if err != nil {
		return err
	}
	const randomBytes, word = 25, 8
	for pair := vector; len(pair) >= 2*word; pair = pair[2*word:] {
		if binary.NativeEndian.Uint64(pair) != randomBytes {
			continue
		}
		const golden = 0x9e3779b97f4a7c15
		var bytes [2 * word]byte
		binary.LittleEndian.PutUint64(bytes[:], (seed+1)*golden)
		binary.LittleEndian.PutUint64(bytes[word:], (seed+2)*golden)
		_, err := syscall.PtracePokeData(t.pid, uintptr(binary.NativeEndian.Uint64(pair[word:])), bytes[:])
		return os.NewSyscallError("ptrace", err)
	}
	return errors.New("the process has no random bytes")
}

// registers are the places of the number and of the first argument of a system call in the
// registers of a thread, in 8 bytes each.
var registers = map[string]struct{ number, argument int }{"amd64": {15, 14}, "arm64": {8, 0}}

// stopMonitor traces the monitor up to its first sleep, and extends the sleep to 68 years.
func (t *tracee) stopMonitor() error {
	place, ok := registers[runtime.GOARCH]
	if !ok {
		return syscall.PtraceDetach(t.monitor)
	}
	var set [64]uint64
	err := t.waitFor(t.monitor, func(syscall.WaitStatus) bool {
		const get, general = 0x4204, 1 // PTRACE_GETREGSET, NT_PRSTATUS
		vector := syscall.Iovec{Base: (*byte)(unsafe.Pointer(&set))}
		vector.SetLen(int(unsafe.Sizeof(set)))
		_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, get, uintptr(t.monitor), general,
			uintptr(unsafe.Pointer(&vector)), 0, 0)
		return errno == 0 && set[place.number] == syscall.SYS_NANOSLEEP
	}, syscall.PtraceSyscall)
	if err != nil {
		return err
	}
	seconds := binary.NativeEndian.AppendUint64(nil, 1<<31)
	if _, err := syscall.PtracePokeData(t.monitor, uintptr(set[place.argument]), seconds); err != nil {
		return os.NewSyscallError("ptrace", err)
	}
	return os.NewSyscallError("ptrace", syscall.PtraceDetach(t.monitor))
}
