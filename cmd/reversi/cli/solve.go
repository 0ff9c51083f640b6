package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
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
	threads, table          int
	tableGiven              bool
	selective               int // percent
	allMoves, winner, check bool
	without                 string
	json                    bool
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
.obf files; or {"board":"64 squares","side":"X"}; or an object with a list of these.
`

func newSolveCommand(env *cli.Env) *cobra.Command {
	var o solveOptions
	cmd := &cobra.Command{
		Use:   "solve",
		Short: "Solve endgames exactly",
		Long: `Solve reads positions from stdin, one a line. For each it prints the exact score for
the side to move, in discs, with empty squares counted for the winner. It also prints
a best move, the number of visited positions, and the time.

` + positionsHelp + `--check compares the scores given in the input; the exit code is 3 if one differs.

About 20 empty squares take a second, each further square three times as long. With
--selective 95 a score is right with a probability of about 95 percent, and ready much
sooner; 73, 87, 95, 98 and 99 are the steps before 100. After an interrupt, solve
prints the last selective score of the current position.`,
		Example: `  reversi solve --all-moves < endgames.obf
  reversi solve --selective 95 < endgames.obf
  reversi solve --check --json < bench/reversi_ffo.json`,
		Args: cli.Exactly(0, "no arguments: positions are read from stdin"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.tableGiven = cmd.Flags().Changed("table")
			find, err := newSolver(o)
			if err != nil {
				return cli.UsageError("%w", err)
			}
			return answerPositions(cmd.Context(), env, find, o.check, o.json)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.allMoves, "all-moves", false, "the exact score of every move")
	f.BoolVar(&o.winner, "winner", false, "only who wins: 1, 0 or -1")
	f.BoolVar(&o.check, "check", false, "compare with the scores of the input")
	f.IntVar(&o.selective, "selective", 100, "smallest probability, in `percent`, that a score is right")
	f.IntVar(&o.threads, "threads", 1, "number of `threads` of a search")
	f.IntVar(&o.table, "table", 0, "remember positions in a table of 2^`N` times 64 bytes (default as large as needed)")
	f.StringVar(&o.without, "without", "", "leave out `techniques`: "+strings.Join(engine.Techniques(), ", "))
	f.BoolVar(&o.json, "json", false, "print JSON, one object a position")
	cli.CompleteFrom(cmd, "without", engine.Techniques()...)
	return cmd
}

func newEvalCommand(env *cli.Env) *cobra.Command {
	var (
		o      playerOptions
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "eval P",
		Short: "Value the moves of positions",
		Long: `Eval reads positions from stdin, one a line, and prints the values of all moves as the
player P sees them, in discs for the side to move.

