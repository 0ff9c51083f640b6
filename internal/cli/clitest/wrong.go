// Package clitest tests programs of package cli.
package clitest

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// named matches the part of an error that names the right form, or why there is none.
var named = regexp.MustCompile(`(?i)want|must|cannot|unknown|use |need|no such file|is a directory|mean|required|no meaning|empty|there (is no|are)|error parsing|does not|exists|one of|is not (an? |true or)|, only --|start one|\d to \d`)

// patience is the time for an input that is taken for a right one.
const patience = 5 * time.Second

// WrongInputs runs command lines with a mistake, one a line, in a new folder. Of each it wants
// exit code 2, nothing on stdout, and an error of few lines that names the right form. ” is an
// empty argument, EMPTY an empty file, GARBAGE a file of other bytes, FOLDER a folder, and NONE
// a missing file.
func WrongInputs(t *testing.T, program *cli.Program, lines string) {
	WrongInputsOf(t, program.Name, runOf(program), lines)
}

// A runner runs a command line and returns its exit code.
type runner = func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int

// runOf returns the runner of a program, whose input is empty.
func runOf(program *cli.Program) runner {
	return func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int {
		return program.Report(stderr, program.Run(ctx, args, strings.NewReader(""), stdout, stderr))
	}
}

// WrongInputsOf is [WrongInputs] for any program.
func WrongInputsOf(t *testing.T, name string, run runner, lines string) {
	newFolder(t)
	for line := range strings.Lines(lines) {
		args := strings.Fields(line)
		if len(args) == 0 {
			continue
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "''", "")
		}
		t.Run(strings.TrimSpace(line), func(t *testing.T) { checkWrong(t, name, run, args) })
	}
}

// newFolder makes a new folder of files the current one, with an empty home.
func newFolder(t *testing.T) {
	sandbox.SetHome(t, t.TempDir())
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

// checkWrong runs a command line with a mistake and checks the answer.
func checkWrong(t *testing.T, name string, run runner, args []string) {
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, &stdout, &stderr)
	checkAnswer(t, name, code, stdout.String(), stderr.String())
}

// checkAnswer checks the answer to a command line with a mistake.
func checkAnswer(t *testing.T, name string, code int, stdout, stderr string) {
	const most = 4 // a reason, a suggestion and a hint
	reason, _, _ := strings.Cut(stderr, "\nSee ")
	switch {
	case code != 2:
		t.Errorf("exit code %d: %s", code, stderr)
	case strings.Count(stderr, "\n") > most, strings.Contains(stderr, "goroutine"), strings.ContainsAny(stderr, "\x00\x07\x1b"):
		t.Errorf("not a message:\n%q", stderr)
	case !strings.HasPrefix(stderr, name+": "), !named.MatchString(reason):
		t.Errorf("the right form is missing: %s", stderr)
	case stdout != "":
		t.Errorf("stdout: %s", stdout)
	}
}
