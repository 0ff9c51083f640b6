//go:build unix

package experiment

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A command that takes too long is ended together with what it started.
func TestCommandIsEndedWithItsChildren(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "child")
	c := Command{Name: "slow", Args: []string{"sh", "-c", "sleep 1000 & echo $! >" + file + "; wait"}, Timeout: 300 * time.Millisecond}
	if _, err := c.Output(t.Context()); err == nil || !strings.Contains(err.Error(), "takes longer than 300ms") {
		t.Errorf("error %v, want one of time", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip(err) // the shell did not come that far
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // until somebody has taken notice of its end
		if err := syscall.Kill(child, 0); err == syscall.ESRCH || isZombie(child) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d, which the command started, still runs", child)
	_ = syscall.Kill(child, syscall.SIGKILL)
}

// isZombie reports whether a process has ended and nobody has asked how.
func isZombie(process int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/stat")
	return err == nil && strings.Contains(string(text), ") Z ")
}
