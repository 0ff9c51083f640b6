package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// A file is written in the form of its ending, and not over another.
func TestWriteNewFile(t *testing.T) {
	g := &Game{Rules: board.Finkel(), Pieces: 7, Players: [2]string{"a", "b"}, Turns: []Turn{{Roll: 2, From: 0}, {Roll: 0, From: Pass}}}
	for ending, want := range map[string]string{".jsonl": `"turns":"2in-A3 0"`, ".txt": "1 L 2 in-A3", ".rgn": "1. A@A3", ".royalur": `"notation_version"`} {
		name := filepath.Join(t.TempDir(), "game"+ending)
		if err := WriteNewFile(name, g); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s, %v: want %s", text, err, want)
		}
		if err := WriteNewFile(name, g); err == nil || !strings.Contains(err.Error(), "exists (want another name)") {
			t.Errorf("it is replaced: %v", err)
		}
	}
	if err := WriteNewFile(filepath.Join(t.TempDir(), "game.pgn"), g); err == nil || !strings.Contains(err.Error(), "not of a format of records") {
		t.Errorf("an unknown extension: %v", err)
	}
	wrong := filepath.Join(t.TempDir(), "game.txt")
	if err := WriteNewFile(wrong, &Game{Rules: board.Finkel(), Pieces: 7, Turns: []Turn{{Roll: 9}}}); err == nil {
		t.Error("a game that is none is written")
	}
	if err := WriteNewFile(wrong, &Game{Pieces: 7}); err == nil || !strings.Contains(err.Error(), "without rules") {
		t.Errorf("a game without rules: %v", err)
	}
	if _, err := os.Lstat(wrong); err == nil {
		t.Error("something is left of it")
	}
}
