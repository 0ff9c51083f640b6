//go:build unix

package experiment

import (
	"os/exec"
	"syscall"
)

// killGroup puts a command in a separate process group, and lets the end of its context kill
// the whole group: a command may be a script, whose children must not continue to disturb the
// measurement. It also keeps Ctrl-C from the command.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
