package main

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The file has the paper's twelve pairs of releases, and its 57 slowdowns.
func TestPublishedFigures(t *testing.T) {
	t.Chdir("../..")
	slower, pairs := 0, map[string]bool{}
	for _, row := range readPublished() {
		pairs[row.project+row.base+row.head] = true
		if row.slower {
			slower++
		}
	}
	testkit.Equal(t, len(pairs), 12, "pairs")
	testkit.Equal(t, slower, 57, "slowdowns")
	families := map[string]int{}
	for _, r := range publishedReports() {
		for _, family := range []string{"uoptime", "flight", "aa", "planted", "small"} {
			if r.has([]string{family}) {
				families[family]++
			}
		}
	}
	testkit.Equal(t, families, map[string]int{"uoptime": 24, "flight": 24, "aa": 50, "planted": 80, "small": 12}, "trials")
}

// A plant keeps the function's name, and calls it twice on its condition.
func TestPlant(t *testing.T) {
	const source = "package p\n\n// F is.\nfunc F(a, b int, rest ...string) (n int) { return a }\n\ntype T struct{}\n\n" +
		"// G is.\nfunc (t *T) G(x int) int { return x }\n"
	for name, want := range map[string]string{
		"F": "func F(a, b int, rest ...string) (n int) {\n\tif planted++; planted == 1 {\n\t\tFPlanted(a, b, rest...)\n\t}\n" +
			"\treturn FPlanted(a, b, rest...)\n}\n\nfunc FPlanted(a, b int, rest ...string) (n int) { return a }",
		"T.G": "\treturn t.GPlanted(x)\n}\n\nfunc (t *T) GPlanted(x int) int { return x }",
	} {
		p := plant{plantedFunction{name: name}, "planted == 1", ""}
		planted := string(testkit.Must(p.change([]byte(source)))(t))
		testkit.WantText(t, planted, want)
		testkit.NoError(t, testkit.ErrorOf(parser.ParseFile(token.NewFileSet(), "", planted, 0)))
	}
	p := plant{plantedFunction{name: "G"}, "", ""}
	testkit.WantError(t, testkit.ErrorOf(p.change([]byte(source))), "no function G", "a method without its type")
}

// A trial counts what is claimed, and finds the published slowdowns in its report.
func TestTrialSummary(t *testing.T) {
	var c comparison
	testkit.NoError(t, json.Unmarshal([]byte(`{"verdict": "slower", "seconds": 9, "benchmarks": {"reached": 4, "judged": 3},
		"rows": [{"name": "p.A", "unit": "sec/op", "verdict": "slower", "delta": 0.07, "speaks": true},
			{"name": "p.A", "unit": "allocs/op", "verdict": "slower", "delta": null},
			{"name": "p.B/x", "verdict": "not-slower", "speaks": true}, {"name": "p.C", "verdict": "identical", "code": "same"},
			{"name": "q.D", "verdict": "more-work", "delta": 0.04, "speaks": true}, {"name": "q.E", "verdict": "faster", "speaks": true}]}`), &c))
	own := trial{published: []publishedRow{{benchmark: "A", slower: true}, {benchmark: "B/x", slower: true},
		{benchmark: "C", slower: true}, {benchmark: "D"}, {benchmark: "E"}}}
	want := record.Row{Name: "n", Unit: "s", Samples: 1, Median: 9, Lo: 9, Hi: 9, Note: "slower: A, D",
		Metrics: map[string]float64{"reached": 4, "judged": 3, "claimed": 2, "gains": 1, "worst": 0.07, "published": 5,
			"published_slower": 3, "slower_unreached": 1, "slower_claimed": 1, "others_claimed": 1}}
	testkit.Equal(t, own.summarize("n", c), want, "row")
}

// fakeBenchab prints a report with the number of lines in which its two commits differ, after one without a benchmark.
const fakeBenchab = `#!/bin/sh
if [ ! -e "$FIRST" ]; then touch "$FIRST"; echo '{"verdict": "undecided"}'; exit 4; fi
n=$(git diff "$1" "$2" | grep -c '^[+]	')
echo "{\"verdict\": \"slower\", \"seconds\": $n, \"benchmarks\": {\"reached\": 1, \"judged\": 1}, \"rows\": []}"
exit 3
`

// A trial plants two commits that differ in a line, and compares again where the builds took the time.
func TestTrialOfPlants(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("sh")))
	clones, programs := t.TempDir(), t.TempDir()
	t.Setenv("CLONES", clones)
	t.Setenv("FIRST", filepath.Join(programs, "first"))
	source := filepath.Join(clones, "o+m")
	testkit.NoError(t, os.Mkdir(source, 0o777))
	testkit.WriteText(t, filepath.Join(source, "m.go"), "package m\n\nfunc F(a int) int { return a }\n")
	testkit.NoError(t, os.WriteFile(filepath.Join(programs, "benchab"), []byte(fakeBenchab), 0o777))
	for _, args := range []string{"init -q", "add -A", "commit -q -m m", "tag v1"} {
		testkit.NoError(t, abtest.Git(source, strings.Fields(args)...))
	}
	f := plantedFunction{"o/m", "v1", "m.go", "F"}
	own := trial{project: f.project, base: f.commit, plants: sidesOf(f, 0)}
	found := testkit.Must(own.run(programs))(t)
	testkit.ErrorIf(t, found.Seconds != 1 || found.Verdict != "slower" || found.code != slower, "%+v", found)
	planted := filepath.Join(programs, "published", "o+m")
	diff := testkit.Run(t, exec.Command("git", "-C", planted, "diff", "planted-base", "planted-head"))
	testkit.WantText(t, diff, "== 7", "== 11")
}
