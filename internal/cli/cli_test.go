package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/spf13/cobra"
)

// example is a small program.
var example = Program{
	Name: "example", Short: "Show how a program is made",
	Commands: func(env *Env) []*cobra.Command {
		show := &cobra.Command{
			Use: "show", Short: "Show something", Args: Exactly(0, "no arguments"),
			Long:    strings.Repeat("word ", 30) + "\n\n  " + strings.Repeat("example ", 12),
			Example: "  example show",
			RunE: func(*cobra.Command, []string) error {
				return testkit.ErrorOf(io.WriteString(env.Stdout, "shown\n"))
			},
		}
		var options struct {
			Zebra int   `flag:"zebra" default:"-1" help:"stripes (default all)"`
			Ape   int   `flag:"ape,a" default:"3" help:"<heads> of apes" unless:"force"`
			Names Texts `flag:"name" values:"Ada,Bea" help:"names"`
			Overwrite
		}
		WithFlags(show, &options)
		version := &cobra.Command{
			Use: "version", Short: "Print the version",
			RunE: func(*cobra.Command, []string) error { return testkit.ErrorOf(io.WriteString(env.Stdout, "1\n")) },
		}
		return []*cobra.Command{show, version}
	},
}

// An extension in any case names a form, and another one is refused.
func TestCheckExtension(t *testing.T) {
	for _, file := range []string{"", "a", "a.svg", "A.SVG", "/dev/null", "a.b/c"} {
		testkit.NoError(t, CheckExtension("--svg", file, ".svg"))
	}
	testkit.WantError(t, CheckExtension("--svg", "a.png", ".svg"), "--svg: extension of a.png is wrong (want .svg, or none)",
		"another extension")
	testkit.NoError(t, CheckBinary("-o", os.DevNull)) // a device, but no terminal
}

// Tags give a flag its letter, the word for its value, the values that the shell completes and what excludes it.
func TestFlagsOfTags(t *testing.T) {
	help := testkit.Must(output(t, "show", "--help"))(t)
	testkit.WantText(t, help, "\n  -a, --ape heads ", "heads of apes (default 3)\n", "--name stringArray   names\n",
		"--force              replace existing output files\n")
	testkit.WantText(t, testkit.Must(output(t, "__complete", "show", "--name", ""))(t), "Ada\nBea\n")
	_, err := output(t, "show", "-a", "4", "--force")
	testkit.WantError(t, err, "--ape and --force cannot be used together", "two flags that exclude each other")
	_, err = output(t, "show", "-a", "4", "--name", "a,b")
	testkit.NoError(t, err)
}

// output runs the example.
func output(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := example.Run(t.Context(), args, strings.NewReader(""), &out, io.Discard)
	return out.String(), err
}

func TestHelp(t *testing.T) {
	help := testkit.Must(output(t, "show", "--help"))(t)
	usage, zebra, ape := strings.Index(help, "Usage:"), strings.Index(help, "--zebra"), strings.Index(help, "--ape")
	testkit.ErrorIf(t, strings.Index(help, "  example show\n") > usage || zebra > ape || ape < 0,
		"examples or flags stand in another order:\n%s", help)
	testkit.ErrorIf(t, strings.Contains(help, "(default -1)") || !strings.Contains(help, "(default 3)"),
		"defaults are told twice or not at all:\n%s", help)
	for line := range strings.SplitSeq(help, "\n") {
		testkit.ErrorIf(t, len(line) > 80 && !strings.HasPrefix(line, "  example"), "%d columns: %q", len(line), line)
	}
}

func TestWaysToType(t *testing.T) {
	for _, test := range []struct{ typed, want string }{
		{"-- show", "shown\n"},
		{"--version", "1\n"},
		{"version", "1\n"},
	} {
		testkit.Equal(t, testkit.Must(output(t, strings.Fields(test.typed)...))(t), test.want, "%s prints", test.typed)
	}
	var out bytes.Buffer
	plain := &Program{Name: "plain", Commands: func(*Env) []*cobra.Command { return nil }}
	testkit.NoError(t, plain.Run(t.Context(), []string{"--version"}, strings.NewReader(""), &out, io.Discard))
	testkit.ErrorIf(t, !strings.HasPrefix(out.String(), "plain "),
		"a program without a command for its version prints %q", out.String())
	for _, test := range []struct{ typed, want string }{
		{"help show me", `"example show" has no commands, so there is no help about "me"`},
		{"help shw", `did you mean "show"?`},
		{"shw --help", `did you mean "show"?`},
		{"shw", `did you mean "show"?`},
	} {
		_, err := output(t, strings.Fields(test.typed)...)
		testkit.Equal(t, ExitCode(err), BadUsage, "%s: exit code", test.typed)
		testkit.WantError(t, err, test.want, "%s", test.typed)
	}
}

