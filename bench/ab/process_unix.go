//go:build unix

package ab

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group, so all of it can be killed. It also keeps Ctrl-C
// from the command: this process ends it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup kills the processes left by an ended command.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		// An error means that no process is left. The number of a group is not reused while one
		// of its processes lives.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// isMine reports whether a folder belongs to the user.
func isMine(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
