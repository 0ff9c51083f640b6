package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpTemplate shows a command's purpose, then its usage, and then the rest.
const helpTemplate = `{{.Short}}.
{{if .Example}}
{{.Example}}
{{end}}{{if .Runnable}}
Usage:
  {{.UseLine}}
{{end}}{{$commands := .Commands}}{{range $group := .Groups}}
{{.Title}}{{range $commands}}{{if and (eq .GroupID $group.ID) .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if and .HasAvailableSubCommands (not .Groups)}}
Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}
{{end}}{{if .Long}}
{{.Long | reflow | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableSubCommands}}
"{{.CommandPath}} COMMAND --help" says more about a command.
{{end}}`

// hideToldDefault keeps the parser from adding a second default to a description.
func hideToldDefault(flag *pflag.Flag) {
	if !strings.Contains(flag.Usage, "(default") {
		return
	}
	switch flag.Value.Type() {
	case "bool", "string", "duration":
		flag.DefValue = map[string]string{"duration": "0s"}[flag.Value.Type()]
	case "stringSlice", "stringArray":
		flag.DefValue = "[]"
	default:
		flag.DefValue = "0"
	}
}

// reflowHelp wraps the paragraphs of a help too wide for a terminal, unless a line is
// indented, as in a table or an example.
func reflowHelp(long string) string {
	wide := func(line string) bool { return utf8.RuneCountInString(line) > 80 }
	indented := func(line string) bool { return strings.TrimLeft(line, " \t") != line }
	paragraphs := strings.Split(long, "\n\n")
	for i, p := range paragraphs {
		if lines := strings.Split(p, "\n"); slices.ContainsFunc(lines, wide) && !slices.ContainsFunc(lines, indented) {
			paragraphs[i] = text.Wrap(p, "", 80)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// setDefaults sets the defaults of a tree of commands: a command for others only rejects
// unknown names, a command without a check of its arguments takes none, no files are offered
// after a command without any, and flags are listed in the order of their definition, each
// default once.
func setDefaults(cmd *cobra.Command) {
	switch {
	case cmd.HasSubCommands() && !cmd.Runnable():
		cmd.Args = knownCommand
		cmd.RunE = func(cmd *cobra.Command, _ []string) error {
			return UsageError("%s needs a command, one of %s\n%s", commandName(cmd), commandNames(cmd), seeHelp(cmd))
		}
	case cmd.Args == nil || cmd.HasParent() && cmd.Parent().Name() == "completion":
		cmd.Args = Exactly(0, "no arguments")
	}
	if cmd.ValidArgsFunction == nil && cmd.Args(cmd, nil) == nil && cmd.Args(cmd, []string{""}) != nil {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	cmd.Flags().SortFlags = false
	cmd.LocalFlags().SortFlags = false
	completeFlags(cmd)
	cmd.Flags().VisitAll(hideToldDefault)
	for _, below := range cmd.Commands() {
		setDefaults(below)
	}
}

func init() {
	cobra.EnableCommandSorting = false // commands are listed in the order of their use
	cobra.AddTemplateFunc("reflow", reflowHelp)
}

// NewGroup returns a command for others only. Called with none of them, or with an
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

// commandName returns a command's name for a message behind the program's name.
func commandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

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
func seeHelp(cmd *cobra.Command) string { return fmt.Sprintf("See %q.", cmd.CommandPath()+" --help") }

// Exactly checks the number of a command's arguments, named in the error as in "two players".
func Exactly(n int, what string) cobra.PositionalArgs { return Between(n, n, what) }

// Between checks a command for a number of arguments in a range.
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
			return UsageError("%q has no commands, so there is no help about %q\n%s", found.CommandPath(),
				rest[0], seeHelp(found))
		}
		return nil
	}
}
