// Package clitest helps to test command lines.
package clitest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// CancelWhen returns a context that ends like one after Ctrl-C once a condition holds, or after
// a minute without it.
func CancelWhen(t *testing.T, holds func() bool) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	end := time.Now().Add(time.Minute)
	go func() {
		for ctx.Err() == nil && time.Now().Before(end) && !holds() {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	return ctx
}

// claim matches a message about saved work.
var claim = regexp.MustCompile(`(?im)^.*\b(saved|written|wrote|kept|holds what|go on with)\b.*$`)

// ExecOnFullDisk is the command "full program [args...]" of testscript, on Unix: it runs a program able to create
// files but writes no byte to them. The program must fail with the system's error and claim to have saved nothing.
func ExecOnFullDisk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: full program [args...]")
	}
	ExecWithCode(ts, false, append([]string{"1", "sh", "-c", `ulimit -f 0 && exec "$@"`, "sh"}, args...))
	output := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	if !strings.Contains(output, syscall.EFBIG.Error()) {
		ts.Fatalf("the error is not %q", syscall.EFBIG)
	}
	for _, line := range claim.FindAllString(output, -1) {
		if !strings.Contains(line, syscall.EFBIG.Error()) {
			ts.Fatalf("on a full disk it says %q", line)
		}
	}
}

// HoldsLong is the condition [long] of scripts, which holds with UR_LONG.
func HoldsLong(condition string) (bool, error) {
	if condition != "long" {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	return testkit.Long(), nil
}

// ExecWithCode is the command "code N program ..." of scripts. It runs a command and compares its
// exit code with one or several, as in "0,3", where it depends on the machine.
func ExecWithCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N[,N...] program [args...]")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if !slices.Contains(strings.Split(args[0], ","), strconv.Itoa(got)) {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// eachCommand calls do with the commands of a program that do something, by their words, in the order
// of the help. The commands of cobra, completion and help, are left out.
func eachCommand(program *cli.Program, do func(words []string, cmd *cobra.Command)) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		switch {
		case cmd.Name() == "completion" || cmd.Name() == "help":
		case cmd.HasSubCommands():
			for _, below := range cmd.Commands() {
				walk(below)
			}
		case cmd.Runnable():
			do(strings.Fields(cmd.CommandPath())[1:], cmd)
		}
	}
	walk(program.Tree(&cli.Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}))
}

// Tree compares the commands and flags of a program with the table in a file: a line for each command,
// its words, a colon and its flags, in the help's order. "help" is not among them.
func Tree(t *testing.T, program *cli.Program, name string) {
	var got strings.Builder
	eachCommand(program, func(words []string, cmd *cobra.Command) {
		got.WriteString(strings.Join(words, " ") + ":")
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" {
				got.WriteString(" " + f.Name)
			}
		})
		got.WriteByte('\n')
	})
	have, table := strings.Split(got.String(), "\n"), strings.Split(testkit.ReadText(t, name), "\n")
	for _, line := range have {
		if !slices.Contains(table, line) {
			t.Errorf("not in the table: %s", line)
		}
	}
	for _, line := range table {
		if !slices.Contains(have, line) {
			t.Errorf("not in the program: %s", line)
		}
	}
}

// wrongValues returns three values refused by every flag of a type.
func wrongValues(flag *pflag.Flag) []string {
	switch flag.Value.Type() {
	case "bool":
		return []string{"x", "2", "maybe"}
	case "string", "stringArray", "stringSlice":
		return []string{"", "NONE/NONE", "FOLDER"}
	}
	return []string{"", "x", "-1e99"}
}

