package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func init() {
	cobra.EnableCommandSorting = false // commands are listed in the order of their use
	cobra.AddTemplateFunc("reflow", reflowHelp)
}

// NewGroup returns a command that only holds others. Called with none of them, or with an
// unknown name, it lists them.
func NewGroup(use, short, long string, commands ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{Use: use, Short: short, Long: long}
	group.AddCommand(commands...)
	return group
}

// knownCommand rejects a group's arguments: they name an unknown command.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	right := " (want one of " + commandNames(cmd) + ")"
	if cmd.SuggestionsMinimumDistance <= 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		right = fmt.Sprintf(": did you mean %q?", near[0])
	}
	return UsageError("unknown command %q for %q%s\n%s", args[0], cmd.CommandPath(), right, seeHelp(cmd))
}

// commandName returns a command's name for a message that begins with the program's name.
func commandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// commandNames lists a group's commands.
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

// Exactly checks the number of a command's arguments, named in the error as in "two players".
func Exactly(n int, what string) cobra.PositionalArgs {
	return Between(n, n, what)
}

// Between checks that a command has a number of arguments in a range.
func Between(least, most int, what string) cobra.PositionalArgs {
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
		return UsageError("%s wants %s, got %s\n%s", commandName(cmd), what, got, seeHelp(cmd))
	}
}

// rejectUnknownTopics turns an unknown topic of the command "help" into an error.
func rejectUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // the command was added just now
	}
	help.Long = ""
	help.Args = func(_ *cobra.Command, args []string) error {
		found, rest, err := root.Find(args)
		switch {
		case err != nil:
			return UsageError("%w", err)
		case len(rest) > 0 && found.HasSubCommands():
			return knownCommand(found, rest)
		case len(rest) > 0:
			return UsageError("%q has no commands, so there is no help about %q\n%s", found.CommandPath(), rest[0], seeHelp(found))
		}
		return nil
	}
}
