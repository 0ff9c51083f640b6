package playcmd

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/play"
)

var updateLevels = flag.Bool("update-levels", false, "write the table of docs/levels.md from docs/levels.json")

// The page of levels says what was measured, of the levels as they are.
func TestLevelsPage(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "..", "docs")
	text, err := os.ReadFile(filepath.Join(docs, "levels.json"))
	if err != nil {
		t.Fatal(err)
	}
	var measured struct {
		Pieces, Games int
		Seed          uint64
		Levels        []levelReport
	}
	if err := json.Unmarshal(text, &measured); err != nil {
		t.Fatal(err)
	}
	if len(measured.Levels) != play.MaxLevel {
		t.Fatalf("%d levels were measured, there are %d", len(measured.Levels), play.MaxLevel)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "\n%d pieces, %d games, seed %d\n\n| level | temperature | regret | optimal | score |\n|---|---|---|---|---|\n", measured.Pieces, measured.Games, measured.Seed)
	for i, r := range measured.Levels {
		temperature, score := "perfect", "-"
		if r.Level < play.MaxLevel {
			l, err := play.NewLevel(r.Level)
			if err != nil || r.Level != i+1 || l.Temperature() != r.Temperature {
				t.Errorf("level %d has another temperature than when it was measured: run ur levels --json again", r.Level)
			}
			temperature = fmt.Sprint(r.Temperature)
			score = fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100**r.Score, 100**r.Low, 100**r.High)
		}
		fmt.Fprintf(&table, "| %d | %s | %.3f | %.1f %% | %s |\n", r.Level, temperature, *r.Regret, 100**r.Optimal, score)
	}
	table.WriteByte('\n')
	name := filepath.Join(docs, "levels.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(page), "<!-- levels: generated -->\n")
	_, tail, found := strings.Cut(rest, "<!-- end of levels -->\n")
	want := head + "<!-- levels: generated -->\n" + table.String() + "<!-- end of levels -->\n" + tail
	if !found {
		t.Fatalf("%s has no marks for the table", name)
	}
	if *updateLevels {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(page) != want {
		t.Errorf("%s is not what docs/levels.json says: go test ./cmd/ur/internal/playcmd -run Levels -update-levels", name)
	}
}
