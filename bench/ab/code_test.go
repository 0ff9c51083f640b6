package ab

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// newTestRun returns a run whose folder goes with the test.
func newTestRun(t *testing.T, o Options) *frame.Run {
	t.Helper()
	r := testkit.Must(o.begin())(t)
	t.Cleanup(func() { testkit.NoError(t, r.Scratch.Remove()) })
	return r
}

// checkOut writes the files of both sides of a run.
func checkOut(t *testing.T, o Options) *source.Sides {
	t.Helper()
	return testkit.Must(source.CheckOut(t.Context(), o.request(newTestRun(t, o))))(t)
}

// codesOf builds two commits, and returns the code of all benchmarks by package and function.
func codesOf(t *testing.T, dir, base, head string) (map[string]report.Code, reach.Packages, *build.Builds) {
	t.Helper()
	b := testkit.Must(build.Build(t.Context(), checkOut(t, between(dir, base, head))))(t)
	reached := reach.Find(b)
	codes := make(map[string]report.Code)
	for _, p := range reached {
		testkit.MustEqual(t, p.Error, "", "error of %s", p.Path)
		for function, to := range p.Reach {
			codes[filepath.Base(p.Path)+"."+strings.TrimPrefix(function, "Benchmark")] = to.Code
		}
	}
	return codes, reached, b
}

// change is a change of one file of a package.
type change struct {
	files          map[string]string // beside the benchmarks F, which calls f(n), and Other
	file, from, to string
	want           report.Code // of F; Other is the same
}

// benchmarks are the test files of packages for changes.
const benchmarks = `package PACKAGE

import "testing"

var sink any

func BenchmarkF(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = f(i)
	}
}

func BenchmarkOther(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = other(i)
	}
}

func other(n int) int { return n + 1 }
`

