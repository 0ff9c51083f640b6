package source

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestTokens(t *testing.T) {
	hash := func(text string) string { return string(Tokens([]byte(text))) }
	const plain = "package a\n\nfunc f() int { return 1 }\n"
	testkit.Equal(t, hash("// Package a is.\npackage a\n\n\n// f is.\nfunc f() int { // one\n\treturn 1 /* two */\n}\n"),
		hash("package a\n\nfunc f() int {\nreturn 1\n}\n"), "tokens beside comments")
	for _, differ := range [][2]string{
		{"package a; func f() int { return 1 }", "package a; func f() int { return 2 }"},
		{"package a\nvar x = \"a\"\n", "package a\nvar x = \"b\"\n"},
		{plain, "package a\n\n//go:noinline\nfunc f() int { return 1 }\n"},
		{plain, "//go:build linux\n\npackage a\n\nfunc f() int { return 1 }\n"},
		{plain, "// +build linux\n\npackage a\n\nfunc f() int { return 1 }\n"},
		{plain, "package a\n\n//line b.go:1\nfunc f() int { return 1 }\n"},
		{plain, "package a\n\nfunc f() int { return 1 }\nvar x = \"y\"\n"},
	} {
		testkit.ErrorIf(t, hash(differ[0]) == hash(differ[1]), "%q and %q have the same tokens", differ[0], differ[1])
	}
}

func TestNames(t *testing.T) {
	names := ShortNames([]string{"x.org/m", "x.org/m/a/util", "x.org/m/b/util", "x.org/m/hash", "x.org/xsync/v4",
		"x.org/m/api/v1", "x.org/store", "x.org/store/v2"})
	for path, want := range map[string]string{"x.org/m": "m", "x.org/m/a/util": "a/util",
		"x.org/m/b/util": "b/util", "x.org/store": "store", "x.org/store/v2": "store/v2", "x.org/xsync/v4": "xsync", "x.org/m/api/v1": "api", "x.org/m/hash": "hash"} {
		testkit.Equal(t, names[path], want, "name of %s", path)
	}
	for path, want := range map[string]string{"x.org/m/v2": "m.test", "x.org/m/hash": "hash.test", "v2": "v2.test",
		"x.org/m/api/v1": "v1.test", "x.org/m/v10": "m.test"} {
		testkit.Equal(t, BinaryName(path), want, "test binary of %s", path)
	}
}

func TestMayMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, function string
		want              bool
	}{
		{".", "BenchmarkHash", true}, {"Hash/size=1", "BenchmarkHash", true}, {"Parse", "BenchmarkHash", false},
		{"Parse|Hash/x", "BenchmarkHash", true}, {"Parse/a|Sort", "BenchmarkHash", false},
		{"(Parse|Hash)/x", "BenchmarkHash", true},
		{"/x", "BenchmarkHash", true}, {"Ha[s/]h", "BenchmarkHash", true},
		{"^BenchmarkHash$", "BenchmarkHashes", false},
	} {
		testkit.Equal(t, MayMatch(test.pattern, test.function), test.want, "%q of %s", test.pattern, test.function)
	}
}

// A benchmark with another name is not removed.
func TestRenamedBenchmarks(t *testing.T) {
	changed, removed := compareBenchmarks(map[string][]byte{"BenchmarkG": []byte("F()")},
		map[string][]byte{"BenchmarkF": []byte("F()")})
	testkit.Equal(t, changed, []string{"BenchmarkG"}, "changed")
	testkit.Equal(t, removed, nil, "removed")
}

// Folders get other paths wherever a file names them, modules of a release stay, and a workspace may lose a module.
func TestMovedFolders(t *testing.T) {
	move := func(folder string, isUsed bool) string {
		if isUsed && folder == "./gone" {
			return ""
		}
		return strings.Replace(folder, "..", "/new place", 1)
	}
	for name, texts := range map[string][2]string{
		"go.mod": {"module m\n\nreplace a => ../a // near\n\nreplace (\n\ta v1.0.0 => ../b\n\tc => d v1.2.3\n\te => ./e\n)\n",
			"module m\n\nreplace a => \"/new place/a\" // near\n\nreplace (\n\ta v1.0.0 => \"/new place/b\"\n\tc => d v1.2.3\n\te => ./e\n)\n"},
		"go.work": {"go 1.25\n\nuse (\n\t.\n\t../a\n\t./gone\n\t./gone\n)\n\nreplace b => ../b\n",
			"go 1.25\n\nuse (\n\t.\n\t\"/new place/a\"\n)\n\nreplace b => \"/new place/b\"\n"},
	} {
		got, err := moveFolders(name, []byte(texts[0]), move)
		testkit.NoError(t, err)
		testkit.Equal(t, string(got), texts[1], "%s", name)
		testkit.WantError(t, testkit.ErrorOf(moveFolders(name, []byte("nothing"), move)), name, "no %s", name)
	}
}

