//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// OwnGroup puts a command in its own process group, and lets the end of its context kill the whole
// group: a command may be a script. It also keeps Ctrl-C from the command. On Linux the kernel
// kills the command when this process is killed.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// KillGroup kills the processes left in the group of an ended command.
func KillGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		// An error means that no process is left. A group's number is not reused while one
		// of its processes lives.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// isBeingWritten reports whether a program could not start because its file is open for writing.
func isBeingWritten(err error) bool { return errors.Is(err, syscall.ETXTBSY) }

// PeakMemory returns this process's peak memory in bytes, or 0 if unknown.
func PeakMemory() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return peakOf(&usage)
}

// PeakOf returns the peak memory in bytes of an ended process, or of the largest among it and the children it waited for.
// It is 0 if unknown, and at least the [InheritedPeak] at its start: systems count from before the program was loaded.
func PeakOf(ended *os.ProcessState) int64 {
	usage, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return peakOf(usage)
}

func peakOf(usage *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
