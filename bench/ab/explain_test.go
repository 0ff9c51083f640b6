package ab

import (
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/report"
)

func TestParseTop(t *testing.T) {
	counts := parseTop("File: a.test\nShowing nodes\n      flat  flat%   sum%        cum   cum%\n" +
		"       120 60.00% 60.00%        200   100%  example.com/a.F\n        70 35.00% 95.00%         70 35.00%  example.com/a.(*T[...]).Get (inline)\n")
	testkit.Equal(t, counts, map[string]int{"example.com/a.F": 120, "example.com/a.(*T[...]).Get": 70}, "counts")
}

// Only differences beyond the noise of counting are named, the largest first.
func TestDifferences(t *testing.T) {
	parts := differingFunctions([2]map[string]int{{"same": 100, "less": 100, "noise": 10},
		{"same": 101, "more": 400, "less": 10, "noise": 13}}, 1000)
	testkit.ErrorIf(t, len(parts) != 2 || parts[0].Function != "more" || parts[1].Function != "less" ||
		parts[0].Delta != 400*0.01/1000 || parts[1].Delta >= 0, "%+v", parts)
}

// The function that a commit makes slower is named, and the profiles are kept.
func TestExplain(t *testing.T) {
	testkit.NeedLong(t, "measures two commits")
	dir := newRepository(t)
	rest := "\n\n//go:noinline\nfunc G() (n int) {\n\tfor i := range 100 {\n\t\tn += i * n\n\t}\n\treturn n\n}\n"
	test := strings.Replace(testOfF, "{}", "{\n\tfor range b.N {\n\t\tF()\n\t\tG()\n\t}\n}", 1)
	commit(t, dir, "one", map[string]string{"go.mod": module, "a_test.go": test,
		"a.go": strings.Replace(fastCode, "func", "//go:noinline\nfunc", 1) + rest})
	commit(t, dir, "two", map[string]string{"a.go": strings.Replace(slowCode, "func", "//go:noinline\nfunc", 1) + rest})
	o := between(dir, "one", "two")
	o.Judge, o.Explain, o.Profiles, o.sample = TimeOnly, true, t.TempDir(), sampleWork{duration: 2e7}
	o.profileTime = 5e8
	got := testkit.Must(Run(t.Context(), o))(t)
	row := find(t, got, "a.F", "sec/op")
	slower := func(p report.Part) bool { return p.Function == "example.com/a.F" && p.Delta > 0 } // other functions are noise
	testkit.ErrorIf(t, !slices.ContainsFunc(row.Parts, slower), "%+v, notes %q", row, got.Notes)
	kept, _ := filepath.Glob(filepath.Join(o.Profiles, "a.F.*.pprof"))
	files, _ := os.ReadDir(o.Profiles)
	testkit.Equal(t, len(kept), 2, "profiles of a.F in %v", files)
}
