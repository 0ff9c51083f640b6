package solvecmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/spf13/cobra"
)

const evalLong = `Reads positions, one JSON object a line,

  {"board":[33 numbers],"roll":3}   or   {"position":"text form","roll":3}

and writes one line for each: the input and

  "moves":[{"from":0,"to":3,"board":[...],"value":-17,"win":0.5312}, ...],
  "best":{"from":0,"to":3},"win":0.5312

Moves come in ascending order of the moving piece's square; a pass is one entry without
from and to. The value is a brain's evaluation for Light: Light chooses the highest,
Dark the lowest, the first on a tie. Win is the probability that the side to move wins,
of players that have one: perfect, net, level, search, greedy. Without a roll it is the
expectation over the dice, and there are no moves. A search adds depth, algorithm,
nodes, seconds, pv, the expected line if every later roll is the likeliest, and the
hits and misses of its table.

Numbers 0 to 15 of a board count Light's pieces on squares 0 (in hand) to 15 (home),
16 to 31 Dark's, and 32 is the side to move: 0 Light, 1 Dark. Positions under other
rules are texts: for each side the pieces in hand, its squares in the order of its
path and the pieces home, then L or D for the side to move.

--explain adds to the position and to every move of a brain the pairs of numbers that
make the value, the largest first; their products sum to it. No roll is needed then:

  "value":-6,
  "pairs":[{"row":21,"column":7,"weight":-2,"x":[3,1],"product":-6}, ...]

A bad line is answered in its place by {"line":7,"error":"..."}. Blank lines are
skipped. A line may have 1 MiB.

Exit codes: 0 done; 2 bad usage, or a line was bad; 130 interrupted.`

type evalOptions struct {
	Engine  pick.EngineName `help:"engine that computes the values of a brain (default the fastest here)"`
	Rules   pick.RulesName
	Explain bool `flag:"explain" help:"print the pairs of numbers that make a brain's values"`
	cli.JSONLines
}

func newEvalCommand(env *cli.Env) *cobra.Command {
	var o evalOptions
	return cli.WithFlags(&cobra.Command{
		Use:   "eval P < POSITIONS",
		Short: "Print the values of all moves by any player that has values",
		Long:  evalLong,
		Example: `  ur eval brain < positions.jsonl
  ur eval search:depth=4 < positions.jsonl
  ur eval brain --explain < positions.jsonl
  echo '{"position":"5:................:0 5:................:0 L"}' | ur eval net --rules blitz`,
		Args:              cli.Exactly(1, "one player; positions come from standard input"),
		ValidArgsFunction: pick.CompletePlayers(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := o.newEvaluator(env, args[0])
			if err != nil {
				return err
			}
			return cli.AnswerLines(cmd.Context(), env, "one JSON object a line",
				func(line []byte) (any, error) { return e.answerLine(cmd.Context(), line) })
		},
	}, &o)
}

// evaluator answers lines by a player.
type evaluator struct {
	play.Evaluator
	rules *board.Rules
	ahead string    // the algorithm of a player that searches; "" for others
	brain *ur.Brain // brain whose values are explained; nil for none
}

func (o evalOptions) newEvaluator(env *cli.Env, spec string) (*evaluator, error) {
	r, err := o.Rules.Find()
	if err != nil {
		return nil, err
	}
	of := r
	if strings.HasPrefix(spec, "perfect:") { // the file may be of any number of pieces
		if of, err = r.WithPieces(1); err != nil {
			return nil, err
		}
	}
	p, err := pick.PlayerFor(of, spec)
	if err != nil {
		return nil, err
	}
	pick.Warn(env, p)
	e := &evaluator{rules: r}
	var engine ur.Engine
	switch source := p.Source.(type) {
	case play.Brain:
		if engine, err = o.Engine.Find(); err != nil {
			return nil, err
		}
		if o.Explain {
			e.brain = source.Weights
		}
	case play.Search:
		e.ahead = string(source.Options.Algorithm)
	}
	if o.Engine != "" && engine == nil {
		return nil, cli.UsageError("--engine: player %q has no brain (want brain or brain:FILE)", spec)
	}
	if o.Explain && e.brain == nil {
		return nil, cli.UsageError("--explain: player %q has no brain (want brain or brain:FILE)", spec)
	}
	if e.Evaluator, err = play.NewEvaluator(p, r, engine); err != nil {
		return nil, cli.UsageError("%w", err)
	}
	return e, nil
}

