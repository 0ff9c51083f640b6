package safefile

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// parts returns the names of temporary files in the folder of a file.
func parts(t *testing.T, name string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(filepath.Dir(name), "*"+partEnd))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// begin starts to write a file.
func begin(t *testing.T, name, text string) *partial {
	t.Helper()
	f, err := createPartial(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, text); err != nil {
		t.Fatal(err)
	}
	return f
}

// A file appears under its name when it is saved, and not before, with the permissions
// of the file that it replaces.
func TestCreate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.txt")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := begin(t, name, "lost").Discard(); err != nil {
		t.Fatal(err)
	}
	f := begin(t, name, "new")
	if got, err := os.ReadFile(name); err != nil || string(got) != "old" {
		t.Fatalf("before it is saved the file is %q, %v", got, err)
	}
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	onlyFile(t, name, "new")
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the permissions %v, %v", info.Mode(), err)
	}
}

// Two that write the same file at once do not write into each other's, and neither
// takes what the other is writing for a leftover.
func TestCreateTwice(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.txt")
	first := begin(t, name, "first")
	second := begin(t, name, "second")
	if err := second.Save(); err != nil {
		t.Fatal(err)
	}
	if err := first.Save(); err != nil {
		t.Fatal(err)
	}
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
	sandbox.Main(m)
}

// What a killed process leaves behind is removed by the next that writes the file, and
// nothing else is.
func TestLeftoversAreRemoved(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("files may not be locked here, or not be removed while they are open")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "table")
	child := exec.Command(program)
	child.Env = append(os.Environ(), "WHOLEFILE_TEST_KILL="+name)
	if err := child.Run(); err == nil || len(parts(t, name)) != 1 {
		t.Fatalf("the child ends with %v and leaves %q", err, parts(t, name))
	}
	others := []string{name + ".backup.part", name + "2.0123456789abc.part", name + ".part", name + ".0123456789abcd.part"}
	for _, other := range others {
		if err := os.WriteFile(other, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	held := begin(t, name, "held")
	if err := Write(name, func(w io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got := parts(t, name); len(got) != len(others)+1 {
		t.Errorf("there are %q", got)
	}
	if err := held.Discard(); err != nil {
		t.Fatal(err)
	}
	if got := parts(t, name); len(got) != len(others) {
		t.Errorf("in the end there are %q", got)
	}
}

// A name as long as a file system allows is good for the temporary file, too; a longer
// one is found before anything is written.
func TestLongNames(t *testing.T) {
	folder := t.TempDir()
	for _, letter := range []string{"n", "𒌨"} {
		name := filepath.Join(folder, strings.Repeat(letter, longestName/len(letter)))
		if err := Check(name); err != nil {
			t.Fatal(err)
		}
		if err := Write(name, func(w io.Writer) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := Check(name + letter); err == nil {
			t.Errorf("a name of %d bytes is accepted", len(filepath.Base(name+letter)))
		}
	}
}

func TestCheck(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "table")
	if err := os.WriteFile(name, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Check(name); err != nil {
		t.Error(err)
	}
	onlyFile(t, name, "old")
	for _, bad := range []string{folder, filepath.Join(folder, "none", "table"), filepath.Join(name, "table")} {
		if Check(bad) == nil {
			t.Errorf("%s could be written", bad)
		}
	}
	if err := Check(os.DevNull); err != nil {
		t.Error(err)
	}
}
