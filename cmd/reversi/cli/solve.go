package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/engine"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/spf13/cobra"
)

type solveOptions struct {
	cli.JSONLines
	AllMoves  bool `flag:"all-moves" help:"the exact score of every move"`
	Selective int  `flag:"selective" default:"100" help:"smallest probability, in <percent>, that a score is right"`
	Threads   int  `flag:"threads" default:"1" help:"number of <threads> of a search"`
}

// solveResult is a line of "reversi solve" and of "reversi eval".
type solveResult struct {
	Schema     string             `json:"schema"`
	Board      string             `json:"board"`
	Side       string             `json:"side"`
	Score      *float64           `json:"score,omitempty"`   // discs for the side to move, empty squares to the winner
	Partial    bool               `json:"partial,omitempty"` // stopped before the score was known
	Best       []string           `json:"best,omitempty"`    // the best moves
	Moves      map[string]float64 `json:"moves,omitempty"`   // score of each move, with --all-moves
	Confidence int                `json:"confidence"`        // probability in percent that the score is right; 100 for an exact one
	Depth      int                `json:"depth,omitempty"`   // plies searched by eval
	Nodes      uint64             `json:"nodes"`
	Hits       uint64             `json:"hits,omitempty"`   // visited positions that the search's table knew
	Misses     uint64             `json:"misses,omitempty"` // those it did not know
	Seconds    float64            `json:"seconds"`
}

// positionsHelp describes the input of solve and eval.
const positionsHelp = `A line is 64 squares (a1 to h1 first: X, O or -), a blank, and the side to move, as in
.obf files; or {"board":"64 squares","side":"X"}. A bad line is answered in its place by
{"line":7,"error":"..."}, and the exit code is then 2.
`

func newSolveCommand(env *cli.Env) *cobra.Command {
	var o solveOptions
	return cli.WithFlags(&cobra.Command{
		Use:   "solve",
		Short: "Solve endgames exactly",
		Long: `Solve reads positions from stdin, one a line, and writes one line for each:

  {"board":...,"side":...,"score":38,"best":["a2"],"confidence":100,"nodes":...,
   "hits":...,"misses":...,"seconds":...}

The score is exact, in discs for the side to move, with empty squares counted for the
winner. Hits and misses are those of the search's table. --all-moves adds the scores
of all moves, as in "moves":{"a2":38}.

` + positionsHelp + `
About 20 empty squares take a second, each further square three times as long. With
--selective 95 a score is right with a probability of about 95 percent, and ready much
sooner; 73, 87, 95, 98 and 99 are the steps before 100. After an interrupt, solve
prints the last selective score of the current position, with "partial":true.`,
		Example: `  reversi solve --all-moves < endgames.obf
  reversi solve --selective 95 < endgames.obf`,
		Args: cli.Exactly(0, "no arguments: positions are read from stdin"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			find, err := newSolver(o)
			if err != nil {
				return err
			}
			return answer(cmd.Context(), env, find)
		},
	}, &o)
}

func newEvalCommand(env *cli.Env) *cobra.Command {
	return cli.WithFlags(&cobra.Command{
		Use:   "eval P",
		Short: "Value the moves of positions",
		Long: `Eval reads positions from stdin, one a line, and prints the values of all moves as the
player P sees them, in the form of "reversi solve --all-moves".

` + positionsHelp + `
"reversi help players" lists the players; random and greedy have no values.`,
		Example:           `  reversi eval search:depth=12 < positions.obf`,
		Args:              cli.Exactly(1, "a player"),
		ValidArgsFunction: cobra.FixedCompletions(players(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			find, err := newEvaluator(args[0])
			if err != nil {
				return err
			}
			return answer(cmd.Context(), env, find)
		},
	}, new(cli.JSONLines))
}

// finder finds a position's values. With an error of the context the result is partial.
type finder func(ctx context.Context, p board.Position) (solveResult, error)

func newSolver(o solveOptions) (finder, error) {
	if o.Threads < 1 {
		return nil, cli.UsageError("--threads: %d (want 1 or more)", o.Threads)
	}
	if o.Selective < 1 || o.Selective > 100 {
		return nil, cli.UsageError("--selective: %d (want 1 to 100)", o.Selective)
	}
	weights, err := eval.Learned()
	if err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Options{Weights: weights, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	limits := engine.Limits{Confidence: o.Selective, AllMoves: o.AllMoves}
	return func(ctx context.Context, p board.Position) (solveResult, error) {
		found, err := e.Search(ctx, p.Board, limits)
		score := float64(found.Score())
		r := solveResult{Schema: "reversi.solve/1", Score: &score, Partial: err != nil, Confidence: found.Confidence,
			Nodes: found.Nodes, Hits: found.Hits, Misses: found.Misses}
		if r.Partial && found.Confidence == 0 { // the best move so far has no score
			r.Score = nil
		}
		for _, m := range found.Moves {
			r.add(m.Square, float64(m.Value)/eval.Disc)
		}
		if len(r.Best) == 0 && found.Best != board.None {
			r.Best = []string{found.Best.String()}
		}
		return r, err
	}, nil
}

func newEvaluator(name string) (finder, error) {
	player, err := thinker(name)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p board.Position) (solveResult, error) {
		r := solveResult{Schema: "reversi.eval/1"}
		if p.Over() {
			score := float64(p.Score())
			r.Score, r.Confidence = &score, 100
			return r, nil
		}
		c, err := player.Choose(ctx, p, reversi.Limits{AllMoves: true})
		r.Score, r.Depth, r.Partial = &c.Score, c.Depth, err != nil
		r.Nodes, r.Hits, r.Misses = c.Nodes, c.Hits, c.Misses
		if c.Exact {
			r.Confidence = 100
		}
		for _, h := range c.Moves {
			r.add(h.Square, h.Score)
		}
		return r, err
	}, nil
}

// add adds the value of a move; the best come first.
func (r *solveResult) add(s board.Square, score float64) {
	if r.Moves == nil {
		r.Moves = map[string]float64{}
	}
	r.Moves[s.String()] = score
	if len(r.Best) == 0 || score == r.Moves[r.Best[0]] {
		r.Best = append(r.Best, s.String())
	}
}

// answer answers every position of stdin by what a finder finds.
func answer(ctx context.Context, env *cli.Env, find finder) error {
	return cli.AnswerLines(ctx, env, "one position a line", func(line []byte) (any, error) {
		p, err := parsePosition(line)
		if err != nil || p == nil {
			return nil, err
		}
		begin := time.Now()
		r, err := find(ctx, *p)
		r.Board, r.Side, r.Seconds = p.Text(), p.Side.String(), time.Since(begin).Seconds()
		return r, err
	})
}

// parsePosition reads a line of input; a comment is no position.
func parsePosition(line []byte) (*board.Position, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		p, ok, err := board.ParseOBF(string(line))
		if !ok || err != nil {
			return nil, err
		}
		return &p, nil
	}
	var fields struct{ Board, Side *string }
	err := json.Unmarshal(line, &fields)
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil, fmt.Errorf("%s is a %s (want a string)", strings.ToLower(kind.Field), kind.Value)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("not JSON: %w", err)
	case fields.Board == nil || fields.Side == nil:
		return nil, errors.New(`the object has no "board" or no "side"`)
	}
	p, err := board.ParsePosition(*fields.Board, *fields.Side)
	return &p, err
}
