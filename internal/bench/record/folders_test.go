package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Folders of other figures stand beside those of ladders.
func TestFoldersWithoutLadderArePassedOver(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "nets")
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "search.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder without ladder alone: %v, want that there are no records", err)
	}
	records, err := Read(filepath.Join("..", "..", "..", "results"))
	if err != nil || len(records) == 0 {
		t.Fatalf("%d records of this module: %v", len(records), err)
	}
}
