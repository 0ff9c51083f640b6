//go:build unix

package experiment

import (
	"os/exec"
	"syscall"
)

// killGroup gives a command a process group of its own, and lets the end of its
// context kill the whole group: a command may be a script, and what it started must
// not go on to disturb the measuring. It also keeps Ctrl-C from the command, which
// is not its business.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
