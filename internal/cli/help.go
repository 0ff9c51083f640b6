package cli

import (
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

// hideToldDefault keeps the parser from adding a default to a description that has one.
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

// reflowHelp wraps the paragraphs of a help that are too wide for a terminal, unless a line is
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

// setDefaults sets the defaults of a tree of commands: a command that only holds others rejects
// unknown names, a command without a check of its arguments takes none, no files are offered
// after a command that takes none, and flags are listed in the order of their definition, each
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
