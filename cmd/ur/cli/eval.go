package cli

import (
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// evalLines is the form of a line of input.
var evalLines = pick.PositionForm{Example: `{"board":[33 numbers],"roll":0 to 4}`, Members: "board and roll"}

// evalRequest is a line of input. A nil field was not given.
type evalRequest struct {
	Board []*int `json:"board"`
	Roll  *int   `json:"roll"`
}

// evalAnswer is the line of output for a good line of input.
type evalAnswer struct {
	Board   [board.Numbers]int `json:"board"`
	Roll    int                `json:"roll"`
	Futures []evalFuture       `json:"futures"` // one for each legal move; a pass is one future without squares
}

// evalFuture is one position reachable by the roll; a pass has no squares.
type evalFuture struct {
	From  *uint8             `json:"from,omitempty"`
	To    *uint8             `json:"to,omitempty"`
	Board [board.Numbers]int `json:"board"` // the position after the move
	Value int32              `json:"value"` // evaluation for Light
}

const evalLong = `Eval reads positions, one JSON object a line,

  {"board":[33 numbers],"roll":3}

and writes for each of them, in order, the positions after each legal move:

  {"board":[...],"roll":3,"futures":[
    {"from":0,"to":3,"board":[...],"value":-17}, ...]}

in one line. Numbers 0 to 15 of a board count Light's pieces on squares 0 (in
hand) to 15 (home), 16 to 31 Dark's, and 32 is the side to move: 0 Light, 1
Dark. Futures come in ascending order of the moving piece's square; a pass is one future
without from and to. The value is the brain's evaluation for Light: Light chooses the
highest, Dark the lowest, the first on a tie.

An invalid line is answered in its place by {"line":7,"error":"..."}. Blank lines are
skipped. A line may have 1 MiB.

Exit codes: 0 done; 2 bad usage, or a line was bad; 130 interrupted.`

// newEvalCommand returns "ur eval".
func newEvalCommand(env *cli.Env) *cobra.Command {
	var brainFile, engine string
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Evaluate positions in JSON lines",
		Long:  evalLong,
		Example: `  ur eval < positions.jsonl
  echo '{"board":[7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"roll":4}' | ur eval
  ur eval --brain mine.txt --engine array16/scalar < positions.jsonl`,
		Args: cli.Exactly(0, "no arguments: positions come from standard input"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := newEvaluation(brainFile, engine)
			if err != nil {
				return err
			}
			return cli.AnswerLines(cmd.Context(), env, e.answer)
		},
	}
	cmd.Flags().StringVar(&brainFile, "brain", "", "brain: a file, or a player with one (default the built-in brain)")
	cli.CompleteFlag(cmd, "brain", pick.CompletePlayers(false))
	pick.EngineFlag(cmd, &engine, "engine that computes the values (default the fastest here)")
	return cmd
}

// evaluation answers requests.
type evaluation struct {
	game    ur.Game
	futures []ur.Future
}

// newEvaluation binds the brain of a file, or the built-in one, to an engine.
func newEvaluation(brainFile, engine string) (*evaluation, error) {
	brain := ur.DefaultBrain()
	if brainFile != "" {
		var err error
		if brain, err = findBrain(brainFile); err != nil {
			return nil, err
		}
	}
	e, err := pick.Engine(engine)
	if err != nil {
		return nil, err
	}
	g, err := e.New(ur.Setup{Light: brain, Dark: brain})
	return &evaluation{game: g}, err
}

// answer evaluates the position of one line.
func (e *evaluation) answer(line []byte) (any, error) {
	p, roll, err := parseRequest(line)
	if err != nil {
		return nil, err
	}
	e.game.Set(p)
	e.futures = e.game.Futures(e.futures[:0], roll)
	answer := &evalAnswer{Board: p.Numbers(), Roll: roll, Futures: make([]evalFuture, len(e.futures))}
	for i := range e.futures {
		f := &e.futures[i]
		answer.Futures[i] = evalFuture{Board: f.Position.Numbers(), Value: f.Value}
		if !f.Pass {
			answer.Futures[i].From, answer.Futures[i].To = &f.Move.From, &f.Move.To
		}
	}
	return answer, nil
}

// parseRequest reads a line of input and checks it.
func parseRequest(line []byte) (p board.Position, roll int, err error) {
	var request evalRequest
	if err := evalLines.Decode(line, &request); err != nil {
		return p, 0, err
	}
	if p, err = evalLines.Unfinished(request.Board); err != nil {
		return p, 0, err
	}
	switch {
	case request.Roll == nil:
		return p, 0, fmt.Errorf(`no "roll" (want %s)`, evalLines.Example)
	case *request.Roll < 0 || *request.Roll > board.MaxRoll:
		return p, 0, fmt.Errorf("roll is %d (want 0 to %d)", *request.Roll, board.MaxRoll)
	}
	return p, *request.Roll, nil
}
