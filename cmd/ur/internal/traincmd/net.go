package traincmd

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/valuenet"
	"github.com/spf13/cobra"
)

const netLong = `A net is a value network: it estimates the probability that the side to move wins,
before the roll. "ur train td" and "ur train distill" train nets, and the players
"net", "net:FILE" and "net@2" use them.

Nets are stored as safetensors files, readable by PyTorch, JAX and Rust libraries.`

// NetCommand returns "ur net".
func NetCommand(env *cli.Env) *cobra.Command {
	return cli.NewGroup("net", "Print and convert nets", netLong, newNetShowCommand(env), newNetConvertCommand(env))
}

// netReport is the JSON description of a net.
type netReport struct {
	Schema     string            `json:"schema"` // ur.net-info/1
	File       string            `json:"file,omitempty"`
	Rules      string            `json:"rules"`      // name of the rule set
	Features   string            `json:"features"`   // features of the input: squares or counts
	Hidden     []int             `json:"hidden"`     // units of the hidden layers
	Activation string            `json:"activation"` // activation of hidden units
	Weights    int               `json:"weights"`    // number of weights
	Bytes      int               `json:"bytes"`      // of the net in integers
	Start      float64           `json:"start"`      // probability that Light wins from the start
	Meta       map[string]string `json:"meta"`       // metadata of the file
}

// newNetShowCommand returns "ur net show".
func newNetShowCommand(env *cli.Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [FILE]",
		Short: "Print a net's architecture and provenance",
		Long: `Show describes the network in a file, or the built-in one.

Exit codes: 0 done; 2 bad usage, or a file that is not a network.`,
		Example: `  ur net show
  ur net show mine.safetensors --json`,
		Args: cli.Between(0, 1, "one file at most"),
		RunE: func(_ *cobra.Command, args []string) error {
			n, report := (*valuenet.Net)(nil), netReport{Schema: "ur.net-info/1"}
			var err error
			if len(args) == 0 {
				n, err = valuenet.BuiltinNet()
			} else {
				report.File = args[0]
				n, err = openNet(args[0])
			}
			if err != nil {
				return err
			}
			q, err := valuenet.Quantise(n)
			if err != nil {
				return cli.UsageError("%s: %w", report.File, err)
			}
			report.Rules = play.RulesName(n.Rules)
			report.Features, report.Hidden, report.Activation = n.Features.String(), n.Hidden, n.Activation.String()
			report.Weights, report.Bytes, report.Meta = n.Weights(), q.Bytes(), n.Meta
			report.Start = q.Start()
			if asJSON {
				return cli.WriteJSON(env.Stdout, report)
			}
			return report.print(env.Stdout)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, of schema ur.net-info/1")
	return cmd
}

// print prints the report for people.
func (r netReport) print(w io.Writer) error {
	fmt.Fprintf(w, "rules       %s\n", r.Rules)
	fmt.Fprintf(w, "features    %s\nhidden      %v\nactivation  %s\nweights     %d\n", r.Features, r.Hidden, r.Activation, r.Weights)
	fmt.Fprintf(w, "in integers %d bytes\nthe start   %.2f %% for Light\n", r.Bytes, 100*r.Start)
	for _, key := range slices.Sorted(maps.Keys(r.Meta)) {
		if _, err := fmt.Fprintf(w, "%s: %q\n", key, r.Meta[key]); err != nil {
			return err
		}
	}
	return nil
}

// openNet reads a net from a file named by the user.
func openNet(name string) (*valuenet.Net, error) {
	n, err := valuenet.Open(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	return n, nil
}

// newNetConvertCommand returns "ur net convert".
func newNetConvertCommand(env *cli.Env) *cobra.Command {
	var compact, force bool
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a net between safetensors and JSON",
		Long: `Convert reads a net, as safetensors or plain JSON of its weights. The ending of OUT,
.json or .safetensors, determines the output format. With --compact, safetensors have
16 bits a number instead of 32: every layer is rounded to multiples of a power of two.

Exit codes: 0 done; 1 failure; 2 bad usage, or a file that is not a network.`,
		Example: `  ur net convert mine.safetensors mine.json
  ur net convert mine.json small.safetensors --compact`,
		Args: cli.Exactly(2, "a file to read and one to write"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkEndings("OUT", args[1:], ".json", ".safetensors"); err != nil {
				return err
			}
			if err := cli.CheckOutput("OUT", args[1], force); err != nil {
				return err
			}
			n, err := openNet(args[0])
			if err != nil {
				return err
			}
			write := n.Write
			switch asJSON := filepath.Ext(args[1]) == ".json"; {
			case asJSON && compact:
				return cli.UsageError("--compact: %s is JSON (want a .safetensors file)", args[1])
			case asJSON:
				write = n.WriteJSON
			case compact:
				write = n.WriteCompact
			}
			return writeSaved("OUT", args[1], write)
		},
	}
	cmd.Flags().BoolVar(&compact, "compact", false, "write 16-bit numbers")
	cli.ForceFlag(cmd, &force)
	return cmd
}
