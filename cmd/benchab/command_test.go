package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/cmd/internal/clitest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The order of the flags names each of them once.
func TestOrder(t *testing.T) {
	var names []string
	newCommand().flags().VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	testkit.Equal(t, names, slices.Sorted(slices.Values(order)), "flags")
}

// The help fits 100 columns, and its first three lines say what benchab does, its exit codes, and its cost.
func TestHelp(t *testing.T) {
	lines := strings.Split(help(newCommand().flags()), "\n")
	for i, want := range []string{"slower", "Exit code 3", "costs"} {
		testkit.WantText(t, lines[i], want)
	}
	for _, line := range lines {
		testkit.ErrorIf(t, len([]rune(line)) > 100, "%d columns: %s", len([]rune(line)), line)
	}
}

func TestParse(t *testing.T) {
	c := newCommand()
	flags := c.flags()
	words, err := parse(flags, strings.Fields("v1 --time 1m HEAD --limit 5% ./... --limit Parse=10% -- --odd"))
	testkit.NoError(t, err)
	testkit.Equal(t, words, []string{"v1", "HEAD", "./...", "--odd"}, "words")
	testkit.ErrorIf(t, c.options.Time != time.Minute || c.options.Limit != 0.05, "%+v", c.options)
	testkit.WantError(t, testkit.ErrorOf(parse(flags, []string{"HEAD", "--nosuch"})), "", "an unknown flag")
}

// The nearest file of settings counts, up to the root of the repository, and flags of the command
// line count more.
func TestSettings(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "repository", "sub")
	for _, folder := range []string{dir, filepath.Join(root, "repository", ".git")} {
		testkit.NoError(t, os.MkdirAll(folder, 0o777))
	}
	write := func(folder, text string) { testkit.WriteText(t, filepath.Join(folder, settingsFile), text) }
	write(root, "nosuch 1\n") // outside
	read := func() (*command, error) {
		c := newCommand()
		flags := c.flags()
		_, err := readSettings(flags, dir)
		if err == nil {
			_, err = parse(flags, []string{"--time", "1m"})
		}
		return c, err
	}
	c, err := read()
	testkit.ErrorIf(t, err != nil || c.options.Time != time.Minute, "without settings: %v", err)
	write(filepath.Dir(dir), "\ufeff# ours\n\ntime 9m\nexclude Slow$\nlimit 5%\nhigher-better hits/s\n")
	c, err = read()
	testkit.ErrorIf(t, err != nil || c.options.Time != time.Minute || c.options.Exclude != "Slow$" ||
		c.options.Limit != 0.05 || len(c.options.HigherBetter) != 1, "%+v, %v", c.options, err)
	for text, want := range map[string]string{"save x\n": `.benchab:1: unknown setting "save"`,
		"\nlimit -1%\n": ".benchab:2: limit: "} {
		write(filepath.Dir(dir), text)
		_, err := read()
		testkit.WantError(t, err, want, "%q", text)
		testkit.Equal(t, exitCode(err), badUsage, "%q: exit code", text)
	}
	t.Chdir(dir)
	for text, want := range map[string]string{"\nbench\n": ".benchab:2: bench: empty value (want regexp)\n",
		"missing all\n":          `.benchab:1: missing: invalid value "all" (want ignore)`,
		"ignore A\nignore pkg\n": ".benchab: ignore: invalid key", "judge x\n# --judge given": "benchab: --judge: "} {
		write(filepath.Dir(dir), text)
		args := strings.Fields(map[bool]string{true: "--judge y"}[strings.Contains(text, "given")])
		var stdout, stderr bytes.Buffer
		testkit.Equal(t, runFiles(t)(t.Context(), args, &stdout, &stderr), badUsage, "%q: exit code", text)
		testkit.WantText(t, stderr.String(), want)
	}
}