// kindsOfChange are changes of every kind of code and data that a benchmark reaches.
var kindsOfChange = map[string]change{
	"text": {map[string]string{"a.go": "package text\n\nfunc f(n int) string { return \"abcdefgh\"[n&7:] }\n"}, "a.go",
		"defg", "dxfg", report.ChangedCode},
	"table": {map[string]string{"a.go": "package table\n\nconst bits = \"\\x01\\x02\\x03\\x04\"\n\nfunc f(n int) byte { return bits[n&3] }\n"}, "a.go", "x03", "x07", report.ChangedCode},
	"stringer": {map[string]string{"a.go": "package stringer\n\ntype kind int\n\nconst name = \"onetwothree\"\n\nvar index = [...]uint8{0, 3, 6, 11}\n\n" +
		"func (k kind) String() string { return name[index[k]:index[k+1]] }\n\nfunc f(n int) string { return kind(n & 1).String() }\n"}, "a.go", "3, 6, 11", "3, 5, 11", report.ChangedCode},
	"array": {map[string]string{"a.go": "package array\n\nvar squares = [4]int{0, 1, 4, 9}\n\nfunc f(n int) int { return squares[n&3] }\n"}, "a.go", "4, 9", "4, 8", report.ChangedCode},
	"embedded": {map[string]string{"a.go": "package embedded\n\nimport _ \"embed\"\n\n//go:embed words.txt\nvar words string\n\nfunc f(n int) byte { return words[n&3] }\n", "words.txt": "one two"},
		"words.txt", "two", "six", report.ChangedCode},
	"large": {map[string]string{"a.go": "package large\n\nimport _ \"embed\"\n\n//go:embed words.bin\nvar words []byte\n\nfunc f(n int) byte { return words[n&3] }\n", "words.bin": strings.Repeat("word ", 1000) + "end"},
		"words.bin", "end", "and", report.ChangedCode},
	"iface": {map[string]string{"a.go": "package iface\n\ntype shape interface{ area() int }\n\ntype square int\n\nfunc (s square) area() int { return int(s * s) }\n\nvar shapes = []shape{square(1), square(2)}\n\n" +
		"func f(n int) int { return shapes[n&1].area() }\n"}, "a.go", "s * s", "s*s + 1", report.ChangedCode},
	"reflected": {map[string]string{"a.go": "package reflected\n\nimport \"reflect\"\n\ntype T struct{}\n\nfunc (T) Get() int { return 1 }\n\n" +
		"func f(n int) any { return reflect.ValueOf(T{}).MethodByName(\"Get\").Call(nil) }\n"}, "a.go", "return 1", "return 2", report.ChangedCode},
	"closure": {map[string]string{"a.go": "package closure\n\nvar all = [2]func() int{func() int { return 1 }, func() int { return 2 }}\n\nfunc f(n int) int { return all[n&1]() }\n"},
		"a.go", "return 2", "return 3", report.ChangedCode},
	"generic": {map[string]string{"a.go": "package generic\n\n//go:noinline\nfunc add[T int | float64](x T) T { return x + 1 }\n\nfunc f(n int) int { return add(n) }\n"}, "a.go", "x + 1", "x + 2", report.ChangedCode},
	"channel": {map[string]string{"a.go": "package channel\n\n//go:noinline\nfunc count[T any](x ...T) int { return len(x) + 1 }\n\n" +
		"func f(n int) int { return count(func(int, <-chan int) {}) }\n"}, "a.go", "len(x) + 1", "len(x) + 2", report.ChangedCode},
	"linked": {map[string]string{"a.go": "package linked\n\nimport (\n\t_ \"unsafe\"\n\n\t_ \"example.com/code/linked/inner\"\n)\n\n//go:linkname pulled example.com/code/linked/inner.hidden\nfunc pulled(int) int\n\nfunc f(n int) int { return pulled(n) }\n",
		"inner/inner.go": "package inner\n\n//go:noinline\nfunc hidden(n int) int { return n * 3 }\n", "a.s": "// Empty: functions may lack a body.\n"}, "inner/inner.go", "n * 3", "n * 5", report.ChangedCode},
	"tagged": {map[string]string{"a.go": "//go:build !never\n\npackage tagged\n\nfunc f(n int) int { return n * 3 }\n",
		"b.go": "//go:build never\n\npackage tagged\n\nfunc f(n int) int { return n * 5 }\n"},
		"a.go", "!never", "!never && unix", report.SameCode}, // the same file is built
	"asm": {map[string]string{"a.go": "package asm\n\nconst more = 3\n\nfunc add(n int64) int64\n\nfunc f(n int) int64 { return add(int64(n)) }\n",
		"a_amd64.s": "#include \"textflag.h\"\n#include \"go_asm.h\"\n\nTEXT ·add(SB), NOSPLIT, $0-16\n\tMOVQ n+0(FP), AX\n\tADDQ $const_more, AX\n\tMOVQ AX, ret+8(FP)\n\tRET\n"}, "a.go", "more = 3", "more = 5", report.ChangedCode},
	"data": {map[string]string{"a.go": "package data\n\nimport \"os\"\n\nfunc f(n int) any { text, _ := os.ReadFile(\"words.txt\"); return text }\n", "words.txt": "one two"}, "words.txt", "two", "six", report.UnknownCode},
	"above": {map[string]string{"a.go": "package above\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc f(n int) any {\n\tdir, _ := filepath.Abs(\".\")\n" +
		"\ttext, _ := os.ReadFile(filepath.Join(filepath.Dir(dir), \"above.txt\"))\n\treturn text\n}\n", "../above.txt": "one two"}, "../above.txt", "two", "six", report.UnknownCode},
	"cgo": {map[string]string{"a.go": "package cgo\n\n// static int add(int n) { return n + 1; }\nimport \"C\"\n\nfunc f(n int) int { return int(C.add(C.int(n))) }\n"},
		"a.go", "n + 1", "n + 2", report.ChangedCode},
}

