package ab

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

func TestPlainFunction(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/v2/a.F": "example.com/v2/a.F", "a.(*T[...]).M.func1": "a.(*T).M", "x.org/a.F.func2.1": "x.org/a.F.func2.1", "x.org/a.F.func2.func1": "x.org/a.F", "a.func1": "a.func1",
	} {
		if got := plainFunction(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// A slower row points at the changed functions, or at its benchmark.
func TestPlaces(t *testing.T) {
	dir := newRepository(t)
	commit(t, dir, "one", map[string]string{"go.mod": module, "p/a.go": "package p\n\ntype T[K any] struct{}\n\nfunc (t *T[K]) M() {}\n\nfunc F() {}\n",
		"p/a_test.go": "package p\n\nimport \"testing\"\n\nfunc BenchmarkF(b *testing.B) {}\n"})
	s, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	o := DefaultOptions()
	side := newTree(dir, ".", &o, s)
	if err := side.list(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := &Package{Path: "example.com/a/p"}
	r := &runner{sides: [2]*tree{side, side}, benchmarks: []*benchmark{{name: "p.F/x", printed: "F/x", pkg: p}, {name: "p.G", printed: "G", pkg: p}}, report: &Report{Rows: []Row{
		{Name: "p.F/x", Unit: "sec/op", Verdict: verdict.Slower, Delta: 0.1, Changed: []string{"example.com/a/p.BenchmarkF", "example.com/a/p.BenchmarkF.func1"}}, {Name: "p.G", Verdict: verdict.Slower, Changed: []string{"example.com/a/p.(*T[...]).M", "fmt.Println"}},
		{Name: "p.F/x", Verdict: verdict.Faster}, {Name: "p.F/x", Verdict: verdict.Undecided, Reason: "noise"},
	}}}
	r.addPlaces()
	rows := r.report.Rows
	if !slices.Equal(rows[0].Places, []Place{{"example.com/a/p.BenchmarkF", "p/a_test.go", 5}}) || !slices.Equal(rows[1].Places, []Place{{"example.com/a/p.(*T).M", "p/a.go", 5}}) || rows[2].Places != nil {
		t.Errorf("%+v", rows)
	}
	var out bytes.Buffer
	if err := r.report.Write(&out, "github"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "::error file=p/a_test.go,line=5,title=benchmark slower::p.F/x +10.00%25") || !strings.HasPrefix(lines[2], "::warning") {
		t.Errorf("%q", lines)
	}
}
