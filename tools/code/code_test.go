package code

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// files of a small module, by their names.
var files = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26\n\nrequire example.org/lib v1.2.3\n",
	"list.go": `package m

import (
	"example.com/m/fast"
	"example.org/lib"
)

var list = []Engine{Plain{}, fast.Kernel}

type Engine interface{ Run(x int) int }

type Plain struct{}

func (Plain) Run(x int) int  { return twice(x) }
func (p *Plain) Unused() int { return other() }

func twice(x int) int { return 2 * x } // a comment
func other() int      { return lib.F() }
func Measure(e Engine) int { return e.Run(1) }
func All() []Engine { return list }
func Shadow() int {
	other := 1
	twice := twice(other)
	return twice
}
`,
	"fast/fast.go": `package fast

var Kernel Engine

type Engine struct{ name string }

func init() { Kernel = Engine{"fast/one"} }

func (e Engine) Run(x int) int { return run(x) }

func run(x int) int
func walk(x int) int
`,
	"fast/fast_amd64.s": "// func run\nTEXT ·run(SB), 4, $0\n\tMOVQ x+0(FP), AX\n\tRET\nTEXT ·walk(SB), 4, $0\n\tRET\n",
	"fast/fast_test.go": "package fast\n\nfunc helper() {}\n",
}

// tree reads the module with one text replaced.
func tree(t *testing.T, file, before, after string) *Tree {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		if name == file {
			testkit.FatalIf(t, !strings.Contains(text, before), "%s lacks %q", name, before)
			text = strings.Replace(text, before, after, 1)
		}
		testkit.WriteText(t, filepath.Join(root, name), text)
	}
	return testkit.Must(Read(root, "amd64"))(t)
}

// A change is found where it can be reached, and nowhere else.
func TestReach(t *testing.T) {
	isList := func(name string) bool { return name == ".list" }
	for _, test := range []struct {
		file, before, after string
		roots               []string
		want                []string
	}{
		{"list.go", "2 * x", "x + x", []string{".Measure", ".Plain"}, []string{".twice"}},
		{"list.go", "2 * x", "x + x", []string{".Measure", "fast.Kernel"}, nil},
		{"list.go", "// a comment", "// another", []string{".Measure", ".Plain"}, nil},
		{"list.go", "lib.F()", "lib.G()", []string{".Measure", ".Plain", ".All"}, nil}, // nothing selects Unused
		{"list.go", "lib.F()", "lib.G()", []string{".other"}, []string{".other"}},
		{"list.go", "lib.F()", "lib.G()", []string{".Shadow"}, nil}, // it has a variable of that name
		{"list.go", "2 * x", "x + x", []string{".Shadow"}, []string{".twice"}},
		{"go.mod", "v1.2.3", "v1.2.4", []string{".other"}, []string{".other"}},
		{"go.mod", "v1.2.3", "v1.2.4", []string{".twice"}, nil},
		{"fast/fast_amd64.s", "MOVQ x+0(FP), AX", "MOVQ x+0(FP), BX", []string{".Measure", "fast.Kernel"},
			[]string{"fast.run"}},
		{"fast/fast_amd64.s", "MOVQ x+0(FP), AX", "MOVQ x+0(FP), BX", []string{"fast.walk"}, nil},
		{"fast/fast_amd64.s", "MOVQ x+0(FP), AX", "MOVQ x+0(FP), BX", []string{".All"}, nil}, // the list is cut
		{"fast/fast.go", `"fast/one"`, `"fast/two"`, []string{"fast.Kernel"}, []string{"fast.init:fast.go"}},
		{"list.go", "func other()", "func another()", []string{".Plain.Unused"}, []string{".other"}},
	} {
		before := testkit.Must(tree(t, "", "", "").Reach(test.roots, isList))(t)
		after := testkit.Must(tree(t, test.file, test.before, test.after).Reach(test.roots, isList))(t)
		testkit.Equal(t, Differing(before, after), test.want, "%s to %q, from %q", test.before, test.after, test.roots)
	}
}

func TestUnknownRoot(t *testing.T) {
	_, err := tree(t, "", "", "").Reach([]string{".Nothing"}, func(string) bool { return false })
	testkit.WantError(t, err, "", "a root that does not exist")
}

func TestContaining(t *testing.T) {
	got := tree(t, "", "", "").Containing("fast", "fast/one")
	testkit.Equal(t, got, []string{"fast.init:fast.go"}, "what contains the name")
}
