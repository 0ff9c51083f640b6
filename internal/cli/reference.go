package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// WriteReference writes the commands of a program as Markdown, from the same texts as their
// help: a heading for each command, its usage, its flags, and its examples.
func (p *Program) WriteReference(w io.Writer) error {
	return writeCommand(w, p.root(&Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}))
}

// writeCommand writes a command and the commands below it.
func writeCommand(w io.Writer, cmd *cobra.Command) error {
	if cmd.HasParent() {
		fmt.Fprintf(w, "### %s\n\n", cmd.CommandPath())
	}
	fmt.Fprintf(w, "%s.\n", cmd.Short)
	if cmd.Runnable() {
		writeCode(w, cmd.UseLine())
	}
	if cmd.Example != "" {
		writeCode(w, cmd.Example)
	}
	rows := flagRows(cmd.LocalFlags())
	if len(rows) > 0 {
		fmt.Fprintf(w, "\n| flag | purpose |\n|---|---|\n%s", strings.Join(rows, ""))
	}
	if cmd.Long != "" {
		writeCode(w, cmd.Long)
	}
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() && !c.IsAdditionalHelpTopicCommand() {
			continue
		}
		fmt.Fprintln(w)
		if err := writeCommand(w, c); err != nil {
			return err
		}
	}
	return nil
}

// writeCode writes text as it stands on a terminal.
func writeCode(w io.Writer, text string) {
	fmt.Fprintf(w, "\n```text\n%s\n```\n", strings.TrimRight(text, "\n"))
}

// flagRows returns a row of a Markdown table for each flag. A default that depends on the
// machine stands in the description as words.
func flagRows(flags *pflag.FlagSet) (rows []string) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		argument, purpose := pflag.UnquoteUsage(f)
		name := strings.TrimSpace("--" + f.Name + " " + argument)
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" && d != "[]" {
			purpose += fmt.Sprintf(" (default %s)", d)
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s |\n", name, cell.Replace(purpose)))
	})
	return rows
}

// cell escapes text for a cell of a Markdown table.
var cell = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "\n", " ")
