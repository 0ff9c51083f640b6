package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

// newVersionCommand returns "ur version". It ignores the current folder, which may be another
// checkout.
func newVersionCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the CPU and its features",
		Long: `Version prints the version of ur, the commit it was built from when that is
known, the version of Go, the operating system and architecture, the CPU and
those of its features that an engine could use.`,
		Example: "  ur version",
		RunE: func(*cobra.Command, []string) error {
			version := "(devel)"
			if info, ok := debug.ReadBuildInfo(); ok {
				version = cmp.Or(info.Main.Version, version)
			}
			fmt.Fprintf(env.Stdout, "ur %s\n", version)
			if commit, _ := record.ReadBuild(); commit != "" {
				fmt.Fprintf(env.Stdout, "commit    %s\n", commit)
			}
			features := cmp.Or(text.Join(cpu.Detected(), " "), "none that an engine uses")
			_, err := fmt.Fprintf(env.Stdout, "go        %s %s/%s\ncpu       %s\nfeatures  %s\n",
				runtime.Version(), runtime.GOOS, runtime.GOARCH, cpu.Name(), features)
			return err
		},
	}
}
