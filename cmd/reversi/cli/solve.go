package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/engine"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/spf13/cobra"
)

type solveOptions struct {
	threads   int
	selective int // percent
	allMoves  bool
}

// solveResult is a line of "reversi solve --json" and of "reversi eval --json".
type solveResult struct {
	Schema     string             `json:"schema"`
	Board      string             `json:"board"`
	Side       string             `json:"side"`
	Score      *float64           `json:"score,omitempty"`   // discs for the side to move, empty squares to the winner
	Partial    bool               `json:"partial,omitempty"` // stopped before the score was known
	Best       []string           `json:"best,omitempty"`    // the best moves
	Moves      map[string]float64 `json:"moves,omitempty"`   // score of each move, with --all-moves
	Confidence int                `json:"confidence"`        // probability in percent that the score is right; 100 for an exact one
	Depth      int                `json:"depth,omitempty"`   // of eval: plies searched
	Nodes      uint64             `json:"nodes"`
	Seconds    float64            `json:"seconds"`
}

// positionsHelp describes the input of solve and eval.
const positionsHelp = `A line is 64 squares (a1 to h1 first: X, O or -), a blank, and the side to move, as in
.obf files; or {"board":"64 squares","side":"X"}.
`

func newSolveCommand(env *cli.Env) *cobra.Command {
	var o solveOptions
	cmd := &cobra.Command{
		Use:   "solve",
		Short: "Solve endgames exactly",
		Long: `Solve reads positions from stdin, one a line. For each it prints the exact score for
the side to move, in discs, with empty squares counted for the winner. It also prints
a best move, the number of visited positions, and the time.

` + positionsHelp + `
About 20 empty squares take a second, each further square three times as long. With
--selective 95 a score is right with a probability of about 95 percent, and ready much
sooner; 73, 87, 95, 98 and 99 are the steps before 100. After an interrupt, solve
prints the last selective score of the current position.`,
		Example: `  reversi solve --all-moves < endgames.obf
  reversi solve --selective 95 < endgames.obf`,
		Args: cli.Exactly(0, "no arguments: positions are read from stdin"),
	}
	answersPositions(env, cmd, func([]string) (finder, error) { return newSolver(o) })
	f := cmd.Flags()
	f.BoolVar(&o.allMoves, "all-moves", false, "the exact score of every move")
	f.IntVar(&o.selective, "selective", 100, "smallest probability, in `percent`, that a score is right")
	f.IntVar(&o.threads, "threads", 1, "number of `threads` of a search")
	return cmd
}

func newEvalCommand(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval P",
		Short: "Value the moves of positions",
		Long: `Eval reads positions from stdin, one a line, and prints the values of all moves as the
player P sees them, in discs for the side to move.

` + positionsHelp + `
"reversi help players" lists the players; random and greedy have no values.`,
		Example:           `  reversi eval search:depth=12 < positions.obf`,
		Args:              cli.Exactly(1, "a player"),
		ValidArgsFunction: cobra.FixedCompletions(players(), cobra.ShellCompDirectiveNoFileComp),
	}
	answersPositions(env, cmd, func(args []string) (finder, error) { return newEvaluator(args[0]) })
	return cmd
}

// finder finds the values of a position. With an error of the context the result is partial.
type finder func(ctx context.Context, p board.Position) (solveResult, error)

// newSolver returns the finder of "reversi solve".
func newSolver(o solveOptions) (finder, error) {
	if o.threads < 1 {
		return nil, cli.UsageError("--threads: %d (want 1 or more)", o.threads)
	}
	if o.selective < 1 || o.selective > 100 {
		return nil, cli.UsageError("--selective: %d (want 1 to 100)", o.selective)
	}
	weights, err := eval.Learned()
	if err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Options{Weights: weights, Threads: o.threads})
	if err != nil {
		return nil, err
	}
	limits := engine.Limits{Confidence: o.selective, AllMoves: o.allMoves}
	return func(ctx context.Context, p board.Position) (solveResult, error) {
		found, err := e.Search(ctx, p.Board, limits)
		score := float64(found.Score())
		r := solveResult{Schema: "reversi.solve/1", Score: &score, Partial: err != nil, Confidence: found.Confidence, Nodes: found.Nodes}
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

// newEvaluator returns the finder of "reversi eval".
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
		r.Score, r.Depth, r.Nodes, r.Partial = &c.Score, c.Depth, c.Nodes, err != nil
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

// answersPositions lets a command print what a finder finds for every position of stdin.
func answersPositions(env *cli.Env, cmd *cobra.Command, newFinder func(args []string) (finder, error)) {
	asJSON := false
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one object a position")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		find, err := newFinder(args)
		if err != nil {
			return err
		}
		ctx := cmd.Context()
		ready := func() error { return nil }
		err = cli.EachLine(ctx, env, "one position a line", ready, func(line []byte) (problem, err error) {
			p, problem := parsePosition(line)
			if problem != nil || p == nil {
				return problem, nil
			}
			begin := time.Now()
			r, err := find(ctx, *p)
			if err != nil && ctx.Err() == nil {
				return nil, err
			}
			r.Board, r.Side, r.Seconds = p.Text(), p.Side.String(), time.Since(begin).Seconds()
			if asJSON {
				return nil, errors.Join(cli.WriteJSON(env.Stdout, r), ctx.Err())
			}
			_, err = fmt.Fprint(env.Stdout, r.text())
			return nil, errors.Join(err, ctx.Err())
		}, func(p cli.LineProblem) error {
			if asJSON {
				return cli.WriteJSON(env.Stdout, p)
			}
			_, err := fmt.Fprintf(env.Stderr, "line %d: %s\n", p.Line, p.Error)
			return err
		})
		if ctx.Err() != nil {
			return cli.ErrInterrupted
		}
		return err
	}
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

// text writes a result for people.
func (r *solveResult) text() string {
	score, digits := "   ?", 0
	if r.Depth > 0 {
		digits = 2
	}
	if r.Score != nil {
		score = fmt.Sprintf("%+4.*f", digits, *r.Score)
	}
	if r.Score != nil && 0 < r.Confidence && r.Confidence < 100 {
		score += fmt.Sprintf(" (%d %%)", r.Confidence)
	}
	lines := fmt.Sprintf("%s %s %s  %-6s %14s nodes %9.3f s %8.1f M/s\n", r.Board, r.Side, score, strings.Join(r.Best, " "),
		text.Grouped(r.Nodes), r.Seconds, float64(r.Nodes)/max(1e-9, r.Seconds)/1e6)
	if len(r.Moves) == 0 {
		return lines
	}
	names := slices.SortedFunc(maps.Keys(r.Moves), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Moves[b], r.Moves[a]), cmp.Compare(a, b))
	})
	for i, s := range names {
		names[i] = fmt.Sprintf("%s:%+.*f", s, digits, r.Moves[s])
	}
	return lines + "    " + strings.Join(names, " ") + "\n"
}
