package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// setDefaults sets the defaults of the commands in a tree: a command without a check of its arguments
// takes none, no files are offered after a command that takes none, and flags are listed in the order
// of their definition.
func setDefaults(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	if cmd.Runnable() && cmd.Args == nil {
		cmd.Args = Exactly(0, "no arguments")
	}
	if cmd.Args != nil && cmd.ValidArgsFunction == nil && cmd.Args(cmd, nil) == nil && cmd.Args(cmd, []string{""}) != nil {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, below := range cmd.Commands() {
		setDefaults(below)
	}
}

// completeFlags adds a completion to every flag without one in a tree of commands: its default
// for a number, folders for a folder, and files for a file. Other text gets none: files would
// mislead.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if _, ok := cmd.GetFlagCompletionFunc(flag.Name); ok || flag.Value.Type() == "bool" {
			return
		}
		if complete := completionOf(flag); complete != nil {
			CompleteFlag(cmd, flag.Name, complete)
		}
	})
	for _, below := range cmd.Commands() {
		completeFlags(below)
	}
}

// completionOf returns the completion of a flag by its kind, nil for files.
func completionOf(flag *pflag.Flag) cobra.CompletionFunc {
	name, usage := pflag.UnquoteUsage(flag)
	about := strings.ToLower(name + " " + usage)
	switch {
	case isNumber(flag.Value.Type()):
		return completeDefault(flag)
	case strings.HasPrefix(about, "folder") || strings.HasPrefix(about, "dir ") || strings.Contains(about, "string folder"):
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	case strings.Contains(about, "file"):
		return nil
	}
	return completeDefault(flag)
}

// isNumber reports whether values of a type, as package pflag calls it, are numbers.
func isNumber(kind string) bool {
	kind = strings.TrimSuffix(strings.TrimSuffix(kind, "Slice"), "s")
	return kind == "duration" || strings.HasPrefix(strings.TrimPrefix(kind, "u"), "int") || strings.HasPrefix(kind, "float")
}

// completeDefault offers the default of a flag, and no files.
func completeDefault(flag *pflag.Flag) cobra.CompletionFunc {
	var values []string
	if v := strings.Trim(flag.DefValue, "[]"); v != "" && v != "0" && v != "0s" && v != "-1" {
		values = []string{v + "\tthe default"}
	}
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteFrom completes a flag from fixed values.
func CompleteFrom(cmd *cobra.Command, flag string, values ...string) {
	CompleteFlag(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
