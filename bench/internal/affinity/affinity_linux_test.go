package affinity

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestPin(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := Cores()
	testkit.SkipIf(t, len(before) == 0, "no cores")
	core, undo, err := Pin(AnyCore)
	testkit.NoError(t, err)
	testkit.Equal(t, Cores(), []int{core}, "pinned to %d, the thread may use", core)
	undo()
	testkit.Equal(t, Cores(), before, "unpinned, the thread may use")
	_, _, err = Pin(1000)
	testkit.ErrorIf(t, err == nil || !strings.HasPrefix(err.Error(), "this process may use "), "unknown core: %v", err)
}

// A process started on a core stays there.
func TestOn(t *testing.T) {
	before := Cores()
	testkit.SkipIf(t, len(before) < 2, "one core only")
	last := before[len(before)-1]
	cmd := exec.Command("sed", "-n", "s/^Cpus_allowed_list:[[:space:]]*//p", "/proc/self/status")
	var out strings.Builder
	cmd.Stdout = &out
	testkit.SkipOn(t, OnCore(last, cmd.Start))
	testkit.NoError(t, cmd.Wait())
	got := strings.TrimSpace(out.String())
	testkit.ErrorIf(t, strings.ContainsAny(got, ",-"), "the process may use %s, want one core", got)
	testkit.Equal(t, Cores(), before, "the caller may use")
}