// A report in the folder of --save is replaced by --force only, and other files there stay.
func TestSaveReplaces(t *testing.T) {
	for _, name := range []string{"old.txt", "new.txt", "report.json", "notes.txt"} {
		c := newCommand()
		c.save = t.TempDir()
		file := filepath.Join(c.save, name)
		testkit.NoError(t, os.WriteFile(file, []byte("mine"), 0o666))
		err := c.checkOutputs(report.SavedFiles())
		want := "--save: " + file + " exists (want another folder, or --force)"
		if name == "notes.txt" {
			want = "<nil>"
		}
		testkit.Equal(t, fmt.Sprint(err), want, "%s: error", name)
		c.force = true
		testkit.NoError(t, c.checkOutputs(report.SavedFiles()))
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
		got := [3]string{c.options.Base, c.options.Head, strings.Join(c.options.Packages, " ")}
		testkit.Equal(t, got, want, "%s: base, head, packages", text)
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

// Bad usage ends a bisection, and so does an unknown commit, or none.
func TestBadUsage(t *testing.T) {
	for text, want := range map[string]int{"--format xml": badUsage, "--format xml --bisect": endBisect,
		"--bisect nosuch": endBisect, "--bisect": endBisect, "--bisect ./...": endBisect, "--bisect --explain-time": done} {
		err := runWords(t, text)
		testkit.Equal(t, exitCode(err), want, "%s: exit code of %v", text, err)
	}
	testkit.Equal(t, exitCode(errors.New("x")), failure, "exit code of a failure")
	null := testkit.Must(os.OpenFile(os.DevNull, os.O_WRONLY, 0))(t)
	defer null.Close()
	for _, args := range [][]string{{"--bisect", "--nosuch"}, {"--nosuch", "--bisect"}} {
		testkit.Equal(t, run(args, null, null), endBisect, "%q: exit code", args)
	}
}

// Two mistakes always give the same error.
func TestErrorsHaveAnOrder(t *testing.T) {
	t.Chdir(t.TempDir())
	testkit.NoError(t, os.WriteFile("FILE", nil, 0o600))
	for text, want := range map[string]string{"--exclude ( --bench (": "--bench",
		"--higher-better=":                     "--higher-better: empty unit (want one of ReportMetric, as in hits/s)",
		"--higher-better sec/op":               "--higher-better: less of sec/op is always better",
		"--limit =90%":                         `--limit: invalid limit "=90%": no pattern in front of = (want one,`,
		"--higher-better allocs/op":            "--higher-better: less of allocs/op is always better",
		"HEAD~1 HEAD --store FILE --save FILE": "--save"} {
		for range 20 {
			err := runWords(t, text)
			testkit.FatalIf(t, err == nil || !strings.HasPrefix(err.Error(), want), "%s: %v, want %s", text, err, want)
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
		code := exitCode(c.verdict(test.verdict))
		testkit.Equal(t, code, test.want, "%s, --undecided %q: exit code", test.verdict, test.undecided)
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
	_, err := io.WriteString(&afterProgress{screen, end}, "report")
	testkit.ErrorIf(t, err != nil || !shows("measuring\r\x1b[Kreport"),
		"%q, %v", testkit.ReadText(t, screen.Name()), err)
}

// benchab needs few modules: those that read Go's formats, and the calls of the system.
func TestModules(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "runs go")
	out := testkit.Must(exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".").Output())(t)
	modules := slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(out)))))
	testkit.Equal(t, modules, []string{"github.com/aclements/go-moremath", "github.com/google/pprof",
		"github.com/seed-09dcdc84/ur", "golang.org/x/mod", "golang.org/x/perf", "golang.org/x/sys"}, "modules")
}

// The action and the pages name only flags that exist, and the page names them all.
func TestDocumentedFlags(t *testing.T) {
	known := append(slices.Clone(order), "help", "global", "judge")
	named := make(map[string]bool)
	others := regexp.MustCompile("git fetch|git rev-parse|gh |bench doctor|bench compare|tools/records")
	for _, file := range []string{"../../docs/ab.md", "../../docs/ab-ci.md",
		"../../docs/ab-validation.md", "action.yml"} {
		for line := range strings.Lines(testkit.ReadText(t, file)) {
			if others.MatchString(line) {
				continue // it names flags of other commands
			}
			for _, found := range flagWord.FindAllStringSubmatch(line, -1) {
				named[found[1]] = true
				testkit.ErrorIf(t, !slices.Contains(known, found[1]),
					"%s names the flag --%s, which does not exist: %s", file, found[1], line)
			}
		}
	}
	for _, name := range order {
		testkit.ErrorIf(t, !named[name] && name != "o", "docs/ab.md does not name --%s", name)
	}
}

// The settings that the page accepts a slowdown with are settings.
func TestDocumentedSettings(t *testing.T) {
	page := testkit.ReadText(t, "../../docs/ab-ci.md")
	found := regexp.MustCompile(`(?m)^echo "(.*)" >> \.benchab$`).FindStringSubmatch(page)
	c := newCommand()
	testkit.FatalIf(t, found == nil, "the page has no line for .benchab")
	testkit.NoError(t, testkit.ErrorOf(parseSettings(c.flags(), found[1], settingsFile)))
}

var flagWord = regexp.MustCompile("(?:^|[\\s`'\"(])--([a-z][a-z-]+)")
