package ab

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestTokens(t *testing.T) {
	hash := func(text string) string { return string(tokens([]byte(text))) }
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
	names := shortNames([]string{"x.org/m", "x.org/m/a/util", "x.org/m/b/util", "x.org/m/hash", "x.org/xsync/v4",
		"x.org/m/api/v1", "x.org/store", "x.org/store/v2"})
	for path, want := range map[string]string{"x.org/m": "m", "x.org/m/a/util": "a/util",
		"x.org/m/b/util": "b/util", "x.org/store": "store", "x.org/store/v2": "store/v2", "x.org/xsync/v4": "xsync", "x.org/m/api/v1": "api", "x.org/m/hash": "hash"} {
		testkit.Equal(t, names[path], want, "name of %s", path)
	}
	for path, want := range map[string]string{"x.org/m/v2": "m.test", "x.org/m/hash": "hash.test", "v2": "v2.test",
		"x.org/m/api/v1": "v1.test", "x.org/m/v10": "m.test"} {
		testkit.Equal(t, binaryName(path), want, "test binary of %s", path)
	}
}

func TestLimits(t *testing.T) {
	o := DefaultOptions()
	for _, text := range []string{"5%", "Parse=10%", "Parse/size=1=0.2"} {
		testkit.NoError(t, o.ParseLimit(text))
	}
	for name, want := range map[string]float64{"a.Hash": 0.05, "a.Parse": 0.1, "a.Parse/size=1": 0.2} {
		testkit.Equal(t, o.limit(name), want, "limit of %s", name)
	}
	for _, text := range []string{"", "0", "-3%", "x", "NaN", "inf%", "(=3%", "a="} {
		testkit.WantError(t, o.ParseLimit(text), "", "%q is taken for a limit", text)
	}
}

func TestOptionsCheck(t *testing.T) {
	good := DefaultOptions()
	testkit.NoError(t, good.Check())
	for _, change := range []func(*Options){
		func(o *Options) { o.Limit = 0 },
		func(o *Options) { o.Time = 0 },
		func(o *Options) { o.Old = "x" },
		func(o *Options) { o.Old, o.New, o.Base = "x", "y", "HEAD" },
		func(o *Options) { o.Bench = "(" },
		func(o *Options) { o.CPU = "1,x" },
	} {
		o := DefaultOptions()
		change(&o)
		testkit.WantError(t, o.Check(), "", "%+v are taken for options", o)
	}
	good.Ignore = []string{"pkg"}
	testkit.WantError(t, testkit.ErrorOf(Run(t.Context(), good)), "commits have no settings", "a setting to leave out of commits")
}
