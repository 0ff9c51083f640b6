package ab

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/long"
)

// linkTest builds the test binary of a package with an order of functions.
func linkTest(t *testing.T, dir, goarch, layout string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.test")
	cmd := exec.Command("go", "test", "-c", "-trimpath", "-ldflags=-w -randlayout="+layout, "-o", path, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOOS=linux")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// codeModule is a module with two benchmarks, of which only one calls Grow.
var codeModule = map[string]string{
	"go.mod": "module example.com/code\n\ngo 1.22\n",
	"code.go": `package code

import "strings"

type Shape interface{ Area() int }

type Square struct{ side int }

func (s Square) Area() int { return s.side * s.side }

var table = [4]int{1, 2, 3, 4}

//go:noinline
func Grow(n int) string { return strings.Repeat("grow", n) }

//go:noinline
func Sum(shapes []Shape) (sum int) {
	for i, s := range shapes {
		sum += s.Area() * table[i&3]
	}
	return sum
}
`,
	"code_test.go": `package code

import "testing"

var sink any

func BenchmarkGrow(b *testing.B) {
	b.Run("n=3", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sink = Grow(3)
		}
	})
}

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = Sum([]Shape{Square{2}, Square{i}})
	}
}
`,
}

// moduleWith writes codeModule with a text of a file replaced.
func moduleWith(t *testing.T, file, from, to string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range codeModule {
		if name == file {
			if !strings.Contains(text, from) {
				t.Fatalf("%s has no %q", file, from)
			}
			text = strings.Replace(text, from, to, 1)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// layouts returns the number of layouts to compare: equal code must be found equal at other addresses.
func layouts(changed string) int {
	if changed == "" {
		return 2
	}
	return long.N(1, 2)
}

// The machine code of two links is the same, and a change is found by those benchmarks that
// can reach it: in a function, a method that is called through an interface, a text, a
// table, and the benchmark itself.
func TestCompareCode(t *testing.T) {
	if testing.Short() {
		t.Skip("builds test binaries")
	}
	standard := make(map[string]bool)
	list, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(list)) {
		standard[name] = true
	}
	base := moduleWith(t, "", "", "")
	for _, goarch := range []string{"amd64", "arm64"}[:long.N(1, 2)] {
		before := linkTest(t, base, goarch, "1")
		for i, c := range []struct{ file, from, to, changed string }{
			{"code.go", "package code", "package code\n\n// A comment.", ""},
			{"code_test.go", "var sink any", "var sink any\n\nfunc TestMore(t *testing.T) { t.Log(\"more\", len(Grow(3))) }", ""},
			{"code.go", `Repeat("grow", n)`, `Repeat("grow", n+1)`, "Grow"},
			{"code.go", `Repeat("grow", n)`, `Repeat("prow", n)`, "Grow"},
			{"code.go", "s.side * s.side", "s.side * s.side / 3", "Sum"},
			{"code.go", "{1, 2, 3, 4}", "{1, 2, 3, 5}", "Sum"},
			{"code_test.go", "Grow(3)", "Grow(4)", "Grow"},
		} {
			if goarch != "amd64" && c.changed != "" && c.changed != "Grow" || i%2 == 1 && !long.Enabled() {
				continue
			}
			// Where addresses are equal, only the data differ.
			for _, layout := range []string{"1", "2"}[:layouts(c.changed)] {
				after := linkTest(t, moduleWith(t, c.file, c.from, c.to), goarch, layout)
				p := &Package{Path: "example.com/code", comparison: compareCode([2]string{before, after}, standard)}
				if p.comparison == nil {
					t.Fatal("the binaries cannot be compared")
				}
				for _, name := range []string{"Grow", "Sum"} {
					code, changed := p.codeOf("Benchmark" + name)
					want := SameCode
					switch {
					case name == c.changed:
						want = ChangedCode
					case strings.Contains(c.to, "side"): // a method, which any interface may call
						want = UnknownCode
					}
					if code != want {
						t.Errorf("%s, %q for %q: code of %s is %s %v, want %s", goarch, c.to, c.from, name, code, changed, want)
					}
				}
			}
		}
	}
}

// A benchmark whose machine code is the same is measured a few times only: no figure can make it
// slower.
func TestSameCodeTakesFewRounds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures two commits")
	}
	if runtime.GOOS != "linux" {
		t.Skip("only ELF binaries are compared")
	}
	dir := newRepository(t)
	code := "package a\n\n//go:noinline\nfunc F(n int) int { return n * 3 }\n\n//go:noinline\nfunc G(n int) int { return n * 5 }\n"
	test := "package a\n\nimport \"testing\"\n\nfunc BenchmarkF(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tF(i)\n\t}\n}\n\nfunc BenchmarkG(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tG(i)\n\t}\n}\n"
	commit(t, dir, "one", map[string]string{"go.mod": module, "a.go": code, "a_test.go": test})
	commit(t, dir, "two", map[string]string{"a.go": strings.Replace(code, "n * 5", "n*5 + 1", 1)})
	o := between(dir, "one", "two")
	o.Bench, o.BenchTime = "F$", "10000x"
	report, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	row := find(t, report, "a.F", "sec/op")
	if row.Code != SameCode || row.Rounds != fewestPairs || report.Verdict != verdict.Pass {
		t.Errorf("%+v, verdict %s", row, report.Verdict)
	}
}
