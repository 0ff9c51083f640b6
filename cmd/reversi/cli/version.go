package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
	"github.com/spf13/cobra"
)

// version is the output of "reversi version --json".
type version struct {
	Schema   string        `json:"schema"`
	Version  string        `json:"version"` // version of the module
	Go       string        `json:"go"`
	OS       string        `json:"os"`
	Arch     string        `json:"arch"`
	CPU      string        `json:"cpu"`
	Features []cpu.Feature `json:"features"` // features any generator could use
	Engines  []string      `json:"engines"`  // available generators, the fastest last
}

func newVersionCommand(env *cli.Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the CPU, and the generators that it can run",
		RunE: func(*cobra.Command, []string) error {
			v := readVersion()
			if asJSON {
				return cli.WriteJSON(env.Stdout, v)
			}
			_, err := fmt.Fprintf(env.Stdout, "reversi %s, %s, %s/%s\n%s\nfeatures  %s\nengines   %s\n",
				v.Version, v.Go, v.OS, v.Arch, v.CPU, text.Join(v.Features, " "), text.Join(v.Engines, " "))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func readVersion() version {
	v := version{Schema: "reversi.version/1", Version: "(devel)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPU: cpu.Name(), Features: cpu.Detected()}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	v.Engines = text.List(movegen.Available(), movegen.Generator.Name)
	return v
}
