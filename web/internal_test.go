package web

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// LimitAnswers sets how long an answer may take to be written, for tests that cannot wait
// for what the server allows.
func (s *Server) LimitAnswers(d time.Duration) { s.writeTime = d }

// An export that did not end leaves a folder that a second one may replace.
func TestBrokenExport(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "blocked"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{engineFile: nil, "a": nil, "blocked/file": nil, "z": nil}
	if err := writeFiles(folder, files); err == nil {
		t.Fatal("wrote below a file")
	}
	if err := checkFolder(folder, true); err != nil {
		t.Error(err)
	}
	if err := checkFolder(folder, false); !errors.Is(err, ErrExported) {
		t.Errorf("error %v", err)
	}
}