// A file is data of a benchmark if a string of its sources has the file or a folder of it in a path, wherever that begins.
// Documents count where they are named, and code where a benchmark looks for code.
func TestReadFiles(t *testing.T) {
	const (
		walk = `filepath.WalkDir("..", func(name string, _ fs.DirEntry, _ error) error { return nil })`
		here = `filepath.WalkDir(".", func(name string, _ fs.DirEntry, _ error) error { return nil })`
	)
	for _, test := range []struct {
		name, sources, file string
		want                bool
	}{
		{"a folder", `os.ReadFile("data/a.x")`, "p/data/a.x", true},
		{"a raw string", "os.ReadFile(`data/a.x`)", "p/data/a.x", true},
		{"below a dot", `os.ReadFile("./data/a.x")`, "p/data/a.x", true},
		{"another folder", `b.Chdir("./data")`, "p/data/a.x", true},
		{"an address", `const from = "file://data"`, "p/data/a.x", true},
		{"an address elsewhere", `const from = "https://example.com/data/"`, "p/data/a.x", false},
		{"a shell", `exec.Command("sh", "-c", "cat data/a.x")`, "p/data/a.x", true},
		{"a shell above", `exec.Command("sh", "-c", "cat ../data/a.x")`, "data/a.x", true},
		{"lines of a shell", "exec.Command(`sh`, `-c`, `\ncat 'data/a.x'\n`)", "p/data/a.x", true},
		{"a program", `exec.Command("./data/run.sh")`, "p/data/run.sh", true},
		{"the name alone", `os.ReadFile(filepath.Join(dir, "a.x"))`, "p/data/a.x", true},
		{"templates", `template.ParseFiles("./data/a.x")`, "p/data/a.x", true},
		{"no name", `os.ReadFile(name)`, "p/data/a.x", false},
		{"a part of a word", `os.ReadFile("./database")`, "p/data/a.x", false},
		{"the package", `os.ReadFile("./data/a.x")`, "data/a.x", false},
		{"a comment", `// as "data/a.x"`, "p/data/a.x", false},
		{"YAML", walk + `; _ = ".yaml"`, "data/a.yaml", true},
		{"YAML of services", walk + `; _ = ".yaml"`, ".github/a.yaml", false},
		{"other YAML", walk, "data/a.yaml", false},
		{"a document", walk, "README.md", false},
		{"a mentioned document", `os.Open("../a.x"); println("see README.md")`, "README.md", false},
		{"a license, and a product", `os.Open("../a.x"); println("*")`, "LICENSE", false},
		{"code", walk + `; _ = ".go"`, "q/q.go", true},
		{"code by a pattern", `filepath.Glob("../*/*.go")`, "q/q.go", true},
		{"other code", walk, "q/q.go", false},
		{"code below", here + `; _ = ".go"`, "q/q.go", false},
	} {
		s := &Sides{Changed: []string{test.file}, Current: -1, context: buildContext("")}
		for side := range s.Trees {
			root := t.TempDir()
			s.Trees[side] = &Tree{Root: root, Stored: root, Packages: map[string]*Package{"m/p": {ImportPath: "m/p",
				Dir: filepath.Join(root, "p"), TestGoFiles: []string{"p_test.go"}, inside: true}}}
			testkit.WriteText(t, filepath.Join(root, "p/p_test.go"), "package p\n\nimport \"x/data\"\n\n"+
				"func BenchmarkF(b *testing.B) {\n"+test.sources+"\n}\n")
			text := map[bool]string{true: "package q\n\nvar x = " + string(rune('1'+side)) + "\n"}[path.Ext(test.file) == ".go"]
			testkit.WriteText(t, filepath.Join(root, test.file), text)
		}
		s.DropUnused()
		testkit.Equal(t, len(s.Changed) > 0 && s.CanReach("m/p"), test.want, "%s: %s reached", test.name, test.file)
	}
}
