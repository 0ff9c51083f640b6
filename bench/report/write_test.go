package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// A slower row points at the changed functions, one that is blind gets a warning.
func TestAnnotations(t *testing.T) {
	r := &Report{Rows: []Row{
		{Name: "p.F/x", Unit: "sec/op", Verdict: verdict.Slower, Delta: 0.1, Places: []Place{{"example.com/a/p.F", "p/a.go", 5}}}, {Name: "p.G", Verdict: verdict.Slower},
		{Name: "p.F/x", Verdict: verdict.Faster}, {Name: "p.F/x", Verdict: verdict.Undecided, Reason: "noise", Sight: 0.5, Speaks: true}, {Name: "p.H", Verdict: verdict.Undecided, Sight: 0.1},
	}}
	r.Decide(false, false)
	var out bytes.Buffer
	if err := r.Write(&out, "github"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "::error file=p/a.go,line=5,title=benchmark slower::p.F/x +10.00%25") ||
		!strings.HasPrefix(lines[1], "::error title=") || !strings.HasPrefix(lines[2], "::warning") {
		t.Errorf("%q", lines)
	}
}
