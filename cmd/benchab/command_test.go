package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The order of the flags names each of them once.
func TestOrder(t *testing.T) {
	var names []string
	newCommand().flags().VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if !slices.Equal(names, slices.Sorted(slices.Values(order))) {
		t.Errorf("flags %q, and in order %q", names, order)
	}
}

// The help fits 100 columns, and its first three lines say what benchab does, its exit codes, and its cost.
func TestHelp(t *testing.T) {
	lines := strings.Split(help(newCommand().flags()), "\n")
	for i, want := range []string{"slower", "Exit code 3", "costs"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d of the help is %q (want one with %q)", i+1, lines[i], want)
		}
	}
	for _, line := range lines {
		if len([]rune(line)) > 100 {
			t.Errorf("%d columns: %s", len([]rune(line)), line)
		}
	}
}

func TestParse(t *testing.T) {
	c := newCommand()
	flags := c.flags()
	words, err := parse(flags, strings.Fields("v1 --time 1m HEAD --limit 5% ./... --limit Parse=10% -- --odd"))
	if err != nil || !slices.Equal(words, []string{"v1", "HEAD", "./...", "--odd"}) || c.options.Time != time.Minute ||
		c.options.Limit != 0.05 {
		t.Errorf("%q, %v, %+v", words, err, c.options)
	}
	if _, err := parse(flags, []string{"HEAD", "--nosuch"}); err == nil {
		t.Error("there is a flag --nosuch")
	}
}

