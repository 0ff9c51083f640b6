package traincmd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/train"
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

// TestStudyRecord holds that the document shows the study of which the defaults are the best
// point, and that its drawing is of the record.
func TestStudyRecord(t *testing.T) {
	const root = "../../../../"
	record, err := os.ReadFile(root + "results/td-study.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := bytes.Cut(record, []byte("\n"))
	var study train.Study
	if err := json.Unmarshal(first, &study); err != nil {
		t.Fatal(err)
	}
	results, _, err := study.ReadResults(bytes.NewReader(record))
	if err != nil {
		t.Fatal(err)
	}
	drawing, err := os.ReadFile(root + "docs/plots/td-study.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(drawing, train.DrawStudy(results)) {
		t.Error("docs/plots/td-study.svg is out of date")
	}
	var table bytes.Buffer
	if err := train.WriteStudyTable(&table, results); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(root + "docs/learning.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "```\n"+table.String()+"```\n") {
		t.Errorf("docs/learning.md is out of date: the table is\n%s", table.String())
	}
	best := slices.MinFunc(results, func(a, b train.StudyResult) int {
		x, _ := a.Regret()
		y, _ := b.Regret()
		return cmp.Compare(x, y)
	})
	if best.Point.Lambda != train.DefaultLambda || best.Point.Rate != train.DefaultTDRate {
		t.Errorf("the best point is %s, which is not that of the defaults", best.Point)
	}
}
