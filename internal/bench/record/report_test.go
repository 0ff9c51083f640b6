package record

import (
	"bytes"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/golden"
)

func exampleRecords() []Record {
	one := Record{Slug: "a", Results: exampleResults(), Environment: exampleEnvironment()}
	two := one
	two.Slug, two.Environment.CPU, two.Environment.Family = "b", "Other 1", 0
	two.Environment.Model = 0
	two.Results.Rows = one.Results.Rows[:8]
	return []Record{one, two}
}

func TestReport(t *testing.T) {
	var text bytes.Buffer
	if err := WriteReport(&text, exampleRecords()); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "report.md", text.Bytes())
}
