package ab

import (
	"testing"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Functions and methods whose sources differ have their names as symbols, and their lines. Comments are no difference.
func TestDeclaredChanges(t *testing.T) {
	dir := newRepository(t)
	source := func(n string) string {
		return "package p\n\ntype T[K any] struct{ k K }\n\nfunc F() int { return " + n + " }\n\n// About " + n +
			".\nfunc G() { F() }\n\nfunc (t *T[K]) M() int { return " + n +
			" }\n\nfunc (t T[K]) N() int {\n\treturn " + n + "\n}\n"
	}
	base := map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "v.a/p.go": source("1"),
		"v.a/p_test.go": "package p\n\nimport \"testing\"\n\nfunc BenchmarkF(b *testing.B) { F() }\n"}
	commit(t, dir, "base", base)
	commit(t, dir, "head", map[string]string{"v.a/p.go": source("2")})
	j := newTestJob(t, between(dir, "base", "head"))
	s := testkit.Must(checkOut(t.Context(), j))(t)
	testkit.Must(listPackages(t.Context(), j, s))(t)
	sources := compareSources(s)
	var places []report.Place
	for _, d := range sources.changes {
		places = append(places, d.Place)
	}
	method, f, other := report.Place{Function: "example.com/m/v%2ea.(*T).M", File: "v.a/p.go", Line: 10},
		report.Place{Function: "example.com/m/v%2ea.F", File: "v.a/p.go", Line: 5},
		report.Place{Function: "example.com/m/v%2ea.T.N", File: "v.a/p.go", Line: 12}
	testkit.Equal(t, places, []report.Place{method, f, other}, "changes")
	testkit.Equal(t, sources.same, map[string]bool{"example.com/m/v%2ea.G": true}, "the same")
	shaped := method
	shaped.Function = "example.com/m/v%2ea.(*T[go.shape.int]).M"
	caller := report.Place{Function: "example.com/m/v%2ea.G", File: "v.a/p.go", Line: 8}
	test, direct := report.Place{Function: "example.com/m/v%2ea.BenchmarkG.func1", File: "v.a/p_test.go"},
		report.Place{Function: "example.com/m/v%2ea.BenchmarkF.func1", File: "v.a/p_test.go"}
	p := &testPackage{Package: &report.Package{Path: "example.com/m/v.a"}, tests: report.HeadTests}
	for _, test := range []struct {
		name         string
		places, want []report.Place
		linked       []string
	}{
		{"a changed function", []report.Place{shaped}, []report.Place{shaped}, []string{f.Function}},
		{"inlined into a benchmark", []report.Place{direct}, []report.Place{f}, []string{other.Function}},
		{"inlined into a function beside it", []report.Place{caller}, []report.Place{f}, []string{caller.Function}},
		{"inlined into a function in between", []report.Place{test}, []report.Place{method, f},
			[]string{other.Function}},
		{"inlined, and called by others", []report.Place{caller}, []report.Place{method, f, other},
			[]string{shaped.Function, f.Function, other.Function}},
		{"a changed function inlined into others", []report.Place{shaped, caller}, []report.Place{shaped},
			[]string{shaped.Function, f.Function, other.Function}},
	} {
		c := &comparison{linkedPair: linkedPair{[2]*programs{newPrograms(), newPrograms()}, p.Path}}
		c.sides[newSide].linked[p.Path] = make(map[string]bool)
		for _, name := range test.linked {
			c.sides[newSide].linked[p.Path][name] = true
		}
		to := reach{code: report.ChangedCode, places: test.places}
		to.usePlaces(s, p, c, sources)
		testkit.Equal(t, to.places, test.want, "%s", test.name)
	}
	testkit.NoError(t, j.scratch.remove())
}
