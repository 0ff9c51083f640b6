package safefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(name, []byte("12345678"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := Read(name, 8); err != nil || string(text) != "12345678" {
		t.Errorf("a file as large as may be: %q, %v", text, err)
	}
	if text, err := Read(name, 7); text != nil || err == nil || !strings.Contains(err.Error(), name+": larger than") {
		t.Errorf("a file that is too large: %q, %v", text, err)
	}
	if _, err := Read(name+".none", 8); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Read(filepath.Dir(name), 8); err == nil {
		t.Error("a folder is read")
	}
}
