package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/commits"
)

// unchanged tells how long a program takes to say that a commit which changes nothing but
// comments, in so many packages, has changed nothing, and how long the builds of both sides
// take that it can leave out.
func unchanged(packages int, program string) error {
	dir, err := os.MkdirTemp("", "truth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := commentOnly(dir, packages); err != nil {
		return err
	}
	answer, err := timed(dir, program, "HEAD~1", "HEAD")
	if err != nil {
		return err
	}
	builds := time.Duration(0)
	for _, commit := range []string{"HEAD~1", "HEAD"} {
		side := filepath.Join(dir, "side")
		if err := commits.Git(dir, "clone", "-q", ".", side); err != nil {
			return err
		}
		if err := commits.Git(side, "checkout", "-q", "origin/"+commit); err != nil {
			return err
		}
		took, err := timed(side, "go", "test", "-c", "-trimpath", "-buildvcs=false", "-o", filepath.Join(dir, "bin")+"/", "./...")
		if err != nil {
			return err
		}
		builds += took
		if err := os.RemoveAll(side); err != nil {
			return err
		}
	}
	fmt.Printf("%d packages: unchanged after %.2f s, two builds %.2f s\n", packages, answer.Seconds(), builds.Seconds())
	return nil
}

// commentOnly makes a repository of two commits that differ in comments alone. Its module has
// a name of its own each time, so that nothing of it has been built.
func commentOnly(dir string, packages int) error {
	if err := commits.Git(dir, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	module := fmt.Sprintf("module example.com/unchanged%d\n\ngo 1.26\n", time.Now().UnixNano())
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o666); err != nil {
		return err
	}
	for _, comment := range []string{"Join joins.", "Join joins what it has sorted."} {
		for i := range packages {
			folder := filepath.Join(dir, fmt.Sprintf("p%d", i))
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return err
			}
			code := fmt.Sprintf("package p%d\n\nimport (\n\t\"slices\"\n\t\"strings\"\n)\n\n// %s\nfunc Join(x []string) string { slices.Sort(x); return strings.Join(x, \"-\") }\n", i, comment)
			test := fmt.Sprintf("package p%d\n\nimport \"testing\"\n\nfunc BenchmarkJoin(b *testing.B) {\n\tfor b.Loop() {\n\t\tJoin([]string{\"b\", \"a\"})\n\t}\n}\n", i)
			for name, text := range map[string]string{"p.go": code, "p_test.go": test} {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
					return err
				}
			}
		}
		if err := commits.Git(dir, "add", "-A"); err != nil {
			return err
		}
		if err := commits.Git(dir, "commit", "-q", "-m", comment); err != nil {
			return err
		}
	}
	return nil
}

// timed runs a command in a folder and tells how long it took.
func timed(dir, name string, args ...string) (time.Duration, error) {
	begin := time.Now()
	cmd := exec.CommandContext(context.Background(), name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return time.Since(begin), nil
}