// evalRequest is a line of input. A nil field was not given.
type evalRequest struct {
	Board    []*int  `json:"board"`
	Position *string `json:"position"`
	Roll     *int    `json:"roll"`
}

// evalAnswer is the line of output for a good line of input.
type evalAnswer struct {
	Board     *[board.Numbers]int `json:"board,omitempty"`    // copy of the input
	Position  string              `json:"position,omitempty"` // copy of the input
	Roll      *int                `json:"roll,omitempty"`     // copy of the input
	Moves     []evalMove          `json:"moves,omitempty"`    // every legal move; a pass is one entry without squares
	Best      *evalSquares        `json:"best,omitempty"`     // the best move; absent without a roll or a move
	Win       *float64            `json:"win,omitempty"`      // probability that the side to move wins; of brains none
	explained                     // the position, with --explain

	Depth     int      `json:"depth,omitempty"`     // search depth in plies
	Algorithm string   `json:"algorithm,omitempty"` // search algorithm
	Nodes     uint64   `json:"nodes,omitempty"`     // positions visited by the search
	Seconds   *float64 `json:"seconds,omitempty"`   // wall-clock time of the search
	Line      []string `json:"pv,omitempty"`        // principal variation of the search, in notation
	Hits      uint64   `json:"hits,omitempty"`      // visited positions that the search's table knew
	Misses    uint64   `json:"misses,omitempty"`    // those it did not know
}

type evalSquares struct {
	From uint8 `json:"from"`
	To   uint8 `json:"to"`
}

// evalMove is one move with the position after it.
type evalMove struct {
	play.MoveLine
	explained          // value of a brain
	Win       *float64 `json:"win,omitempty"` // probability that the moving side wins
}

// explained is a brain's value for Light, and with --explain its pairs.
type explained struct {
	Value *int32    `json:"value,omitempty"`
	Pairs []ur.Term `json:"pairs,omitzero"`
}

func (e *evaluator) answerLine(ctx context.Context, line []byte) (any, error) {
	var q evalRequest
	if err := e.decodeLine(line, &q); err != nil {
		return nil, err
	}
	a := &evalAnswer{Roll: q.Roll}
	p, err := e.readPosition(&q, a)
	if err != nil {
		return nil, err
	}
	roll := search.NoRoll
	if q.Roll != nil {
		if roll = *q.Roll; roll < 0 || roll > e.rules.MaxRoll() || e.rules.Weight(roll) == 0 {
			return nil, fmt.Errorf("roll is %d (want a roll of the dice, 0 to %d)", roll, e.rules.MaxRoll())
		}
	}
	winner, over := p.Winner()
	switch {
	case over && (e.By() != "table" || q.Roll != nil):
		return nil, fmt.Errorf("the game is over, %s has won", winner)
	case e.brain != nil && q.Roll == nil:
		a.explained = e.explainPosition(p)
		return a, nil
	case q.Roll == nil && e.By() == "brain":
		return nil, fmt.Errorf(`no "roll": a brain has no probabilities (want %s)`, e.exampleLine())
	}
	v, err := e.Evaluate(ctx, p, roll)
	if err != nil {
		return nil, err
	}
	if v.Values == nil {
		a.Win = &v.Win
	}
	if e.ahead != "" {
		seconds := v.Search.Elapsed.Round(time.Microsecond).Seconds()
		a.Depth, a.Algorithm, a.Nodes, a.Seconds = v.Search.Depth, e.ahead, v.Search.Nodes, &seconds
		a.Hits, a.Misses = v.Search.Hits, v.Search.Misses
	}
	if roll == search.NoRoll {
		return a, nil
	}
	for _, m := range play.MoveLines(e.rules, p, roll, a.Board != nil) {
		a.Moves = append(a.Moves, evalMove{MoveLine: m})
	}
	for i := range v.Values {
		a.Moves[i].Value = &v.Values[i]
	}
	if e.brain != nil {
		a.explained = e.explainPosition(p)
		for i, next := range e.rules.Futures(nil, p, roll) {
			a.Moves[i].Pairs = e.brain.Explain(next)
		}
	}
	for i := range v.Moves {
		a.Moves[i].Win = &v.Moves[i]
	}
	if v.Best < 0 {
		return a, nil
	}
	best := a.Moves[v.Best]
	a.Best = &evalSquares{*best.From, *best.To}
	if e.ahead != "" {
		a.Line, err = v.Line(ctx, p, e.rules.Moves(nil, p, roll)[v.Best], mostLine)
	}
	return a, err
}

