package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newCompletionCommand returns the command that prints the shell scripts for completion.
func newCompletionCommand(env *Env, program string) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: fmt.Sprintf("Print the script that completes %s's commands in a shell", program),
		Long: strings.ReplaceAll(`Completion prints the script by which a shell completes commands, flags, and the
names that they take.

  bash         source <(NAME completion bash)
  zsh          NAME completion zsh > "${fpath[1]}/_NAME"
  fish         NAME completion fish > ~/.config/fish/completions/NAME.fish
  powershell   NAME completion powershell | Out-String | Invoke-Expression

The script for bash needs the package bash-completion 2: if the shell reports
"_get_comp_words_by_ref: command not found", install it and load it first.`, "NAME", program),
		Example:   fmt.Sprintf("  source <(%s completion bash)", program),
		Args:      Exactly(1, "one shell: "+strings.Join(shells, ", ")),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(env.Stdout, true)
			case "zsh":
				return root.GenZshCompletion(env.Stdout)
			case "fish":
				return root.GenFishCompletion(env.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(env.Stdout)
			}
			return UsageError("unknown shell %q (want one of %s)\n%s", args[0], strings.Join(shells, ", "), seeHelp(cmd))
		},
	}
}

// CompleteFlag sets the completion of a flag.
func CompleteFlag(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is not there, or registered twice
	}
}
