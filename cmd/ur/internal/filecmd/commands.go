package filecmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// Commands returns the commands of this package.
func Commands(env *cli.Env) []*cobra.Command {
	return []*cobra.Command{newShowCommand(env), newConvertCommand(env), newCheckCommand(env)}
}
