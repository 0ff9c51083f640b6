package solvecmd

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/solve"
)

// mostMethodPieces bounds the comparison of methods: each position has its list of moves.
const mostMethodPieces = 4

// methodsReport is the JSON object of "ur solve --methods --json".
type methodsReport struct {
	Schema    string         `json:"schema"`
	Rules     string         `json:"rules"`
	Pieces    int            `json:"pieces"`
	Positions int            `json:"positions"` // that can be reached, with one side to move
	Methods   []methodReport `json:"methods"`
}

// methodReport is a method: value, policy, or solver.
type methodReport struct {
	Method       string  `json:"method"`
	Sweeps       int     `json:"sweeps"`       // passes over all positions; the solver's over a pair of layers
	Improvements int     `json:"improvements"` // of a policy
	Seconds      float64 `json:"seconds"`
	Start        float64 `json:"start"`      // probability that the first player wins
	Difference   float64 `json:"difference"` // largest difference to a value of the solver
}

// compareMethods solves a game by three methods, and compares their values on every position.
func compareMethods(ctx context.Context, env *cli.Env, o solveOptions) error {
	if o.pieces > mostMethodPieces {
		return cli.UsageError("--methods needs --pieces of at most %d, got %d", mostMethodPieces, o.pieces)
	}
	begin, sweeps := time.Now(), 0
	table, err := solve.Solve(ctx, o.set, solve.Options{Threads: o.parallel, Progress: func(solve.Progress) { sweeps++ }})
	if err != nil {
		return err
	}
	solver := methodReport{Method: "solver", Sweeps: sweeps, Seconds: secondsSince(begin), Start: table.Win(o.set.Start())}
	g := solve.NewIterations(o.set)
	report := methodsReport{Schema: "ur.methods/1", Rules: o.set.Name(), Pieces: o.pieces, Positions: len(g.Positions)}
	for _, method := range []func(context.Context) (solve.Iteration, error){g.ByValue, g.ByPolicy} {
		r, err := method(ctx)
		if err != nil {
			return err
		}
		m := methodReport{Method: r.Method, Sweeps: r.Sweeps, Improvements: r.Improvements, Seconds: r.Elapsed.Seconds(), Start: r.Start}
		for i, p := range g.Positions {
			m.Difference = max(m.Difference, math.Abs(r.Win[i]-table.Win(p)))
		}
		report.Methods = append(report.Methods, m)
	}
	report.Methods = append(report.Methods, solver)
	if o.json {
		return cli.WriteJSON(env.Stdout, report)
	}
	fmt.Fprintf(env.Stdout, "%s: %s positions\n\n", pick.GameName(o.set), text.Grouped(report.Positions))
	out := text.Table{Header: []string{"method", "sweeps", "improvements", "s", "start", "largest difference"}}
	for _, m := range report.Methods {
		out.Add(m.Method, fmt.Sprint(m.Sweeps), fmt.Sprint(m.Improvements), fmt.Sprintf("%.3f", m.Seconds),
			fmt.Sprintf("%.12f", m.Start), fmt.Sprintf("%.1e", m.Difference))
	}
	return out.WriteText(env.Stdout)
}
