package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/examples/connectfour"
)

// solvedGames are positions of connect four after eight moves.
var solvedGames = []string{"35714264", "66135724", "72351564", "53721466", "14725763", "12345677"}

// connectFourFlags measures the CPU time of the solvers of examples/connectfour and of Pascal
// Pons, a process each, in turns. Both must print the same scores.
func connectFourFlags(f *flag.FlagSet, keep keeper) func(ctx context.Context) error {
	pons := f.String("pons", "", "`folder` of a checkout of github.com/PascalPons/connect4")
	count := f.Int("count", 7, "`number` of turns")
	solve := f.Bool("solve", false, "solve the positions here, and measure nothing")
	return func(ctx context.Context) error {
		if *solve {
			return solveGames(ctx)
		}
		if out, err := exec.CommandContext(ctx, "make", "-C", *pons, "c4solver").CombinedOutput(); err != nil {
			return fmt.Errorf("-pons: make: %w\n%s", err, out)
		}
		commit, err := exec.CommandContext(ctx, "git", "-C", *pons, "rev-parse", "HEAD").Output()
		if err != nil {
			return fmt.Errorf("-pons: git rev-parse: %w", err)
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		results := begin("go run ./results/measure connectfour -pons FOLDER")
		var scores [2]string
		var times [2][]float64
		for range *count {
			for i, args := range [][]string{{filepath.Join(*pons, "c4solver")}, {self, "connectfour", "-solve"}} {
				cmd := exec.CommandContext(ctx, args[0], args[1:]...)
				cmd.Stdin = strings.NewReader(strings.Join(solvedGames, "\n") + "\n")
				out, err := cmd.Output()
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				scores[i] = string(bytes.TrimSpace(out))
				times[i] = append(times[i], (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
			}
			if scores[0] != scores[1] {
				return fmt.Errorf("the scores differ:\n%s\n\n%s", scores[0], scores[1])
			}
		}
		var rows []record.Row
		for i, solver := range []string{"pons", "examples"} {
			row := record.Row{
				Name: "Solve/game=connectfour/solver=" + solver, Unit: "s", Clock: "cpu", Samples: *count, Times: times[i],
				Median: verdict.Median(times[i]), Baseline: "Solve/game=connectfour/solver=pons",
			}
			row.Lo, row.Hi = verdict.Interval(times[i])
			row.SetRatio(times[0], times[i])
			rows = append(rows, row)
		}
		rows[0].Note = "github.com/PascalPons/connect4, commit " + string(commit[:12])
		return keep(results, rows)
	}
}

// solveGames prints the score of each position, like Pons's program.
func solveGames(ctx context.Context) error {
	s, err := connectfour.NewSolver(64 << 20)
	if err != nil {
		return err
	}
	for _, game := range solvedGames {
		p, err := connectfour.Parse(game)
		if err != nil {
			return err
		}
		r, err := s.Solve(ctx, p)
		if err != nil || !r.Exact {
			return errors.Join(err, ctx.Err(), fmt.Errorf("%s: not solved", game))
		}
		fmt.Println(game, r.Value)
	}
	return nil
}
