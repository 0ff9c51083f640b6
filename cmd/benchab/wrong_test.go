package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// runFiles returns a run of the command for [clitest.WrongInputsOf]: a screen wants files.
func runFiles(t *testing.T) func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int {
	dir := t.TempDir()
	return func(_ context.Context, args []string, stdout, stderr *bytes.Buffer) int {
		var files [2]*os.File
		for i := range files {
			var err error
			if files[i], err = os.Create(filepath.Join(dir, fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
			defer files[i].Close()
		}
		code := run(args, files[0], files[1])
		for i, buffer := range []*bytes.Buffer{stdout, stderr} {
			content := testkit.Must(os.ReadFile(files[i].Name()))(t)
			buffer.Write(content)
		}
		return code
	}
}

func TestWrongInputs(t *testing.T) {
	clitest.WrongInputsOf(t, "benchab", runFiles(t), `
--bogus
--json --format markdown
--old x
--new x
--limit (=3%
--history NONE HEAD
HEAD~1 HEAD --store EMPTY
HEAD
NONE HEAD ./...
`)
}

// Three wrong values of every flag are refused, with the name of the flag.
func TestWrongValues(t *testing.T) {
	var (
		anything = [3]string{"x", "2", "maybe"}
		path     = [3]string{"", "EMPTY/x", "GARBAGE/x"}
		regexp   = [3]string{"(", "[", "*"}
		word     = [3]string{"", "x", "FOLDER"}
	)
	values := map[string][3]string{
		"time": {"", "x", "-1s"}, "limit": {"", "x", "-1%"},
		"bench": regexp, "exclude": regexp, "tests": word, "judge": word, "cpu": {"x", "0", "1,-2"},
		"tags": {"-x", "a;b", "("}, "higher-better": regexp, "undecided": word, "missing": word, "explain": anything,
		"old": {"", "x", "NONE/NONE"}, "new": {"", "x", "NONE/NONE"}, "format": word, "json": anything, "o": {"",
			"FOLDER", "NONE/x"},
		"save": path, "store": path,
		"history": {"", "NONE", "EMPTY"}, "force": anything, "bisect": anything, "seed": {"", "x", "-1"}, "version": anything,
	}
	run := runFiles(t)
	newCommand().flags().VisitAll(func(f *flag.Flag) {
		three, ok := values[f.Name]
		if !ok {
			t.Errorf("--%s has no wrong values", f.Name)
		}
		named := func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int {
			code := run(ctx, args, stdout, stderr)
			if !strings.Contains(stderr.String(), "-"+f.Name) {
				t.Errorf("%q: the flag is missing: %s", args, stderr)
			}
			return code
		}
		for _, value := range three {
			clitest.WrongInputsOf(t, "benchab", named, fmt.Sprintf("--%s=%s", f.Name, value))
		}
	})
}
