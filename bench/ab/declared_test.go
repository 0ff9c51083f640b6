package ab

import (
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/report"
)

// Functions and methods whose sources differ have their names as symbols, and their lines. Comments are no difference.
func TestDeclaredChanges(t *testing.T) {
	dir := newRepository(t)
	source := func(n string) string {
		return "package p\n\ntype T[K any] struct{ k K }\n\nfunc F() int { return " + n + " }\n\n// About " + n + ".\nfunc G() {}\n\nfunc (t *T[K]) M() int { return " + n + " }\n\nfunc (t T[K]) N() int {\n\treturn " + n + "\n}\n"
	}
	base := map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "v.a/p.go": source("1"),
		"v.a/p_test.go": "package p\n\nimport \"testing\"\n\nfunc BenchmarkF(b *testing.B) { F() }\n"}
	commit(t, dir, "base", base)
	commit(t, dir, "head", map[string]string{"v.a/p.go": source("2")})
	j := newTestJob(t, between(dir, "base", "head"))
	s, err := checkOut(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := listPackages(t.Context(), j, s); err != nil {
		t.Fatal(err)
	}
	var places []report.Place
	for _, d := range declaredChanges(s) {
		places = append(places, d.Place)
	}
	want := []report.Place{{Function: "example.com/m/v%2ea.(*T).M", File: "v.a/p.go", Line: 10}, {Function: "example.com/m/v%2ea.F", File: "v.a/p.go", Line: 5},
		{Function: "example.com/m/v%2ea.T.N", File: "v.a/p.go", Line: 12}}
	if !slices.Equal(places, want) {
		t.Errorf("%+v, want %+v", places, want)
	}
	to := reach{code: report.ChangedCode, changed: []string{"example.com/m/v%2ea.BenchmarkF"}, places: []report.Place{{File: "v.a/p_test.go"}}}
	to.addDeclared(s, &testPackage{Package: &report.Package{Path: "example.com/m/v.a"}}, declaredChanges(s))
	if !slices.Equal(to.places, want) || len(to.changed) != 4 {
		t.Errorf("reached: %+v", to)
	}
	if err := j.scratch.remove(); err != nil {
		t.Error(err)
	}
}
