package traincmd

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestNetReport holds that the document shows what was recorded.
func TestNetReport(t *testing.T) {
	const root = "../../../../"
	records, err := readNetRecords(root + "results/nets.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(root + "docs/learning.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), netsBegin+"\n"+string(records.table())+"\n"+netsEnd) {
		t.Error("docs/learning.md is out of date: run ur net report --docs docs/learning.md --svg docs/plots/nets.svg")
	}
	drawing, err := os.ReadFile(root + "docs/plots/nets.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(drawing, records.draw()) {
		t.Error("docs/plots/nets.svg is out of date: run ur net report --docs docs/learning.md --svg docs/plots/nets.svg")
	}
}
