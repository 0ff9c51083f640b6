package wholefile

import (
	"os"
	"path/filepath"
	"testing"
)

// A file appears under its name when it is saved, and not before.
func TestSavedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.txt")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	write := func(text string) *File {
		f, err := Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != "old" {
			t.Fatalf("before it is saved the file is %q, %v", got, err)
		}
		return f
	}
	write("lost").Discard()
	if err := write("new").Save(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "new" {
		t.Errorf("the file is %q, %v", got, err)
	}
	if files, err := filepath.Glob(name + "*"); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
}
