//go:build !unix

package process

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
)

// OwnGroup lets the end of a command's context kill the command and its remaining children on Windows, which has no
// process groups.
func OwnGroup(cmd *exec.Cmd) {
	if runtime.GOOS == "windows" {
		cmd.Cancel = func() error {
			if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() == nil {
				return nil
			}
			return cmd.Process.Kill()
		}
	}
}

// KillGroup does nothing: there are no process groups here.
func KillGroup(*exec.Cmd) {}

func isBeingWritten(error) bool { return false }

// PeakMemory returns 0: it is unknown here.
func PeakMemory() int64 { return 0 }

// PeakOf returns the peak memory in bytes of an ended process, 0 for unknown.
func PeakOf(*os.ProcessState) int64 { return 0 }
