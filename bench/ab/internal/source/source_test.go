package source

import (
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
