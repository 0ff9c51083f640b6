// Package procgroup ends a command together with the processes it started.
package procgroup

import "os/exec"

// Own puts a command in its own process group, and lets the end of its context kill the whole
// group: a command may be a script. It also keeps Ctrl-C from the command. On Linux the kernel
// kills the command when this process is killed. Where there are no process groups, the end of
// the context kills only the process.
func Own(cmd *exec.Cmd) { own(cmd) }

// Kill kills the processes left in the group of an ended command.
func Kill(cmd *exec.Cmd) { kill(cmd) }