// WrongValues runs every command of a program with three wrong values for each flag, as
// [WrongInputs] runs command lines. args are the arguments of commands in need of some, or of one flag of
// them, as in "match --out"; under "" is a command line that is run first, to make files. free are the flags that take
// other text than the empty one.
func WrongValues(t *testing.T, program *cli.Program, args map[string]string, free ...string) {
	newFolder(t)
	if err := program.Run(t.Context(), strings.Fields(args[""]), strings.NewReader(""), io.Discard,
		io.Discard); err != nil {
		t.Fatal(err)
	}
	eachCommand(program, func(words []string, cmd *cobra.Command) {
		name := strings.Join(words, " ")
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for i, value := range wrongValues(f) {
				if i > 0 && slices.Contains(free, name+" --"+f.Name) {
					break
				}
				line := slices.Concat(words, strings.Fields(cmp.Or(args[name+" --"+f.Name], args[name])), []string{"--" + f.Name + "=" + value})
				t.Run(strings.Join(line, " "), func(t *testing.T) { checkWrong(t, program.Name, runOf(program), line, "") })
			}
		})
	})
}

// named matches the part of an error about the right form, or why there is none.
var named = regexp.MustCompile(
	`(?i)want|must|cannot|unknown|use |need|no such file|is a directory|mean|required|no meaning|empty|there (is no|are)|error parsing|does not|exists|one of|is not (an? |true or)|, only --|start one|\d to \d`)

const patience = 5 * time.Second // time for an input that is taken for a right one

// WrongInputs runs the command lines with a mistake in a file, one a line, in a new folder. Of each it wants
// exit code 2, nothing on stdout, and an error of few lines that names the right form. A regular
// expression behind " => " matches the error. ” is an empty argument, EMPTY an empty file, GARBAGE
// a file of other bytes, FOLDER a folder, and NONE a missing file.
func WrongInputs(t *testing.T, program *cli.Program, name string) {
	WrongInputsOf(t, program.Name, runOf(program), testkit.ReadText(t, name))
}

// A runner runs a command line and returns its exit code.
type runner = func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int

// runOf returns the runner of a program, whose input is empty.
func runOf(program *cli.Program) runner {
	return func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int {
		return program.Report(stderr, program.Run(ctx, args, strings.NewReader(""), stdout, stderr))
	}
}

// WrongInputsOf is [WrongInputs] for lines and any program.
func WrongInputsOf(t *testing.T, name string, run runner, lines string) {
	newFolder(t)
	for line := range strings.Lines(lines) {
		line, message, _ := strings.Cut(strings.TrimSpace(line), " => ")
		args := strings.Fields(line)
		if len(args) == 0 {
			continue
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "''", "")
		}
		t.Run(line, func(t *testing.T) { checkWrong(t, name, run, args, message) })
	}
}

// newFolder makes a new folder of files the current one, with an empty home.
func newFolder(t *testing.T) {
	testkit.SetHome(t, t.TempDir())
	t.Setenv("UR_PROGRESS", "off")
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"EMPTY": "", "GARBAGE": "\x00\xff\x1b[2Jgarbage\x00\x07\n\x80\x81"} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("FOLDER", 0o777); err != nil {
		t.Fatal(err)
	}
}

// checkWrong runs a command line with a mistake and checks the answer, whose error matches a regular expression.
func checkWrong(t *testing.T, name string, run runner, args []string, message string) {
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, &stdout, &stderr)
	checkAnswer(t, name, code, stdout.String(), stderr.String())
	if !regexp.MustCompile("(?m)" + message).Match(stderr.Bytes()) {
		t.Errorf("the error does not match %s: %s", message, &stderr)
	}
}

// checkAnswer checks the answer to a command line with a mistake.
func checkAnswer(t *testing.T, name string, code int, stdout, stderr string) {
	const most = 4 // a reason, a suggestion and a hint
	reason, _, _ := strings.Cut(stderr, "\nSee ")
	switch {
	case code != 2:
		t.Errorf("exit code %d: %s", code, stderr)
	case strings.Count(stderr, "\n") > most, strings.Contains(stderr, "goroutine"), strings.ContainsAny(stderr,
		"\x00\x07\x1b"):
		t.Errorf("not a message:\n%q", stderr)
	case !strings.HasPrefix(stderr, name+": "), !named.MatchString(reason):
		t.Errorf("the right form is missing: %s", stderr)
	case stdout != "":
		t.Errorf("stdout: %s", stdout)
	}
}
