package safefile

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// parts returns the names of temporary files in the folder of a file.
func parts(t *testing.T, name string) []string {
	t.Helper()
	return testkit.Must(filepath.Glob(filepath.Join(filepath.Dir(name), "*"+partEnd)))(t)
}

// begin starts to write a file.
func begin(t *testing.T, name, text string) *partial {
	t.Helper()
	f := testkit.Must(createPartial(name))(t)
	testkit.Must(io.WriteString(f, text))(t)
	return f
}

// A file appears under its name when it is saved, and not before, with the permissions
// of the file that it replaces.
func TestCreate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.txt")
	testkit.NoError(t, os.WriteFile(name, []byte("old"), 0o600))
	testkit.NoError(t, begin(t, name, "lost").Discard())
	f := begin(t, name, "new")
	testkit.MustEqual(t, testkit.ReadText(t, name), "old", "the file before it is saved")
	testkit.NoError(t, f.Save())
	onlyFile(t, name, "new")
	info := testkit.Must(os.Stat(name))(t)
	testkit.ErrorIf(t, runtime.GOOS != "windows" && info.Mode().Perm() != 0o600, "the permissions are %v", info.Mode())
}

// Two that write the same file at once do not write into each other's, and neither
// takes what the other is writing for a leftover.
func TestCreateTwice(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.txt")
	first := begin(t, name, "first")
	second := begin(t, name, "second")
	testkit.NoError(t, second.Save())
	testkit.NoError(t, first.Save())
	onlyFile(t, name, "first")
}

// TestMain writes a file and is killed, where a test asks for it.
func TestMain(m *testing.M) {
	if name := os.Getenv("WHOLEFILE_TEST_KILL"); name != "" {
		_ = Write(name, func(w io.Writer) error {
			if _, err := io.WriteString(w, "half of"); err != nil {
				return err
			}
			self, err := os.FindProcess(os.Getpid())
			if err != nil {
				return err
			}
			return self.Kill()
		})
		os.Exit(1)
	}
	testkit.Main(m)
}

// What a killed process leaves behind is removed by the next that writes the file, and nothing else is.
func TestLeftoversAreRemoved(t *testing.T) {
	testkit.SkipIf(t, runtime.GOOS != "linux" && runtime.GOOS != "darwin",
		"files may not be locked here, or not be removed while they are open")
	program := testkit.Must(os.Executable())(t)
	name := filepath.Join(t.TempDir(), "table")
	child := exec.Command(program)
	child.Env = append(os.Environ(), "WHOLEFILE_TEST_KILL="+name)
	testkit.WantError(t, child.Run(), "", "the killed child")
	testkit.MustEqual(t, len(parts(t, name)), 1, "files that the child leaves")
	others := []string{name + ".backup.part", name + "2.0123456789abc.part", name + ".part",
		name + ".0123456789abcd.part"}
	for _, other := range others {
		testkit.WriteText(t, other, "")
	}
	held := begin(t, name, "held")
	testkit.NoError(t, Write(name, func(w io.Writer) error { return nil }))
	testkit.Equal(t, len(parts(t, name)), len(others)+1, "files %q", parts(t, name))
	testkit.NoError(t, held.Discard())
	testkit.Equal(t, len(parts(t, name)), len(others), "in the end, files %q", parts(t, name))
}

// A name as long as a file system allows is good for the temporary file, too; a longer
// one is found before anything is written.
func TestLongNames(t *testing.T) {
	folder := t.TempDir()
	for _, letter := range []string{"n", "𒌨"} {
		name := filepath.Join(folder, strings.Repeat(letter, longestName/len(letter)))
		testkit.NoError(t, Check(name))
		testkit.NoError(t, Write(name, func(w io.Writer) error { return nil }))
		testkit.NoError(t, os.Remove(name))
		testkit.WantError(t, Check(name+letter), "", "a name of %d bytes", len(filepath.Base(name+letter)))
	}
}

func TestCheck(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "table")
	testkit.WriteText(t, name, "old")
	testkit.NoError(t, Check(name))
	onlyFile(t, name, "old")
	for _, bad := range []string{folder, filepath.Join(folder, "none", "table"), filepath.Join(name, "table")} {
		testkit.WantError(t, Check(bad), "", "%s could be written", bad)
	}
	testkit.NoError(t, Check(os.DevNull))
}

// onlyFile checks that a folder has one file with a text.
func onlyFile(t *testing.T, name, want string) {
	t.Helper()
	testkit.Equal(t, testkit.ReadText(t, name), want, "%s", name)
	testkit.Equal(t, len(testkit.Must(os.ReadDir(filepath.Dir(name)))(t)), 1, "files in the folder of %s", name)
}

func TestWrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table")
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := os.Stat(name)
			testkit.ErrorIf(t, err == nil && text != "2", "%s is there before it is complete", name)
			return testkit.ErrorOf(io.WriteString(w, text))
		}
	}
	testkit.NoError(t, Write(name, write("1")))
	onlyFile(t, name, "1")
	testkit.NoError(t, Write(name, write("2")))
	onlyFile(t, name, "2")

	broken := errors.New("broken")
	err := Write(name, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half of"); err != nil {
			return err
		}
		return broken
	})
	testkit.WantErrorIs(t, err, broken, "a broken write")
	onlyFile(t, name, "2")
	testkit.WantError(t, Write(filepath.Dir(name), write("3")), "", "a folder is written over")
	onlyFile(t, name, "2")
}

