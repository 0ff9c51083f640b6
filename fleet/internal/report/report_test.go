package report

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The tables of docs/fleet.md and its plot are those of the record.
func TestDocumentIsOfTheRecord(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	r, err := Read(filepath.Join(root, "results", "fleet.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Figures) == 0 || len(r.Simulation.Runs) == 0 {
		t.Fatalf("the record has %d figures and %d simulations", len(r.Figures), len(r.Simulation.Runs))
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "fleet.md"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := r.Replace(string(text))
	if err != nil || want != string(text) {
		t.Errorf("docs/fleet.md is not of results/fleet.json (%v): go run ./fleet/internal/measure -what none", err)
	}
	svg, err := os.ReadFile(filepath.Join(root, "docs", "plots", "fleet.svg"))
	if err != nil || !bytes.Equal(svg, r.Plot()) {
		t.Errorf("docs/plots/fleet.svg is not of results/fleet.json (%v): go run ./fleet/internal/measure -what none", err)
	}
}

// A record comes back from its file; a figure is replaced by one of its name.
func TestRecordComesBack(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fleet.json")
	r, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	r.Put(Figure{Measure: "a", Result: "1"})
	r.Put(Figure{Measure: "b"})
	r.Put(Figure{Measure: "a", Result: "2"})
	if err := r.Write(name); err != nil {
		t.Fatal(err)
	}
	again, err := Read(name)
	if err != nil || len(again.Figures) != 2 || again.Figures[0].Result != "2" {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := r.Replace("no marks"); err == nil {
		t.Error("a document without places for the tables was taken")
	}
	if err := os.WriteFile(name, []byte(`{"schema":"x"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name); err == nil {
		t.Error("a file of another schema was read")
	}
}