// A change of anything that a benchmark reaches counts, and does not count for benchmarks that do
// not reach it. Every kind costs the links of both sides: most run with UR_LONG.
func TestChangedCode(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "builds test binaries")
	dir := newRepository(t)
	before, after := map[string]string{"go.mod": "module example.com/code\n\ngo 1.22\n"}, map[string]string{}
	kinds := maps.Clone(kindsOfChange)
	maps.DeleteFunc(kinds, func(name string, _ change) bool {
		return !testkit.Long() && name != "iface" && name != "data" || name == "asm" && runtime.GOARCH != "amd64"
	})
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	compiler := append(strings.Fields(string(out)), "", "")
	if err != nil || compiler[0] != "1" || testkit.ErrorOf(exec.LookPath(compiler[1])) != nil {
		delete(kinds, "cgo") // it needs the user's compiler
	}
	for name, c := range kinds {
		before[name+"/a_test.go"] = strings.Replace(benchmarks, "PACKAGE", name, 1)
		for file, text := range c.files {
			before[name+"/"+file] = text
		}
		text := c.files[c.file]
		testkit.FatalIf(t, !strings.Contains(text, c.from), "%s: no %q in %q", name, c.from, text)
		after[name+"/"+c.file] = strings.Replace(text, c.from, c.to, 1)
	}
	commit(t, dir, "one", before)
	commit(t, dir, "two", after)
	codes, reached, _ := codesOf(t, dir, "one", "two")
	for name, c := range kinds {
		other := report.SameCode
		if c.want == report.UnknownCode || name == "cgo" { // files that any benchmark of the package may read, or sources in C
			other = c.want
		}
		testkit.ErrorIf(t, codes[name+".F"] != c.want || codes[name+".Other"] != other,
			"%s: code of F is %s (want %s), of Other %s (want %s)", name, codes[name+".F"], c.want,
			codes[name+".Other"], other)
	}
	for _, p := range reached {
		testkit.ErrorIf(t, filepath.Base(p.Path) == "iface" &&
			!slices.Contains(p.Reach["BenchmarkF"].Changed, "example.com/code/iface.square.area"),
			"%s: reaches %+v", p.Path, p.Reach)
	}
}

// Settings of the runtime, and a profile of the optimizer, count for all benchmarks. Comments,
// documents and files of other packages do not.
func TestChangedSettings(t *testing.T) {
	dir := newRepository(t)
	test := strings.Replace(benchmarks, "PACKAGE", "main", 1)
	code := "package main\n\nfunc f(n int) int { return n * 3 }\n\nfunc main() {}\n"
	commit(t, dir, "base", map[string]string{"go.mod": "module example.com/code\n\ngo 1.21\n", "a.go": code,
		"a_test.go": test,
		"p/p.go":    "package p\n", "p/testdata/x": "one"})
	for _, c := range []struct {
		name  string
		files map[string]string
		want  report.Code // "" is not built at all
	}{
		{"documents",
			map[string]string{"README.md": "two", "docs/x.md": "x", ".github/workflows/x.yml": "x", "LICENSE": "x"}, ""},
		{"comment", map[string]string{"a.go": "// Command code does nothing.\n" + code}, ""},
		{"other package", map[string]string{"p/p.go": "package p\n\nvar X = 1\n", "p/testdata/x": "two"},
			report.SameCode},
		{"more tests", map[string]string{"b_test.go": "package main\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { f(1) }\n"}, report.SameCode},
		{"go line", map[string]string{"go.mod": "module example.com/code\n\ngo 1.22\n"}, report.UnknownCode},
	} {
		if !testkit.Long() { // other tests build the same, or nothing, as well
			continue
		}
		runGit(t, dir, "checkout", "-q", "-B", "main", "base")
		tag := strings.ReplaceAll(c.name, " ", "-")
		commit(t, dir, tag, c.files)
		codes, _, b := codesOf(t, dir, "base", tag)
		testkit.Equal(t, codes["code.F"], c.want, "%s, with the notes %q: code", c.name, b.Remarks)
		testkit.NoError(t, b.Scratch.Remove())
	}
	// Lists of packages show these, so nothing is built here.
	for name, files := range map[string]map[string]string{
		"godebug": {"go.mod": "module example.com/code\n\ngo 1.21\n\ngodebug panicnil=1\n"},
		"debug":   {"b_test.go": "//go:debug panicnil=1\npackage main\n"},
		"data":    {"words.txt": "one"},
	} {
		runGit(t, dir, "checkout", "-q", "-B", "main", "base")
		commit(t, dir, name, files)
		s := checkOut(t, between(dir, "base", name))
		testkit.NoError(t, listTrees(t, s))
		data := slices.DeleteFunc(slices.Clone(s.Changed), func(name string) bool { return !s.IsData(name) })
		why := reach.WhyAllChanged(s, "example.com/code")
		testkit.Equal(t, why == "", name == "data", "%s: no reason that all changed, but %q", name, why)
		testkit.Equal(t, s.ReadsChanged("example.com/code", data), name == "data", "%s: reads %q", name, data)
		testkit.NoError(t, s.Scratch.Remove())
	}
	s := &source.Sides{Changed: []string{"default.pgo"}, Current: -1}
	for side := range s.Trees {
		s.Trees[side] = &source.Tree{Root: "/src", Dir: "/src", Stored: "/stored",
			Packages: map[string]*source.Package{"example.com/code": {Dir: "/src"}}}
	}
	testkit.WantText(t, reach.WhyAllChanged(s, "example.com/code"), "profile")
}

