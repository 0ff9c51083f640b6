package ab

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestTokens(t *testing.T) {
	hash := func(text string) string { return string(tokens([]byte(text))) }
	const plain = "package a\n\nfunc f() int { return 1 }\n"
	same := []string{
		"// Package a is.\npackage a\n\n\n// f is.\nfunc f() int { // one\n\treturn 1 /* two */\n}\n",
		"package a; func f() int { return 1 }",
	}
	for _, text := range same[:1] {
		if hash(text) != hash("package a\n\nfunc f() int {\nreturn 1\n}\n") {
			t.Errorf("comments make a difference: %s", text)
		}
	}
	if hash(same[1]) == hash("package a; func f() int { return 2 }") {
		t.Error("a number makes no difference")
	}
	for _, text := range []string{
		"package a\n\n//go:noinline\nfunc f() int { return 1 }\n",
		"//go:build linux\n\npackage a\n\nfunc f() int { return 1 }\n",
		"// +build linux\n\npackage a\n\nfunc f() int { return 1 }\n",
		"package a\n\n//line b.go:1\nfunc f() int { return 1 }\n",
		"package a\n\nfunc f() int { return 1 }\nvar x = \"y\"\n",
	} {
		if hash(text) == hash(plain) {
			t.Errorf("a directive or a declaration makes no difference: %s", text)
		}
	}
	if hash("package a\nvar x = \"a\"\n") == hash("package a\nvar x = \"b\"\n") {
		t.Error("a string makes no difference")
	}
}

func TestNames(t *testing.T) {
	names := shortNames([]string{"x.org/m", "x.org/m/a/util", "x.org/m/b/util", "x.org/m/hash", "x.org/xsync/v4",
		"x.org/m/api/v1"})
	for path, want := range map[string]string{"x.org/m": "m", "x.org/m/a/util": "x.org/m/a/util",
		"x.org/m/b/util": "x.org/m/b/util", "x.org/xsync/v4": "xsync", "x.org/m/api/v1": "api", "x.org/m/hash": "hash"} {
		if names[path] != want {
			t.Errorf("%s is called %s, want %s", path, names[path], want)
		}
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
		if o.ParseLimit(text) == nil {
			t.Errorf("%q is taken for a limit", text)
		}
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
		if o.Check() == nil {
			t.Errorf("%+v are taken for options", o)
		}
	}
}