// The nearest file of settings counts, up to the root of the repository, and flags of the command
// line count more.
func TestSettings(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "repository", "sub")
	for _, folder := range []string{dir, filepath.Join(root, "repository", ".git")} {
		testkit.NoError(t, os.MkdirAll(folder, 0o777))
	}
	write := func(folder, text string) {
		t.Helper()
		testkit.NoError(t, os.WriteFile(filepath.Join(folder, settingsFile), []byte(text), 0o666))
	}
	write(root, "nosuch 1\n") // outside
	read := func() (*command, error) {
		c := newCommand()
		flags := c.flags()
		err := readSettings(flags, dir)
		if err == nil {
			_, err = parse(flags, []string{"--time", "1m"})
		}
		return c, err
	}
	if c, err := read(); err != nil || c.options.Time != time.Minute {
		t.Errorf("without settings: %v", err)
	}
	write(filepath.Dir(dir), "# ours\n\ntime 9m\nexclude Slow$\nlimit 5%\nhigher-better hits/s\n")
	if c, err := read(); err != nil || c.options.Time != time.Minute || c.options.Exclude != "Slow$" ||
		c.options.Limit != 0.05 || len(c.options.HigherBetter) != 1 {
		t.Errorf("%+v, %v", c.options, err)
	}
	for text, want := range map[string]string{"save x\n": `.benchab:1: unknown setting "save"`,
		"\nlimit -1%\n": ".benchab:2: limit: "} {
		write(filepath.Dir(dir), text)
		if _, err := read(); err == nil || exitCode(err) != badUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A report in the folder of --save is replaced by --force only, and other files there stay.
func TestSaveReplaces(t *testing.T) {
	for _, name := range []string{"old.txt", "new.txt", "report.json", "notes.txt"} {
		c := newCommand()
		c.save = t.TempDir()
		file := filepath.Join(c.save, name)
		testkit.NoError(t, os.WriteFile(file, []byte("mine"), 0o666))
		err := c.checkOutputs()
		want := "--save: " + file + " exists (want another folder, or --force)"
		if name == "notes.txt" {
			want = ""
		}
		if got := fmt.Sprint(err); want != "" && got != want || want == "" && err != nil {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
		c.force = true
		if err := c.checkOutputs(); err != nil {
			t.Errorf("%s with --force: %v", name, err)
		}
	}
}

func TestArguments(t *testing.T) {
	tests := map[string][3]string{ // base, head, packages
		"":                     {},
		"HEAD~1":               {"HEAD~1"},
		"v1 HEAD":              {"v1", "HEAD"},
		"./...":                {"", "", "./..."},
		"v1 ./a ./b":           {"v1", "", "./a ./b"},
		"feature/x HEAD ./...": {"feature/x", "HEAD", "./..."},
		"v1 v2 x.org/m/a":      {"v1", "v2", "x.org/m/a"},
		".":                    {"", "", "."},
	}
	for text, want := range tests {
		c := newCommand()
		testkit.NoError(t, c.takeArguments(strings.Fields(text)))
		if o := c.options; o.Base != want[0] || o.Head != want[1] || strings.Join(o.Packages, " ") != want[2] {
			t.Errorf("%s: %q, %q, %q", text, o.Base, o.Head, o.Packages)
		}
	}
}

// runWords runs the command with words that it refuses.
func runWords(t *testing.T, text string) error {
	c := newCommand()
	words, err := parse(c.flags(), strings.Fields(text))
	if err == nil {
		err = c.run(t.Context(), words, io.Discard, nil)
	}
	return err
}

// Bad usage ends a bisection, and so does an unknown commit.
func TestBadUsage(t *testing.T) {
	for text, want := range map[string]int{"--format xml": badUsage, "--format xml --bisect": endBisect,
		"--bisect nosuch": endBisect} {
		if err := runWords(t, text); exitCode(err) != want {
			t.Errorf("%s: exit code %d, %v, want %d", text, exitCode(err), err, want)
		}
	}
	if code := exitCode(errors.New("x")); code != failure {
		t.Errorf("exit code %d of a failure", code)
	}
}

// Two mistakes always give the same error.
func TestErrorsHaveAnOrder(t *testing.T) {
	t.Chdir(t.TempDir())
	testkit.NoError(t, os.WriteFile("FILE", nil, 0o600))
	for text, want := range map[string]string{"--exclude ( --bench (": "--bench",
		"HEAD~1 HEAD --store FILE --save FILE": "--save"} {
		for range 20 {
			if err := runWords(t, text); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Fatalf("%s: %v, want %s", text, err, want)
			}
		}
	}
}

// The verdict is the exit code, unless the user says otherwise.
func TestExitCodes(t *testing.T) {
	for _, test := range []struct {
		verdict   verdict.Verdict
		undecided string
		want      int
	}{
		{verdict.Pass, "", done}, {verdict.Slower, "", slower},
		{verdict.Slower, "pass", slower}, {verdict.MoreWork, "", slower},
		{verdict.Nothing, "", undecided}, {verdict.Nothing, "pass", done}, {verdict.Nothing, "fail", slower},
		{verdict.Undecided, "", undecided}, {verdict.Undecided, "pass", done}, {verdict.Undecided, "fail", slower},
	} {
		c := newCommand()
		c.undecided = test.undecided
		if code := exitCode(c.verdict(&report.Report{Verdict: test.verdict})); code != test.want {
			t.Errorf("%s, --undecided %q: exit code %d, want %d", test.verdict, test.undecided, code, test.want)
		}
	}
}

func TestLine(t *testing.T) {
	for want, p := range map[string]ab.Progress{
		"building": {Phase: "building"},
		"measuring, round 12: 4 of 9 decided, at most 1m left": {Phase: "measuring", Round: 12, Rows: 9, Decided: 4,
			Left: time.Minute},
	} {
		testkit.Equal(t, strings.Replace(line(p), "1m0s", "1m", 1), want, "line")
	}
}

// A report does not stick to the line of progress above it.
func TestReportAfterProgress(t *testing.T) {
	screen := testkit.Must(os.Create(filepath.Join(t.TempDir(), "screen")))(t)
	defer screen.Close()
	shows := func(end string) bool { return strings.HasSuffix(testkit.ReadText(t, screen.Name()), end) }
	show, end := showProgress(screen, true)
	show(ab.Progress{Phase: "measuring"})
	<-clitest.CancelWhen(t, func() bool { return shows("measuring") }).Done()
	if _, err := io.WriteString(&afterProgress{screen, end}, "report"); err != nil ||
		!shows("measuring\r\x1b[Kreport") {
		t.Errorf("%q, %v", testkit.ReadText(t, screen.Name()), err)
	}
}

// benchab needs no module but this one.
func TestModules(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go")
	}
	out := testkit.Must(exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".").Output())(t)
	modules := slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(out)))))
	if len(modules) != 1 {
		t.Errorf("benchab needs the modules %q", modules)
	}
}