// listTrees lists the packages of both sides.
func listTrees(t *testing.T, s *source.Sides) error {
	return s.Each(func(side int) error { return s.Trees[side].List(t.Context()) })
}

// define adds a function whose bytes a number stands for.
func define(p *code.Programs, name string, content byte, refs ...string) {
	p.Add("", name, &code.Symbol{IsFunction: true, Digest: [sha256.Size]byte{content}, Refs: refs})
}

// Packages with definitions of one symbol are read in any order. Definitions that a program and a variant share are
// one.
func TestReadCodeInAnyOrder(t *testing.T) {
	codeOf := func(contents ...[]byte) report.Code {
		var sides [2]*code.Programs
		for side := range sides {
			sides[side] = code.NewPrograms()
			define(sides[side], "p.BenchmarkF", 1, "lib.Get[go.shape.int]")
			for _, content := range contents[side] {
				name := fmt.Sprintf("p%d..stmp_1", content&^1)
				define(sides[side], "lib.Get[go.shape.int]", 1, name)
				define(sides[side], name, content)
			}
		}
		sides[frame.New].Add("p", "p.BenchmarkF", sides[frame.New].Symbols[""]["p.BenchmarkF"][0])
		return reach.Compare(sides, "p", nil, nil).Of("BenchmarkF", "").Code
	}
	testkit.Equal(t, codeOf([]byte{2, 4}, []byte{4, 2}), report.SameCode, "the same packages in another order")
	testkit.Equal(t, codeOf([]byte{2, 4}, []byte{4, 3}), report.ChangedCode, "a definition that differs")
}

