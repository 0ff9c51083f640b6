//go:build play

package cli

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// labCommands returns hidden stand-ins. The tag play leaves the commands out together with the
// packages that only they need, the NATS server above all, to shorten the first build of a clone.
func labCommands(*cli.Env) (stubs []*cobra.Command) {
	for _, name := range []string{"match", "tournament", "bench", "solve", "table", "regret", "search", "book", "train", "fleet", "net"} {
		stubs = append(stubs, &cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true, Args: cobra.ArbitraryArgs,
			RunE: func(*cobra.Command, []string) error {
				return cli.UsageError("ur %s is not part of this build (build ur without -tags play)", name)
			},
		})
	}
	return stubs
}
