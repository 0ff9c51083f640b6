package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

// version describes this program and its platform.
type version struct {
	Schema   string       `json:"schema"`           // ur.version/1
	Version  string       `json:"version"`          // version of the module
	Commit   string       `json:"commit,omitempty"` // "+dirty" behind it when files were changed
	Go       string       `json:"go"`
	OS       string       `json:"os"`
	Arch     string       `json:"arch"`
	CPU      string       `json:"cpu"`
	Features []ur.Feature `json:"features"` // supported features that any engine uses
}

// newVersionCommand returns "ur version".
func newVersionCommand(env *cli.Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the CPU and its features",
		Long: `Version prints the version of ur, the commit it was built from when that is
known, the version of Go, the operating system and architecture, the CPU and
those of its features that an engine could use.`,
		Example: `  ur version
  ur version --json`,
		RunE: func(*cobra.Command, []string) error {
			v := readVersion()
			if asJSON {
				return cli.WriteJSON(env.Stdout, v)
			}
			v.print(env)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// readVersion reads the build, the runtime and the CPU. It ignores the current folder, which
// may be another checkout.
func readVersion() version {
	v := version{
		Schema:   "ur.version/1",
		Version:  "(devel)",
		Go:       runtime.Version(),
		OS:       runtime.GOOS,
		Arch:     runtime.GOARCH,
		CPU:      cpu.Name(),
		Features: append([]ur.Feature{}, cpu.Detected()...),
	}
	v.Commit, _ = record.ReadBuild()
	if info, ok := debug.ReadBuildInfo(); ok {
		v.Version = cmp.Or(info.Main.Version, v.Version)
	}
	return v
}

// print writes v for people.
func (v version) print(env *cli.Env) {
	fmt.Fprintf(env.Stdout, "ur %s\n", v.Version)
	if v.Commit != "" {
		fmt.Fprintf(env.Stdout, "commit    %s\n", v.Commit)
	}
	fmt.Fprintf(env.Stdout, "go        %s %s/%s\n", v.Go, v.OS, v.Arch)
	fmt.Fprintf(env.Stdout, "cpu       %s\n", v.CPU)
	fmt.Fprintf(env.Stdout, "features  %s\n", cmp.Or(text.Join(v.Features, " "), "none that an engine uses"))
}
