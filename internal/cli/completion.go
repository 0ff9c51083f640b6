package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completeFlags adds a completion to every flag of a command without one: its default for a
// number, folders for a folder, and files for a file. Other text gets none: files would mislead.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if _, ok := cmd.GetFlagCompletionFunc(flag.Name); ok || flag.Value.Type() == "bool" {
			return
		}
		name, usage := pflag.UnquoteUsage(flag)
		about := strings.ToLower(name + " " + usage)
		switch {
		case !takesText(flag):
			completeDefault(cmd, flag)
		case strings.HasPrefix(about, "folder") || strings.Contains(about, "string folder"):
			CompleteFlag(cmd, flag.Name, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
		case !strings.Contains(about, "file"):
			completeDefault(cmd, flag)
		}
	})
}

// completeDefault offers the default of a flag, and no files.
func completeDefault(cmd *cobra.Command, flag *pflag.Flag) {
	var values []string
	if v := strings.Trim(flag.DefValue, "[]"); v != "" && v != "0" && v != "0s" && v != "-1" {
		values = []string{v + "\tthe default"}
	}
	CompleteFrom(cmd, flag.Name, values...)
}

// CompleteFrom completes a flag from fixed values.
func CompleteFrom(cmd *cobra.Command, flag string, values ...string) {
	CompleteFlag(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteFlag sets the completion of a flag.
func CompleteFlag(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is not there, or registered twice
	}
}
