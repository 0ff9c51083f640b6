package cli

import (
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

// brainReport is the JSON form of a brain.
type brainReport struct {
	Schema  string  `json:"schema"` // ur.brain/1
	Name    string  `json:"name"`
	Weights []int16 `json:"weights"` // in the order of ur.Brain
}

const brainLong = `A brain is a lower triangular 33 x 33 matrix of 16-bit integers B. With x the 33
numbers of a board - 0 to 15 Light's pieces on squares 0 to 15, 16 to 31 Dark's,
32 the side to move - a position is worth

    V(x) = sum over i >= j of B[i][j] * x[i] * x[j]

to Light.`

// newBrainCommand returns "ur brain".
func newBrainCommand(env *cli.Env) *cobra.Command {
	return cli.NewGroup("brain", "Print brains", brainLong, newBrainShowCommand(env))
}

// newBrainShowCommand returns "ur brain show".
func newBrainShowCommand(env *cli.Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [P|FILE]",
		Short: "Print a brain in the format of brain:FILE",
		Long: `Show prints the weights of a player brain or brain:FILE, or of a file: 33 rows of
33 integers, after comment lines that describe them. Without an argument it prints the
built-in brain. brain:FILE reads this text.

With --json the weights are one array of 561 numbers, the lower triangle row by
row: B[0][0], B[1][0], B[1][1], B[2][0], ...

Exit codes: 0 done; 2 bad usage, or a file that is not a brain.`,
		Example: `  ur brain show
  ur brain show > mine.txt        start a brain of your own
  ur brain show mine.txt --json`,
		Args: cli.Between(0, 1, "one player or file at most"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := "brain"
			if len(args) > 0 {
				name = args[0]
			}
			b, err := findBrain(name)
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(env.Stdout, brainReport{"ur.brain/1", name, b[:]})
			}
			return printBrain(env, name, b)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, of schema ur.brain/1")
	return cmd
}

// findBrain returns the brain of a player, or of a file if no player has that name.
func findBrain(name string) (*ur.Brain, error) {
	if _, isPlayer := play.KindOf(name); !isPlayer {
		return pick.BrainFile(name)
	}
	p, err := pick.Player(name)
	if err != nil {
		return nil, err
	}
	brain, ok := p.(play.Brain)
	if !ok {
		return nil, cli.UsageError("player %q has no brain (want brain, brain:FILE, greedy:linear, greedy:FILE or a file)", name)
	}
	return brain.Weights, nil
}

// printBrain writes the text form under a summarizing comment.
func printBrain(env *cli.Env, name string, b *ur.Brain) error {
	text, err := b.MarshalText()
	if err != nil {
		return err
	}
	zeros := 0
	for _, w := range b {
		if w == 0 {
			zeros++
		}
	}
	start := board.StartPosition(board.MaxPieces)
	fmt.Fprintf(env.Stdout, "// %q: %d weights, %d of them 0, from %d to %d\n", name, len(b), zeros, slices.Min(b[:]), slices.Max(b[:]))
	fmt.Fprintf(env.Stdout, "// Worth to Light of the start with %d pieces: %d, and %d when Dark begins.\n", board.MaxPieces, b.Value(start), b.Value(start.Pass()))
	fmt.Fprintln(env.Stdout, "// Rows and columns 0 to 15: Light's squares; 16 to 31: Dark's; 32: the side to move.")
	fmt.Fprint(env.Stdout, b.HashComment())
	_, err = env.Stdout.Write(text)
	return err
}
