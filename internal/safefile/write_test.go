package safefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// onlyFile checks that a folder has one file with a text.
func onlyFile(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
	}
	if files, err := os.ReadDir(filepath.Dir(name)); err != nil || len(files) != 1 {
		t.Errorf("%d files beside it, %v", len(files), err)
	}
}

func TestWrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table")
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error {
			if _, err := os.Stat(name); err == nil && text != "2" {
				t.Errorf("%s is there before it is complete", name)
			}
			_, err := io.WriteString(w, text)
			return err
		}
	}
	if err := Write(name, write("1")); err != nil {
		t.Fatal(err)
	}
	onlyFile(t, name, "1")
	if err := Write(name, write("2")); err != nil {
		t.Fatal(err)
	}
	onlyFile(t, name, "2")

	broken := errors.New("broken")
	err := Write(name, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half of"); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the write", err)
	}
	onlyFile(t, name, "2")
	if err := Write(filepath.Dir(name), write("3")); err == nil {
		t.Error("a folder is written over")
	}
	onlyFile(t, name, "2")
}

// Of a link, what it points to is replaced.
func TestWriteThroughLink(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(name, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(name, link); err != nil {
		t.Skip(err)
	}
	err := Write(link, func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	onlyFile(t, name, "new")
	if target, err := os.Readlink(link); err != nil || target != name {
		t.Errorf("the link points to %s, %v", target, err)
	}
}
