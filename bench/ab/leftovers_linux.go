package ab

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

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