// Of a link, what it points to is replaced.
func TestWriteThroughLink(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table")
	link := filepath.Join(t.TempDir(), "link")
	testkit.NoError(t, os.WriteFile(name, []byte("old"), 0o666))
	testkit.SkipOn(t, os.Symlink(name, link))
	testkit.NoError(t, Write(link, func(w io.Writer) error { return testkit.ErrorOf(io.WriteString(w, "new")) }))
	onlyFile(t, name, "new")
	testkit.Equal(t, testkit.Must(os.Readlink(link))(t), name, "the link points")
}

func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text")
	testkit.NoError(t, os.WriteFile(name, []byte("12345678"), 0o644))
	testkit.Equal(t, string(testkit.Must(Read(name, 8))(t)), "12345678", "a file as large as may be")
	text, err := Read(name, 7)
	testkit.Equal(t, text, nil, "the text of a file that is too large")
	testkit.WantError(t, err, name+": larger than", "a file that is too large")
	testkit.WantErrorIs(t, testkit.ErrorOf(Read(name+".none", 8)), os.ErrNotExist, "a file that is not there")
	testkit.WantError(t, testkit.ErrorOf(Read(filepath.Dir(name), 8)), "", "a folder is read")
}

// An error names the file once, whether it is the function's or the system's.
func TestParse(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text")
	testkit.NoError(t, os.WriteFile(name, []byte("12345678"), 0o644))
	testkit.Equal(t, string(testkit.Must(Parse(name, io.ReadAll))(t)), "12345678", "the content")
	refuse := func(io.Reader) (int, error) { return 0, errors.New("no number") }
	for file, want := range map[string]string{
		name: name + ": no number", name + ".none": "open " + name + ".none: ", filepath.Dir(name): filepath.Dir(name) + ": ",
	} {
		read := refuse
		if file != name {
			read = func(r io.Reader) (int, error) { return 0, testkit.ErrorOf(io.ReadAll(r)) }
		}
		_, err := Parse(file, read)
		testkit.WantError(t, err, want, "%s", file)
		testkit.Equal(t, strings.Count(err.Error(), file), 1, "names of the file in %v", err)
	}
}

// Different contents have different hashes, and the same contents the same one.
func TestHash(t *testing.T) {
	hashes := map[string]string{}
	for name, fill := range map[string]func(*Hash){
		"nothing":    func(*Hash) {},
		"empty":      func(h *Hash) { h.Text("") },
		"a, b":       func(h *Hash) { h.Text("a"); h.Text("b") },
		"ab, empty":  func(h *Hash) { h.Text("ab"); h.Text("") },
		"number":     func(h *Hash) { h.Number(1) },
		"map":        func(h *Hash) { h.Map(map[string]string{"a": "b", "c": "d"}) },
		"other map":  func(h *Hash) { h.Map(map[string]string{"a": "d", "c": "b"}) },
		"no map":     func(h *Hash) { h.Map(nil); h.Number(0) },
		"not UTF-8":  func(h *Hash) { h.Text("\xff\xfe") },
		"other kind": func(h *Hash) { *h = *NewHash("other") },
	} {
		h := NewHash("kind")
		fill(h)
		testkit.Equal(t, len(h.String()), 16, "%s: length of hash %s", name, h)
		same, ok := hashes[h.String()]
		testkit.ErrorIf(t, ok, "%s has the hash of %s", name, same)
		hashes[h.String()] = name
	}
	x, y := NewHash("kind"), NewHash("kind")
	x.Text("\xff\xfe")
	y.Text("\ufffd\ufffd")
	testkit.Equal(t, x.String(), y.String(), "the hash of bytes that are not UTF-8, which JSON replaces")
}

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	open := func() *os.File {
		t.Helper()
		f := testkit.Must(os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666))(t)
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	testkit.NoError(t, Lock(first))
	err := Lock(second)
	testkit.SkipIf(t, err == nil, "files cannot be locked here")
	testkit.WantErrorIs(t, err, ErrLocked, "a second lock")
	testkit.Equal(t, lostName(second), false, "the file has lost its name")
	first.Close()
	testkit.NoError(t, Lock(second))
}

// However many want a name at once, one at a time has it, and nothing is left behind.
func TestHold(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	var holders, held atomic.Int64
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 200 {
				release, err := Hold(name)
				if err != nil {
					testkit.WantErrorIs(t, err, ErrLocked, "Hold")
					continue
				}
				testkit.Equal(t, holders.Add(1), 1, "holders")
				held.Add(1)
				holders.Add(-1)
				testkit.Equal(t, release(), nil, "release")
			}
		})
	}
	wait.Wait()
	testkit.ErrorIf(t, held.Load() == 0, "nobody ever held it")
	testkit.WantErrorIs(t, testkit.ErrorOf(os.Stat(name)), os.ErrNotExist, "the file is still there")
}

func TestLost(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f := testkit.Must(os.Create(name))(t)
	defer f.Close()
	testkit.SkipOn(t, os.Remove(name)) // not while it is open
	testkit.Equal(t, lostName(f), true, "a removed file has lost its name")
	testkit.WriteText(t, name, "")
	testkit.Equal(t, lostName(f), true, "a file replaced by another has lost its name")
}

// A pipe is not opened to find out whether it could be written: no process may read it yet, and
// one that does would see its end.
func TestCheckLeavesPipesAlone(t *testing.T) {
	pipe, done := testkit.Pipe(t), make(chan error, 1)
	go func() { done <- Check(pipe) }()
	select {
	case err := <-done:
		testkit.NoError(t, err)
	case <-time.After(10 * time.Second):
		t.Error("the check waits for a reader of the pipe")
	}
}
