package clitest

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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

// Tree compares the commands and flags of a program with a table: a line for each command, its
// words, a colon and its flags, in the help's order. "help" is not among them.
func Tree(t *testing.T, program *cli.Program, want string) {
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
	have, table := strings.Split(got.String(), "\n"), strings.Split(strings.TrimLeft(want, "\n"), "\n")
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

// wrongValues returns three values that no flag of a type takes.
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
// [WrongInputs] runs command lines. args are the arguments of commands that need some, and under
// "" a command line that is run first, to make files; free are the flags, as in "match --out",
// that take other text than the empty one.
func WrongValues(t *testing.T, program *cli.Program, args map[string]string, free ...string) {
	newFolder(t)
	if err := program.Run(t.Context(), strings.Fields(args[""]), strings.NewReader(""), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	eachCommand(program, func(words []string, cmd *cobra.Command) {
		name := strings.Join(words, " ")
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for i, value := range wrongValues(f) {
				if i > 0 && slices.Contains(free, name+" --"+f.Name) {
					break
				}
				line := slices.Concat(words, strings.Fields(args[name]), []string{"--" + f.Name + "=" + value})
				t.Run(strings.Join(line, " "), func(t *testing.T) { checkWrong(t, program.Name, runOf(program), line) })
			}
		})
	})
}
