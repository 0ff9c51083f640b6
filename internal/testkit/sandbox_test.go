package testkit

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// own are tests that write into all of the user's folders and start Go.
type own struct {
	t       *testing.T
	folders []string
	outer   string
}

func (o *own) Run() int {
	for _, find := range []func() (string, error){os.UserHomeDir, os.UserCacheDir, os.UserConfigDir,
		func() (string, error) { return os.TempDir(), nil }} {
		folder := Must(find())(o.t)
		NoError(o.t, os.MkdirAll(folder+"/a/b", 0o777))
		o.folders = append(o.folders, folder)
	}
	o.outer = os.Getenv("LC_ALL") + os.Getenv("GIT_DIR")
	return 7
}

// Tests find empty folders instead of the user's, which are gone afterwards, and Go's caches where they were.
func TestWrap(t *testing.T) {
	SetHome(t, t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("LC_ALL", "tr_TR.UTF-8")
	t.Setenv("GIT_DIR", "nowhere")
	NoError(t, endTelemetry())
	users := &own{t: t}
	users.Run()
	goCaches := func() string {
		out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOENV").Output()
		SkipOn(t, err)
		return string(out)
	}
	before := goCaches()
	sandboxed, ended := &own{t: t}, false
	AtEnd(func() { ended = true })
	Equal(t, Wrap(sandboxed).Run(), 7, "exit code")
	ErrorIf(t, !ended, "the function for the end was not called")
	for i, folder := range sandboxed.folders {
		_, err := os.Stat(folder)
		ErrorIf(t, err == nil || folder == users.folders[i], "%s is left, or the user's", folder)
	}
	Equal(t, sandboxed.outer, "", "the user's")
	NoError(t, endTelemetry()) // the folder that said so is gone
	ErrorIf(t, strings.TrimSpace(before) == "", "Go has no folders")
	Equal(t, goCaches(), before, "Go's folders")
}
