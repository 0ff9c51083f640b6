package process

import "os/exec"

// OwnGroup puts a command in its own process group, and lets the end of its context kill the whole
// group: a command may be a script. It also keeps Ctrl-C from the command. On Linux the kernel
// kills the command when this process is killed. Where there are no process groups, the end of
// the context kills only the process.
func OwnGroup(cmd *exec.Cmd) { own(cmd) }

// KillGroup kills the processes left in the group of an ended command.
func KillGroup(cmd *exec.Cmd) { kill(cmd) }