` + positionsHelp + `
"reversi help players" lists the players; random and greedy have no values.`,
		Example: `  reversi eval search:depth=12 < positions.obf`,
		Args:    cli.Exactly(1, "a player"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.wantThreads(); err != nil {
				return err
			}
			find, err := newEvaluator(o, args[0])
			if err != nil {
				return err
			}
			return answerPositions(cmd.Context(), env, find, false, asJSON)
		},
		ValidArgsFunction: completePlayers,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one object a position")
	cmd.Flags().IntVar(&o.threads, "threads", 1, "number of `threads` of a search")
	o.add(cmd)
	return cmd
}

// finder finds the values of a position. With an error of the context the result is partial.
type finder func(ctx context.Context, p board.Position) (solveResult, error)

// newSolver returns the finder of "reversi solve".
func newSolver(o solveOptions) (finder, error) {
	without, err := engine.ParseTechniques(o.without)
	if err != nil {
		return nil, fmt.Errorf("--without: %w", err)
	}
	if o.threads < 1 {
		return nil, fmt.Errorf("--threads: %d (want 1 or more)", o.threads)
	}
	if o.allMoves && o.winner {
		return nil, errors.New("--all-moves and --winner cannot be used together (want one of them)")
	}
	if o.table < 0 || o.table > engine.MaxTableBits || o.tableGiven && o.table == 0 {
		return nil, fmt.Errorf("--table: %d (want 1 to %d)", o.table, engine.MaxTableBits)
	}
	if err := checkMemory("table", o.table, 64); err != nil {
		return nil, err
	}
	if o.selective < 1 || o.selective > 100 {
		return nil, fmt.Errorf("--selective: %d (want 1 to 100)", o.selective)
	}
	weights, err := eval.Learned()
	if err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Options{Weights: weights, Threads: o.threads, TableBits: o.table, Without: without})
	if err != nil {
		return nil, err
	}
	limits := engine.Limits{Confidence: o.selective, Winner: o.winner, AllMoves: o.allMoves}
	return func(ctx context.Context, p board.Position) (solveResult, error) {
		found, err := e.Search(ctx, p.Board, limits)
		score := float64(found.Score())
		r := solveResult{Schema: "reversi.solve/1", Score: &score, Partial: err != nil, Confidence: found.Confidence, Nodes: found.Nodes}
		if o.winner {
			score = float64(max(-1, min(1, found.Value)))
		}
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
func newEvaluator(o playerOptions, name string) (finder, error) {
	with, err := o.env()
	if err != nil {
		return nil, err
	}
	player, err := reversi.ParsePlayer(name, with)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	if _, ok := player.(*reversi.Thinker); !ok {
		return nil, cli.UsageError("player %s: has no values (want level:N or search:...)", name)
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

// problem is a position of the input, with its expected scores.
type problem struct {
	Board, Side string
	Score       *int           `json:"score"`
	Moves       map[string]int `json:"moves"`
}

// answerPositions prints the result of find for every position of stdin.
func answerPositions(ctx context.Context, env *cli.Env, find finder, check, asJSON bool) error {
	wrong := 0
	answer := func(p problem) (problem, err error) {
		position, problem := board.ParsePosition(p.Board, p.Side)
		if problem != nil {
			return problem, nil
		}
		begin := time.Now()
		r, err := find(ctx, position)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		r.Board, r.Side, r.Seconds = position.Text(), position.Side.String(), time.Since(begin).Seconds()
		if check && !r.Partial {
			wrong += differences(env, p, r)
		}
		return nil, errors.Join(writeSolved(env, asJSON, r), ctx.Err())
	}
	ready := func() error { return nil }
	err := cli.EachLine(ctx, env, "one position a line", ready, func(line []byte) (problem, err error) {
		problems, problem := parseProblems(line)
		for _, p := range problems {
			if problem, err = answer(p); problem != nil || err != nil {
				break
			}
		}
		return problem, err
	}, func(p cli.LineProblem) error {
		if asJSON {
			return cli.WriteJSON(env.Stdout, p)
		}
		_, err := fmt.Fprintf(env.Stderr, "line %d: %s\n", p.Line, p.Error)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return cli.ErrInterrupted
	case err != nil:
		return err
	case wrong > 0:
		return cli.VerificationError("solve: %s of the input differ", text.Plural(wrong, "score"))
	}
	return nil
}

// parseProblems reads a line of input: one position, or a list of them.
func parseProblems(line []byte) ([]problem, error) {
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		return parseOBF(string(line))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, explained(err)
	}
	if _, ok := fields["board"]; ok {
		var p problem
		if err := json.Unmarshal(line, &p); err != nil {
			return nil, explained(err)
		}
		return []problem{p}, nil
	}
	for _, name := range [...]string{"positions", "small_endgames"} {
		if list, ok := fields[name]; ok {
			var problems []problem
			if err := json.Unmarshal(list, &problems); err != nil {
				return nil, fmt.Errorf("%s: %w", name, explained(err))
			}
			if problems == nil {
				return nil, fmt.Errorf("%s: null (want a list of positions)", name)
			}
			return problems, nil
		}
	}
	return nil, errors.New(`the object has no "board" and no "positions"`)
}

// explained explains a JSON error in terms of the input format.
func explained(err error) error {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return fmt.Errorf("not JSON: %w", err)
	}
	want := `an object such as {"board":"64 squares","side":"X"}`
	switch field, _, _ := strings.Cut(strings.ToLower(kind.Field), "."); {
	case field == "" && kind.Type.Kind() == reflect.Slice:
		want = "a list of positions"
	case field == "":
	case field == "score":
		return fmt.Errorf("score is a %s (want a whole number of discs)", kind.Value)
	case field == "moves":
		return fmt.Errorf("moves holds a %s (want an object of whole numbers)", kind.Value)
	default:
		return fmt.Errorf("%s is a %s (want a string)", field, kind.Value)
	}
	return fmt.Errorf("a JSON %s (want %s)", kind.Value, want)
}

func parseOBF(line string) ([]problem, error) {
	p, ok, err := board.ParseOBF(line)
	if !ok || err != nil {
		return nil, err
	}
	out := problem{Board: p.Position.Text(), Side: p.Position.Side.String()}
	for s, score := range p.Scores {
		if out.Moves == nil {
			out.Moves = map[string]int{}
			out.Score = new(int)
			*out.Score = score
		}
		out.Moves[s.String()] = score
		*out.Score = max(*out.Score, score)
	}
	return []problem{out}, nil
}

// differences counts the scores of the input that differ from the results.
func differences(env *cli.Env, p problem, r solveResult) int {
	wrong := 0
	if p.Score != nil && r.Score != nil && float64(*p.Score) != *r.Score {
		fmt.Fprintf(env.Stderr, "%s %s: score %+g, the input says %+d\n", r.Board, r.Side, *r.Score, *p.Score)
		wrong++
	}
	for name, score := range p.Moves {
		if found, ok := r.Moves[name]; ok && found != float64(score) {
			fmt.Fprintf(env.Stderr, "%s %s: %s scores %+g, the input says %+d\n", r.Board, r.Side, name, found, score)
			wrong++
		}
	}
	return wrong
}

func writeSolved(env *cli.Env, asJSON bool, r solveResult) error {
	if asJSON {
		return cli.WriteJSON(env.Stdout, r)
	}
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
	text := fmt.Sprintf("%s %s %s  %-6s %14s nodes %9.3f s %8.1f M/s\n", r.Board, r.Side, score, strings.Join(r.Best, " "),
		text.Grouped(int64(r.Nodes)), r.Seconds, float64(r.Nodes)/max(1e-9, r.Seconds)/1e6)
	if len(r.Moves) > 0 {
		text += "   "
		for _, s := range sortedMoves(r.Moves) {
			text += fmt.Sprintf(" %s:%+.*f", s, digits, r.Moves[s])
		}
		text += "\n"
	}
	_, err := fmt.Fprint(env.Stdout, text)
	return err
}

// sortedMoves lists moves, the best first, those of a score by name.
func sortedMoves(moves map[string]float64) []string {
	names := slices.Sorted(maps.Keys(moves))
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case moves[a] > moves[b]:
			return -1
		case moves[a] < moves[b]:
			return 1
		}
		return 0
	})
	return names
}
