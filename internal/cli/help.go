package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how wide a help may be.
const helpWidth = 80

// helpTemplate shows the purpose of a command, then its usage, and then the rest.
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
{{.Long | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableSubCommands}}
"{{.CommandPath}} COMMAND --help" says more about a command.
{{end}}`

// setHelp sets the help of a tree of commands: flags in the order of their definition, each
// default once, and text that fits the terminal.
func setHelp(cmd *cobra.Command) {
	cmd.SetHelpTemplate(helpTemplate)
	cmd.Long = reflow(cmd.Long, helpWidth)
	cmd.Flags().SortFlags = false
	cmd.LocalFlags().SortFlags = false
	cmd.Flags().VisitAll(hideToldDefault)
	for _, c := range cmd.Commands() {
		setHelp(c)
	}
}

// hideToldDefault keeps the parser from adding a default to a description that has one.
func hideToldDefault(flag *pflag.Flag) {
	if !strings.Contains(flag.Usage, "(default") {
		return
	}
	switch flag.Value.Type() {
	case "bool":
		flag.DefValue = "false"
	case "string", "stringSlice", "stringArray":
		flag.DefValue = ""
	case "duration":
		flag.DefValue = "0s"
	default:
		flag.DefValue = "0"
	}
}

// reflow re-wraps the paragraphs with a line wider than a width. A paragraph with an indented
// line, a table or an example, stays as it is.
func reflow(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, paragraph := range paragraphs {
		wide := false
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, " ") {
				wide = false
				break
			}
			wide = wide || len([]rune(line)) > width
		}
		if wide {
			paragraphs[i] = wrap(strings.Fields(paragraph), width)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// wrap puts words into lines of at most a width, or of one word.
func wrap(words []string, width int) string {
	var text strings.Builder
	used := 0
	for i, word := range words {
		n := len([]rune(word))
		switch {
		case i == 0:
		case used+1+n > width:
			text.WriteByte('\n')
			used = 0
		default:
			text.WriteByte(' ')
			used++
		}
		text.WriteString(word)
		used += n
	}
	return text.String()
}