// Functions and methods whose sources differ have their names as symbols, and their lines. Comments are no difference.
func TestDeclaredChanges(t *testing.T) {
	dir := newRepository(t)
	textOf := func(n string) string {
		return "package p\n\ntype T[K any] struct{ k K }\n\nfunc F() int { return " + n + " }\n\n// About " + n +
			".\nfunc G() { F() }\n\nfunc (t *T[K]) M() int { return " + n +
			" }\n\nfunc (t T[K]) N() int {\n\treturn " + n + "\n}\n"
	}
	base := map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "v.a/p.go": textOf("1"),
		"v.a/p_test.go": "package p\n\nimport \"testing\"\n\nfunc BenchmarkF(b *testing.B) { F() }\n"}
	commit(t, dir, "base", base)
	commit(t, dir, "head", map[string]string{"v.a/p.go": textOf("2")})
	s := checkOut(t, between(dir, "base", "head"))
	testkit.NoError(t, listTrees(t, s))
	sources := reach.CompareSources(s)
	var places []report.Place
	for _, d := range sources.Changes {
		places = append(places, d.Place)
	}
	method, f, other := report.Place{Function: "example.com/m/v%2ea.(*T).M", File: "v.a/p.go", Line: 10},
		report.Place{Function: "example.com/m/v%2ea.F", File: "v.a/p.go", Line: 5},
		report.Place{Function: "example.com/m/v%2ea.T.N", File: "v.a/p.go", Line: 12}
	testkit.Equal(t, places, []report.Place{method, f, other}, "changes")
	testkit.Equal(t, sources.Same, map[string]bool{"example.com/m/v%2ea.G": true}, "the same")
	shaped := method
	shaped.Function = "example.com/m/v%2ea.(*T[go.shape.int]).M"
	caller := report.Place{Function: "example.com/m/v%2ea.G", File: "v.a/p.go", Line: 8}
	test, direct := report.Place{Function: "example.com/m/v%2ea.BenchmarkG.func1", File: "v.a/p_test.go"},
		report.Place{Function: "example.com/m/v%2ea.BenchmarkF.func1", File: "v.a/p_test.go"}
	const path = "example.com/m/v.a"
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
		c := &reach.Comparison{Sides: [2]*code.Programs{code.NewPrograms(), code.NewPrograms()}, Program: path}
		c.Sides[frame.New].Linked[path] = make(map[string]bool)
		for _, name := range test.linked {
			c.Sides[frame.New].Linked[path][name] = true
		}
		to := reach.Change{Code: report.ChangedCode, Places: test.places}
		to.UsePlaces(s, report.HeadTests, c, sources)
		testkit.Equal(t, to.Places, test.want, "%s", test.name)
	}
	testkit.NoError(t, s.Scratch.Remove())
}

// A sample counts for the innermost place with a name, also where that is inlined.
func TestSumSamples(t *testing.T) {
	at := func(names ...string) *profile.Location {
		l := &profile.Location{}
		for _, name := range names {
			l.Line = append(l.Line, profile.Line{Function: &profile.Function{Name: name}})
		}
		return l
	}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples"}, {Type: "cpu"}}, Sample: []*profile.Sample{
		{Value: []int64{2, 70}, Location: []*profile.Location{at("runtime.x"), at("a.F", "a.G")}},
		{Value: []int64{3, 80}, Location: []*profile.Location{at("a.F", "b.H")}},
		{Value: []int64{5, 90}, Location: []*profile.Location{{Line: []profile.Line{{}}}, at("b.H")}},
	}}
	for _, test := range []struct {
		value, prefix string
		want          map[string]int
	}{
		{"samples", "", map[string]int{"runtime.x": 2, "a.F": 3, "b.H": 5}}, {"cpu", "a.", map[string]int{"a.F": 150}},
		{"alloc_space", "", map[string]int{}},
	} {
		got := sumSamples(p, test.value, func(place profile.Line) string {
			if strings.HasPrefix(place.Function.Name, test.prefix) {
				return place.Function.Name
			}
			return ""
		})
		testkit.Equal(t, got, test.want, "%s from %q", test.value, test.prefix)
	}
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
	o.Judge, o.Explain, o.Profiles, o.sample = TimeOnly, true, t.TempDir(), timing.Work{Duration: 2e7}
	o.profileTime = 5e8
	got := testkit.Must(Run(t.Context(), o))(t)
	row := find(t, got, "a.F", "sec/op")
	slower := func(p report.Part) bool { return p.Function == "example.com/a.F" && p.Delta > 0 } // other functions are noise
	testkit.ErrorIf(t, !slices.ContainsFunc(row.Parts, slower), "%+v, notes %q", row, got.Notes)
	kept, _ := filepath.Glob(filepath.Join(o.Profiles, "a.F.*.pprof"))
	files, _ := os.ReadDir(o.Profiles)
	testkit.Equal(t, len(kept), 2, "profiles of a.F in %v", files)
}
