//go:build play

package playcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// matchCommands returns none: a first game needs no fleet.
func matchCommands(*cli.Env) []*cobra.Command { return nil }
