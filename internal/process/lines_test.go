package process

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A program that never reads stops neither a long line nor the end of the conversation.
func TestNeverReads(t *testing.T) {
	_, err := exec.LookPath("sleep")
	testkit.SkipOn(t, err)
	l := testkit.Must(StartLines([]string{"sleep", "1000"}))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	testkit.WantErrorIs(t, l.Send(ctx, strings.Repeat("x", 1<<20)), context.DeadlineExceeded, "a full pipe")
	l.Close("quit")
	testkit.WantError(t, testkit.ErrorOf(l.Receive(t.Context())), "signal: killed", "a line of a killed program")
}

// The end of a program is the end of its children, also of those in sessions of their own, whether it ends by itself
// or is killed. A pipe has an end when all of them are gone.
func TestChildrenEnd(t *testing.T) {
	_, err := exec.LookPath("setsid") // on Linux only
	testkit.SkipOn(t, err)
	for _, last := range []string{"exec cat", "exit 3", "exec sleep 1000"} {
		pipe := testkit.Pipe(t)
		l := testkit.Must(StartLines([]string{"sh", "-c",
			`exec 3>"$0"; sleep 1000 & setsid sleep 1000 & setsid sh -c 'sleep 1000 & exit' & echo ready; ` + last, pipe}))(t)
		ended := make(chan string)
		go func() { ended <- testkit.ReadText(t, pipe) }()
		testkit.Equal(t, testkit.Must(l.Receive(t.Context()))(t), "ready", "line")
		l.Close("")
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Errorf("%s: a child is left", last)
		}
	}
}

// A byte order mark is no part of a program's first line.
func TestByteOrderMark(t *testing.T) {
	l := NewLines(nil, strings.NewReader("\ufeffone\r\n\ufefftwo\n"))
	for _, want := range []string{"one", "\ufefftwo"} {
		testkit.Equal(t, testkit.Must(l.Receive(t.Context()))(t), want, "line")
	}
}

// A program whose file is still open for writing starts once it is closed.
func TestStartWritten(t *testing.T) {
	testkit.SkipIf(t, runtime.GOOS != "linux", "only Linux refuses such a file for sure")
	name := filepath.Join(t.TempDir(), "program")
	file := testkit.Must(os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o700))(t)
	source := testkit.Must(os.Open(testkit.Must(exec.LookPath("true"))(t)))(t)
	defer source.Close()
	testkit.Must(io.Copy(file, source))(t)
	testkit.SkipIf(t, exec.Command(name).Run() == nil, "this system runs a file that is open for writing")
	tries := 0
	testkit.NoError(t, StartWritten(func() error {
		if tries++; tries == 3 {
			testkit.NoError(t, file.Close())
		}
		return exec.Command(name).Run()
	}))
	testkit.Equal(t, tries, 3, "tries until the file is closed")
	testkit.WantErrorIs(t, StartWritten(func() error { return os.ErrNotExist }), os.ErrNotExist, "no program")
}
