package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// newCompletionCommand returns "ur completion".
func newCompletionCommand(env *environment) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the script that completes ur's commands in a shell",
		Long: `Completion prints the script by which a shell completes commands, flags, and the
names of players and engines.

  bash         source <(ur completion bash)
  zsh          ur completion zsh > "${fpath[1]}/_ur"
  fish         ur completion fish > ~/.config/fish/completions/ur.fish
  powershell   ur completion powershell | Out-String | Invoke-Expression`,
		Example:   `  source <(ur completion bash)`,
		Args:      exactly(1, "one shell: "+strings.Join(shells, ", ")),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(env.stdout, true)
			case "zsh":
				return root.GenZshCompletion(env.stdout)
			case "fish":
				return root.GenFishCompletion(env.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(env.stdout)
			}
			return usageError("unknown shell %q, want one of %s\n%s", args[0], strings.Join(shells, ", "), seeHelp(cmd))
		},
	}
}
