package process

import "syscall"

// dieWithParent lets the kernel kill a command when the thread that started it ends. Go's
// threads end with the process, except those locked to a goroutine that has ended.
func dieWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
