package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

// killMarked kills all processes with a variable in their environment, NAME=VALUE, as far as this process may
// read it. Some may be starting others, so it searches until there is none, or a process cannot be killed.
func killMarked(variable string) {
	const searches = 100
	for range searches {
		found := false
		names, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, name := range names {
			environment, err := os.ReadFile(name)
			if err != nil || !bytes.Contains(environment, append([]byte(variable), 0)) {
				continue // it is another user's, or has ended
			}
			if pid, err := strconv.Atoi(strings.Split(name, "/")[2]); err == nil {
				found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
			}
		}
		if !found {
			return
		}
	}
}

// MemoryInstalled returns the machine's memory in bytes, or 0 if unknown.
func MemoryInstalled() int64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}

// InheritedPeak returns the memory in bytes with which the peak of a program started now begins: that of this process,
// because the kernel counts from before the program is loaded. It lowers it first.
func InheritedPeak() int64 {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets the peak; otherwise it is only higher
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if name, value, _ := strings.Cut(line, ":"); name == "VmHWM" {
			kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kib << 10
		}
	}
	return PeakMemory()
}

// CheckMemory returns an error if the process cannot take n more bytes of memory, because the
// machine has less or the address space is limited, as by ulimit -v. The runtime would end the
// process with a dump.
func CheckMemory(n int64) error {
	const mib = 1 << 20
	if installed := MemoryInstalled(); installed > 0 && n > installed {
		return fmt.Errorf("takes %d MiB of memory (this machine has %d MiB)", n/mib, installed/mib)
	}
	space := n + n/4 + 256*mib // garbage and stacks included
	if int64(int(space)) != space {
		return fmt.Errorf("takes %d MiB of memory, more than this process can address", n/mib)
	}
	if room, err := syscall.Mmap(-1, 0, int(space), syscall.PROT_NONE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE); err != nil {
		return fmt.Errorf("takes %d MiB of memory, more than the limit of the process leaves (see ulimit -v)", n/mib)
	} else if err := syscall.Munmap(room); err != nil {
		return err
	}
	return nil
}

// dieWithParent lets the kernel kill a command at the end of its starting thread. Go's
// threads end with the process, except those locked to an ended goroutine.
func dieWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