// A byte order mark before the first line is no part of it.
func TestAnswerLines(t *testing.T) {
	var out bytes.Buffer
	env := &Env{Stdin: strings.NewReader("\ufeff1\n\ufeff2"), Stdout: &out}
	err := AnswerLines(t.Context(), env, "lines", func(line []byte) (any, error) { return string(line), nil })
	testkit.NoError(t, err)
	testkit.Equal(t, out.String(), "\"1\"\n\"\ufeff2\"\n", "answers")
}

// An interrupted answer is the last one, and no bad line.
func TestAnswerLinesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	env := &Env{Stdin: strings.NewReader("1\n2\n3\n"), Stdout: &out}
	err := AnswerLines(ctx, env, "lines", func(line []byte) (any, error) {
		if string(line) == "2" {
			cancel()
		}
		return string(line), ctx.Err()
	})
	testkit.Equal(t, ExitCode(err), Interrupted, "the exit code of %v", err)
	testkit.Equal(t, out.String(), "\"1\"\n\"2\"\n", "answers")
}

func TestNearest(t *testing.T) {
	names := []string{"array16/scalar", "array8/scalar", "bits/table"}
	for typed, want := range map[string]string{
		"array8/scaler": "array8/scalar", "bit/table": "bits/table", "bit/tabel": "bits/table",
		"bits/table": "", "abacus": "", "": "",
	} {
		testkit.Equal(t, Nearest(typed, names), want, "nearest to %q", typed)
	}
}

func TestSize(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1 kB", 275_740_194: "276 MB", 1_470_000_000: "1.47 GB",
	} {
		testkit.Equal(t, Size(bytes), want, "size(%d)", bytes)
	}
}

func TestExitCodes(t *testing.T) {
	for want, err := range map[int]error{
		Done:               nil,
		Failure:            errors.New("failure"),
		BadUsage:           UsageError("usage"),
		FailedVerification: VerificationError("verification"),
		Inconclusive:       InconclusiveError("inconclusive"),
		Interrupted:        context.Canceled,
	} {
		testkit.Equal(t, ExitCode(err), want, "%v: exit code", err)
	}
}

// Names that come from outside cannot command the terminal; lines of a message stay lines.
func TestReportQuotesControlCharacters(t *testing.T) {
	var stderr bytes.Buffer
	code := example.Report(&stderr, UsageError("open %s: no such file\nSee help.", "a\x1b[31m\u202eb"))
	testkit.Equal(t, code, BadUsage, "exit code")
	testkit.Equal(t, stderr.String(), "example: open a\\x1b[31m\\u202eb: no such file\nSee help.\n", "message")
}

// The end of a program that was asked something is an error like any other, whichever side of its pipe
// notices first.
func TestReportEndOfAnotherProgram(t *testing.T) {
	var stderr bytes.Buffer
	code := example.Report(&stderr, UsageError("x: the program has ended (%w)", syscall.EPIPE))
	testkit.Equal(t, code, BadUsage, "exit code")
	testkit.Equal(t, stderr.String(), "example: x: the program has ended (broken pipe)\n", "message")
}

// All programs name a folder in the place of a file in the same words, as bad input.
func TestReportFolder(t *testing.T) {
	folder := t.TempDir()
	_, err := os.ReadFile(folder)
	var stderr bytes.Buffer
	code := example.Report(&stderr, fmt.Errorf("reading the net: %w", err))
	testkit.Equal(t, code, BadUsage, "exit code")
	testkit.Equal(t, stderr.String(), "example: reading the net: "+folder+" is a folder (want a file)\n", "message")
}

func TestMain(m *testing.M) { testkit.Main(m) }

// What nothing else completes is completed by its kind: only files are looked for among files.
func TestFlagsAreCompletedByTheirKind(t *testing.T) {
	program := &Program{Name: "p", Commands: func(*Env) []*cobra.Command {
		c := &cobra.Command{Use: "run", RunE: func(*cobra.Command, []string) error { return nil }}
		f := c.Flags()
		f.Int("count", 20, "samples")
		f.Duration("time", 0, "`time` at most")
		f.String("output", "", "`FILE` to write")
		f.String("out", "", "`folder` to write")
		f.String("name", "me", "of the worker")
		f.String("clock", "cpu", "of samples")
		CompleteFrom(c, "clock", "cpu", "wall")
		return []*cobra.Command{c}
	}}
	for flag, want := range map[string]string{
		"count":  ":4\n",
		"time":   ":4\n",
		"output": ":0\n",
		"out":    ":16\n",
		"name":   ":4\n",
		"clock":  "cpu\nwall\n:4\n",
	} {
		var out bytes.Buffer
		testkit.NoError(t, program.Run(context.Background(), []string{"__complete", "run", "--" + flag, ""},
			strings.NewReader(""), &out, &bytes.Buffer{}))
		testkit.Equal(t, out.String(), want, "--%s is completed by", flag)
	}
}