func (e *evaluator) explainPosition(p board.Position) explained {
	value := e.brain.Value(p)
	return explained{&value, e.brain.Explain(p)}
}

const mostLine = 6 // maximum length of a printed principal variation

// readPosition reads the position of a line and repeats it in the answer.
func (e *evaluator) readPosition(q *evalRequest, a *evalAnswer) (p board.Position, err error) {
	switch {
	case q.Board != nil && q.Position != nil:
		return p, errors.New("both a board and a position (want one of them)")
	case q.Position != nil:
		a.Position = *q.Position
		p, err = e.rules.ParsePosition(*q.Position)
		return p, err
	case q.Board == nil || !e.rules.IsFinkel():
		return p, fmt.Errorf("no position under the rules %s (want %s)", e.rules.Name(), e.exampleLine())
	}
	numbers, err := boardNumbers(q.Board)
	if err != nil {
		return p, err
	}
	if p, err = board.FromNumbers(numbers); err != nil {
		return p, fmt.Errorf("board: %w", err)
	}
	a.Board = &numbers
	return p, nil
}

func (e *evaluator) exampleLine() string {
	if e.rules.IsFinkel() {
		return `{"board":[33 numbers],"roll":0 to 4}`
	}
	return fmt.Sprintf(`{"position":%q,"roll":0 to %d}`, e.rules.FormatPosition(e.rules.Start()), e.rules.MaxRoll())
}

// decodeLine reads a line, and rejects unknown fields.
func (e *evaluator) decodeLine(line []byte, request *evalRequest) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(request); err != nil {
		return e.explainError(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("text after the JSON object (want one object a line)")
	}
	return nil
}

// explainError names a line's problem in its format's terms.
func (e *evaluator) explainError(err error) error {
	var kind *json.UnmarshalTypeError
	unknown, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("a JSON %s (want an object %s)", kind.Value, e.exampleLine())
	case errors.As(err, &kind) && kind.Field == "roll":
		return fmt.Errorf("roll is a %s (want an integer 0 to %d)", kind.Value, e.rules.MaxRoll())
	case errors.As(err, &kind) && kind.Field == "position":
		return fmt.Errorf("position: JSON %s (want a string)", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("%s holds a %s (want an array of 33 integers)", kind.Field, kind.Value)
	case isUnknown:
		return fmt.Errorf("unknown field %s (want board or position, and roll)", unknown)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not JSON: the line ends in the middle")
	}
	return fmt.Errorf("not JSON: %w", err)
}

// boardNumbers checks a board for the right number of integers. A nil entry was null.
func boardNumbers(given []*int) (numbers [board.Numbers]int, err error) {
	if len(given) != len(numbers) {
		return numbers, fmt.Errorf("board has %d numbers (want %d)", len(given), len(numbers))
	}
	for i, n := range given {
		if n == nil {
			return numbers, fmt.Errorf("board: entry %d is null (want an integer)", i)
		}
		numbers[i] = *n
	}
	return numbers, nil
}
