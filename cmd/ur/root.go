package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/spf13/cobra"
)

// environment is what every command reads from and writes to.
type environment struct {
	stdin  io.Reader
	stdout io.Writer // results
	stderr io.Writer // progress and messages
}

// run executes one command line, without the name of the program. It is main
// without the process: tests call it with buffers.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	out := &output{to: stdout}
	root := newRootCommand(&environment{stdin: stdin, stdout: out, stderr: stderr})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if out.err != nil {
		return fmt.Errorf("writing the output: %w", out.err)
	}
	return err
}

const rootLong = `ur is a performance lab and an AI for the Royal Game of Ur.

A player P is one of
  human           you, at the keyboard (only in "ur play")
` + playersHelp + `

Results go to stdout, progress and messages to stderr. With --json a result is
one JSON object, or one a line. NO_COLOR switches colour off.

Exit codes: 0 done; 1 failure; 2 bad usage or bad input; 3 a gate or
verification failed; 4 inconclusive; 130 interrupted (what was finished is
printed or saved).`

// newRootCommand returns the command "ur" with all its sub-commands.
func newRootCommand(env *environment) *cobra.Command {
	root := newGroup("ur", "Play and measure the Royal Game of Ur", rootLong,
		newPlayCommand(env),
		newMatchCommand(env),
		newTournamentCommand(env),
		newEvalCommand(env),
		newEnginesCommand(env),
		newBenchCommand(env),
		newSolveCommand(env),
		newRegretCommand(env),
		newTrainCommand(env),
		newBrainCommand(env),
		newTableCommand(env),
		newVersionCommand(env),
		newCompletionCommand(env),
	)
	root.RunE = func(cmd *cobra.Command, args []string) error { return cmd.Help() }
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return checkEnvironment() }
	root.Example = `  ur play                      play against the built-in brain
  ur match brain greedy        let two players play 1000 games
  ur engines verify            check every engine of this CPU, bit for bit`
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelpCommand())
	root.SetFlagErrorFunc(flagError)
	root.SetIn(env.stdin)
	root.SetOut(env.stdout)
	root.SetErr(env.stderr)
	return root
}

// checkEnvironment finds a mistake in UR_DISABLE before a command
// works on: the oracle needs nothing of the CPU, so nothing else keeps it from running.
func checkEnvironment() error {
	if err := ur.Available(engine.Oracle()); err != nil {
		return usageError("%w", err)
	}
	return nil
}

// newGroup returns a command that only holds others. Called without one of them,
// or with a name it does not know, it says which there are.
func newGroup(use, short, long string, commands ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{Use: use, Short: short, Long: long, Args: knownCommand}
	group.RunE = func(cmd *cobra.Command, _ []string) error {
		return usageError("%s needs a command, one of %s\n%s", commandName(cmd), commandNames(cmd), seeHelp(cmd))
	}
	group.AddCommand(commands...)
	return group
}

// knownCommand refuses the arguments of a group: what stands there is the name of
// a command that does not exist.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	right := "want one of " + commandNames(cmd)
	if cmd.SuggestionsMinimumDistance <= 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		right = fmt.Sprintf("did you mean %q?", near[0])
	}
	return usageError("unknown command %q for %q: %s\n%s", args[0], cmd.CommandPath(), right, seeHelp(cmd))
}

// commandName names a command in a message that begins with "ur:".
func commandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), "ur ")
}

// commandNames lists the commands of a group.
func commandNames(cmd *cobra.Command) string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return strings.Join(names, ", ")
}

// seeHelp is the line below a usage error.
func seeHelp(cmd *cobra.Command) string {
	return fmt.Sprintf("See %q.", cmd.CommandPath()+" --help")
}

// exactly checks the number of arguments of a command; what names them, as in
// "two players".
func exactly(n int, what string) cobra.PositionalArgs {
	return between(n, n, what)
}

// between checks that a command has at least and at most so many arguments.
func between(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= most {
			return nil
		}
		got := fmt.Sprintf("%d arguments", len(args))
		switch len(args) {
		case 0:
			got = "none"
		case 1:
			got = fmt.Sprintf("only %q", args[0])
			if most == 0 {
				got = fmt.Sprintf("%q", args[0])
			}
		}
		return usageError("%s wants %s, got %s\n%s", commandName(cmd), what, got, seeHelp(cmd))
	}
}

// newHelpCommand returns "ur help", which fails for a command that does not exist.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [command]",
		Short:             "Help about any command",
		ValidArgsFunction: completeCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return usageError("%w", err)
			}
			if len(rest) > 0 {
				return knownCommand(found, rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// completeCommands completes the names of commands behind "ur help".
func completeCommands(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	found, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, c := range found.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name()+"\t"+c.Short)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
