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

// writeFiles writes files of benchmarks to a new working directory: figures of one benchmark each, with a
// unit at the end.
func writeFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, benchmarks := range map[string]string{
		"old.txt":    "Turn 2000 2010 1990 2005 1995 2000 2002 2003 ns/turn, Game 40.1 40.2 40.3 40.1 40.2 40 40.2 40.3 us/game",
		"new.txt":    "Turn 2120 2130 2100 2120 2140 2110 2125 2115 ns/turn, Game 40.2 40.1 40.3 40.2 40.1 40.1 40 40.2 us/game",
		"gone.txt":   "Game 40.1 40.2 40.3 40.1 40.2 40 40.2 40.3 us/game",
		"rate.txt":   "Search 1000 1002 998 1000 999 1001 nodes/s",
		"lower.txt":  "Search 900 902 898 900 899 901 nodes/s",
		"odd.txt":    "Turn 5 5 things",
		"few.txt":    "Turn 2000 2010 1990 ns/turn",
		"noisy.txt":  "Turn 2000 2400 1700 2200 1900 2300 ns/turn",
		"broken.txt": "Turn fast ns/turn",
	} {
		var content strings.Builder
		content.WriteString("goos: linux\n")
		for text := range strings.SplitSeq(benchmarks, ", ") {
			words := strings.Fields(text)
			for _, x := range words[1 : len(words)-1] {
				fmt.Fprintf(&content, "Benchmark%s-4 10 %s %s\n", words[0], x, words[len(words)-1])
			}
		}
		testkit.WriteText(t, file, content.String())
	}
}

// Two files are judged by the options and exit codes of commits.
func TestFiles(t *testing.T) {
	writeFiles(t)
	run := runFiles(t)
	for _, test := range []struct {
		args string
		code int
		want string // in the output
	}{
		{"old.txt new.txt", slower, "\nTurn-4     sec/turn  2.00 µs  2.12 µs  +5.99%"},
		{"old.txt new.txt", slower, "not measured in turns"},
		{"old.txt new.txt --json", slower, `"base":"old.txt","head":"new.txt",`},
		{"old.txt old.txt", done, "\nPass: nothing is slower."},
		{"old.txt new.txt --limit Turn=10%", done, "Pass"},
		{"old.txt new.txt --exclude Turn", done, "Pass"},
		{"new.txt old.txt", done, "faster"},
		{"rate.txt lower.txt", slower, "Slower: Search-4 -10.00% nodes/s"},
		{"lower.txt rate.txt", done, "Pass"},
		{"few.txt few.txt", undecided, "Undecided: too few rounds: at least 6 are needed (Turn-4)."},
		{"few.txt few.txt --undecided fail", slower, "Undecided"},
		{"few.txt few.txt --undecided pass", done, "Undecided"},
		{"noisy.txt noisy.txt", undecided, "Undecided"},
		{"old.txt gone.txt", undecided, "Undecided: the new side does not have it (Turn-4)."},
		{"old.txt gone.txt --missing ignore --json", done, `"delta":null`},
		{"odd.txt odd.txt", badUsage, "nothing to judge: the better direction is unknown: things"},
		{"old.txt broken.txt", badUsage, "broken.txt:2: invalid measurement fast ns/turn (want a finite number"},
		{"old.txt new.txt --save x", badUsage, "--save, --explain and --old cannot be used with two files"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), strings.Fields(test.args), &stdout, &stderr)
		testkit.ErrorIf(t, code != test.code || !strings.Contains(stdout.String()+stderr.String(), test.want),
			"benchab %s: exit code %d (want %d and %q)\n%s%s", test.args, code, test.code, test.want, &stdout, &stderr)
	}
}

// runFiles returns a run of the command for [clitest.WrongInputsOf]: a screen wants files.
func runFiles(t *testing.T) func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int {
	dir := t.TempDir()
	return func(_ context.Context, args []string, stdout, stderr *bytes.Buffer) int {
		var files [2]*os.File
		for i := range files {
			files[i] = testkit.Must(os.Create(filepath.Join(dir, fmt.Sprint(i))))(t)
			defer files[i].Close()
		}
		code := run(args, files[0], files[1])
		for i, buffer := range []*bytes.Buffer{stdout, stderr} {
			buffer.WriteString(testkit.ReadText(t, files[i].Name()))
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
		"time": {"", "x", "-1s"}, "horizon": {"0", "50ms", "2m"}, "limit": {"", "x", "-1%"},
		"bench": regexp, "exclude": regexp, "tests": word, "judge": word, "cpu": {"x", "0", "1,-2"},
		"tags": {"-x", "a;b", "("}, "args": {"", "'", "-v"}, "prepare": {"", "'", "("}, "higher-better": regexp, "undecided": word, "missing": word, "explain": anything,
		"old": {"", "x", "NONE/NONE"}, "new": {"", "x", "NONE/NONE"}, "format": word, "json": anything, "o": {"",
			"FOLDER", "NONE/x"},
		"save": path, "store": path,
		"history": {"", "NONE", "EMPTY"}, "force": anything, "bisect": anything, "seed": {"", "x", "-1"}, "version": anything,
	}
	run := runFiles(t)
	newCommand().flags().VisitAll(func(f *flag.Flag) {
		three, ok := values[f.Name]
		testkit.ErrorIf(t, !ok, "--%s has no wrong values", f.Name)
		named := func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int {
			code := run(ctx, args, stdout, stderr)
			testkit.ErrorIf(t, !strings.Contains(stderr.String(), "-"+f.Name),
				"%q: the flag is missing: %s", args, stderr)
			return code
		}
		for _, value := range three {
			clitest.WrongInputsOf(t, "benchab", named, fmt.Sprintf("--%s=%s", f.Name, value))
		}
	})
}
