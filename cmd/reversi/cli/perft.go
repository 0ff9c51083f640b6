package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
	"github.com/spf13/cobra"
)

type perftOptions struct {
	Generator  string `flag:"generator" help:"<NAME> of a move generator, or all (default: the fastest that this CPU can run)"`
	Convention string `flag:"convention" default:"A" values:"A,B,C" help:"how passes count: A, B or C"`
	Board      string `flag:"board" help:"start from these 64 <squares>, a1 to h1 first: X, O or -"`
	Side       string `flag:"side" default:"X" help:"side to move: X or O"`
	JSON       bool   `flag:"json" help:"print JSON, one object for each generator"`
}

type perftResult struct {
	Schema     string  `json:"schema"`
	Depth      int     `json:"depth"`      // depth in plies
	Convention string  `json:"convention"` // counting of passes: A, B or C
	Generator  string  `json:"generator"`
	Leaves     uint64  `json:"leaves"` // number of leaves
	Seconds    float64 `json:"seconds"`
}

func newPerftCommand(env *cli.Env) *cobra.Command {
	var o perftOptions
	cmd := &cobra.Command{
		Use:   "perft DEPTH",
		Short: "Count the positions after DEPTH plies",
		Long: `Perft counts the positions after a number of plies, with one move generator or all of
them. If their counts differ, the exit code is 3.

Programs count passes and early ends of games differently:
  A  a pass is a ply; a game that ended is one leaf
  B  as A, but a game that ended earlier is not a leaf
  C  a pass is not a ply; a game that ended is one leaf`,
		Example: `  reversi perft 9
  reversi perft 8 --generator all --convention C`,
		Args: cli.Exactly(1, "a depth"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return perft(cmd.Context(), env, args[0], o)
		},
	}
	cli.WithFlags(cmd, &o)
	cli.CompleteFrom(cmd, "generator", append(text.List(movegen.All(), movegen.Generator.Name), "all")...)
	return cmd
}

func perft(ctx context.Context, env *cli.Env, depthText string, o perftOptions) error {
	depth, err := strconv.Atoi(depthText)
	if err != nil || depth < 0 {
		return cli.UsageError("perft: invalid depth %q (want 0 or more)", depthText)
	}
	convention, err := movegen.ParseConvention(o.Convention)
	if err != nil {
		return cli.UsageError("--convention: %w", err)
	}
	position := board.StartPosition()
	if position.Side, err = board.ParseSide(o.Side); err != nil {
		return cli.UsageError("--side: %w", err)
	}
	if position.Side != board.Black {
		position.Board = position.Pass()
	}
	if o.Board != "" {
		if position, err = board.ParsePosition(o.Board, o.Side); err != nil {
			return cli.UsageError("--board: %w", err)
		}
	}
	generators, err := chooseGenerators(o.Generator)
	if err != nil {
		return cli.UsageError("--generator: %w", err)
	}
	var first *perftResult
	for _, g := range generators {
		begin := time.Now()
		p := movegen.Perft{Generator: g, Convention: convention}
		wait := cli.NewWait(env, "counting with "+g.Name())
		leaves, err := p.Count(ctx, position.Board, depth)
		wait.Clear()
		if err != nil {
			return cli.UsageError("%w", err)
		}
		r := perftResult{"reversi.perft/1", depth, string(convention), g.Name(), leaves, time.Since(begin).Seconds()}
		if o.JSON {
			err = cli.WriteJSON(env.Stdout, r)
		} else {
			_, err = fmt.Fprintf(env.Stdout, "perft %d (%s), %-14s %15s leaves %9.3f s %8.1f M/s\n", r.Depth, r.Convention,
				r.Generator, text.Grouped(int64(r.Leaves)), r.Seconds, float64(r.Leaves)/r.Seconds/1e6)
		}
		if err != nil {
			return err
		}
		if first == nil {
			first = &r
		} else if r.Leaves != first.Leaves {
			return cli.VerificationError("perft: %s counts %d leaves, %s %d", r.Generator, r.Leaves, first.Generator, first.Leaves)
		}
	}
	return nil
}

func chooseGenerators(name string) ([]movegen.Generator, error) {
	switch name {
	case "":
		return []movegen.Generator{movegen.Fastest()}, nil
	case "all":
		return movegen.Available(), nil
	}
	g, err := movegen.Lookup(name)
	return []movegen.Generator{g}, err
}
