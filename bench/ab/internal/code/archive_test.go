package code

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// What go and the linker print is read in pieces of any size.
func TestReadLinked(t *testing.T) {
	const printed = "# example.com/a\n# [example.com/a.test]\n_ -> example.com/a.F <UsedInIface>\n" +
		"go:string.\"a -> b\" -> fmt.Println\n example.com/a.F -> example.com/a.G[go.shape.func(int, <-chan int)] <Hidden><X>\n" +
		"./a.go:3:5: undefined: x\n# example.com/b.test\n_ -> fmt.Println\n"
	for _, size := range []int{1, 7, len(printed)} {
		p := NewPrograms()
		for _, name := range []string{"example.com/a.F", "example.com/a.G[go.shape.func(int, <-chan int)]"} {
			p.Add("", name, &Symbol{IsFunction: true})
		}
		for piece := range slices.Chunk([]byte(printed), size) {
			testkit.MustEqual(t, testkit.Must(p.Write(piece))(t), len(piece), "bytes written")
		}
		p.dropUnknown()
		testkit.Equal(t, p.Linked, map[string]map[string]bool{"example.com/a": {"example.com/a.F": true,
			"example.com/a.G[go.shape.func(int, <-chan int)]": true}}, "pieces of %d: linked", size)
		testkit.Equal(t, p.Rest.String(), "./a.go:3:5: undefined: x\n", "pieces of %d: rest", size)
	}
}

// The archive of a package has its functions with their places, and the symbols that they refer to.
func TestReadArchive(t *testing.T) {
	p := NewPrograms()
	testkit.NoError(t, p.readArchive(compileArchive(t, twoFunctions), "example.com/a", "q"))
	table := p.Symbols["q"]
	testkit.MustEqual(t, len(table["example.com/a.F"]), 1, "definitions of F")
	f, g := table["example.com/a.F"][0], table["example.com/a.G"][0]
	testkit.ErrorIf(t, !f.IsFunction || !slices.Contains(f.Refs, "example.com/a.table") || !slices.Contains(g.Refs, "example.com/a.F") ||
		!slices.Contains(g.Refs, `go:string."text"`) || f.Digest == g.Digest,
		"F %+v, G %+v", f, g)
	place, ok := strings.CutSuffix(f.Place, "a.go:8")
	testkit.ErrorIf(t, !ok || !filepath.IsAbs(place), "F is at %s", f.Place)
	variable := table["example.com/a.table"][0]
	testkit.ErrorIf(t, variable.IsFunction || !variable.IsData || !slices.ContainsFunc(variable.Refs, symbol.IsNumbered),
		"table %+v", variable)
	testkit.Equal(t, p.Foreign["q"], []string{"runtime.hidden"}, "symbols for other packages")
	testkit.ErrorIf(t, table[`go:string."text"`] == nil || table[""] != nil,
		"symbols %v", slices.Sorted(maps.Keys(table)))
}

// The description of a package's exports may hold the bytes before an object by chance, as that of x/sys/unix does.
func TestReadArchiveWithExports(t *testing.T) {
	objects, ok := bytes.CutPrefix(compileArchive(t, twoFunctions), []byte("!<arch>\n"))
	testkit.MustEqual(t, ok, true, "an archive")
	exports := "go object linux amd64\n$$B\n\n!\n\x00exports "
	archive := fmt.Sprintf("!<arch>\n%-16s%-12d%-6d%-6d%-8o%-10d`\n%s%s", "__.PKGDEF", 0, 0, 0, 0o644, len(exports), exports, objects)
	p := NewPrograms()
	testkit.NoError(t, p.readArchive([]byte(archive), "example.com/a", ""))
	testkit.Equal(t, len(p.Symbols[""]["example.com/a.F"]), 1, "definitions of F")
}

// Any archive can be read, and is the same when it is read again.
func FuzzReadArchive(f *testing.F) {
	valid := compileArchive(f, twoFunctions)
	f.Add(valid)
	f.Add(valid[:len(valid)/2])
	f.Add([]byte("!<arch>\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := NewPrograms()
		testkit.SkipOn(t, p.readArchive(data, "example.com/a", ""))
		again := NewPrograms()
		testkit.NoError(t, again.readArchive(data, "example.com/a", ""))
		for name, symbols := range p.Symbols[""] {
			same := slices.EqualFunc(symbols, again.Symbols[""][name], func(a, b *Symbol) bool { return Compare(a, b) == 0 })
			testkit.FatalIf(t, !same, "the same archive differs in %s", name)
		}
	})
}

// Archives with a byte that is wrong are read or refused.
func TestReadBrokenArchive(t *testing.T) {
	valid := compileArchive(t, twoFunctions)
	for at := 0; at < len(valid); at += testkit.Trials(4, 1) {
		broken := slices.Clone(valid)
		broken[at] ^= 0xff
		_ = NewPrograms().readArchive(broken, "example.com/a", "")
	}
	for _, text := range []string{"", "text", "!<arch>\n" + strings.Repeat("x", 60)} {
		testkit.WantErrorIs(t, NewPrograms().readArchive([]byte(text), "a", ""), errObject, "%q", text)
	}
}

// compileArchive compiles a package of one file.
func compileArchive(t testing.TB, source string) []byte {
	dir := t.TempDir()
	testkit.WriteText(t, filepath.Join(dir, "a.go"), source)
	c := exec.Command("go", "tool", "compile", "-p", "example.com/a", "-o", "a.a", "a.go")
	c.Dir = dir
	out, err := c.CombinedOutput()
	testkit.FatalIf(t, err != nil, "%v: %s", err, out)
	return []byte(testkit.ReadText(t, filepath.Join(dir, "a.a")))
}

const twoFunctions = `package a

import _ "unsafe"

var table = []int{1, 2, 3}

//go:noinline
func F(n int) int { return table[n] }

func G(n int) string { return string(rune(F(n))) + "text" }

//go:linkname h runtime.hidden
func h() {}
`
