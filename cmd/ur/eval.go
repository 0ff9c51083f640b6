package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/spf13/cobra"
)

// maxEvalLine bounds the memory that one line of input can take.
const maxEvalLine = 1 << 20

// evalRequest is a line of input. A nil field was not given.
type evalRequest struct {
	Board []*int `json:"board"`
	Roll  *int   `json:"roll"`
}

// evalAnswer is the line of output for a good line of input.
type evalAnswer struct {
	Board   [board.Numbers]int `json:"board"`
	Roll    int                `json:"roll"`
	Futures []evalFuture       `json:"futures"`
}

// evalFuture is one position that the roll can lead to; a pass has no squares.
type evalFuture struct {
	From  *uint8             `json:"from,omitempty"`
	To    *uint8             `json:"to,omitempty"`
	Board [board.Numbers]int `json:"board"`
	Value int32              `json:"value"`
}

// evalProblem is the line of output for a bad line of input.
type evalProblem struct {
	Line  int    `json:"line"` // from 1, blank lines included
	Error string `json:"error"`
}

const evalLong = `Eval reads positions, one JSON object a line,

  {"board":[33 numbers],"roll":3}

and writes for each of them, in order, what the roll can lead to:

  {"board":[...],"roll":3,"futures":[{"from":0,"to":3,"board":[...],"value":-17}]}

Numbers 0 to 15 of a board count Light's pieces on squares 0 (in hand) to 15
(home), 16 to 31 Dark's, and 32 is the side to move: 0 Light, 1 Dark. Futures
come in ascending order of the moving piece's square; a pass is one future
without from and to. The value is what the position is worth to Light by the
brain: Light chooses the highest, Dark the lowest, the first on a tie.

A bad line is answered in its place by {"line":7,"error":"..."}. Blank lines are
skipped. A line may have 1 MiB.

Exit codes: 0 done; 2 bad usage, or a line was bad; 130 interrupted.`

// newEvalCommand returns "ur eval".
func newEvalCommand(env *environment) *cobra.Command {
	var brainFile, engine string
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Read positions and write their futures and values, in JSON lines",
		Long:  evalLong,
		Example: `  ur eval < positions.jsonl
  echo '{"board":[7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"roll":4}' | ur eval
  ur eval --brain mine.txt --engine array16/scalar < positions.jsonl`,
		Args:              exactly(0, "no arguments: positions come from standard input"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := newEvaluation(brainFile, engine)
			if err != nil {
				return err
			}
			return e.stream(cmd.Context(), env)
		},
	}
	cmd.Flags().StringVar(&brainFile, "brain", "", "file of the brain (default the built-in brain)")
	addEngineFlag(cmd, &engine, "engine that computes the values (default the fastest here)")
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
		if brain, err = readBrainFile(brainFile); err != nil {
			return nil, err
		}
	}
	e, err := chooseEngine(engine)
	if err != nil {
		return nil, err
	}
	g, err := e.New(ur.Setup{Light: brain, Dark: brain})
	return &evaluation{game: g}, err
}

// stream answers the lines of stdin. What has been answered is written out before
// the input is waited for, so that a program may ask and wait in turn.
func (e *evaluation) stream(ctx context.Context, env *environment) error {
	in := bufio.NewReader(newContextReader(ctx, env.stdin))
	out := bufio.NewWriter(env.stdout)
	bad, firstBad := 0, 0
	for number := 1; ; number++ {
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		line, problem, err := readLine(in, maxEvalLine)
		if err == io.EOF {
			break
		}
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		if problem == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var answer any
		if problem == nil {
			answer, problem = e.answer(line)
		}
		if problem != nil {
			answer = evalProblem{number, problem.Error()}
			if bad++; bad == 1 {
				firstBad = number
			}
		}
		if err := writeJSON(out, answer); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if bad > 0 {
		return usageError("%s, the first is line %d", plural(bad, "bad line"), firstBad)
	}
	return nil
}

// readLine reads a line without its end. A line longer than most bytes is read to
// its end and reported as a problem of its own. The last line may lack its end;
// after it comes io.EOF.
func readLine(in *bufio.Reader, most int) (line []byte, problem, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if problem == nil {
			line = append(line, part...)
		}
		if len(bytes.TrimSuffix(line, []byte("\n"))) > most {
			line, problem = nil, fmt.Errorf("the line is longer than %d bytes", most)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(line) > 0 || problem != nil):
			return line, problem, nil
		case err != nil:
			return nil, nil, err
		}
		return bytes.TrimSuffix(line, []byte("\n")), problem, nil
	}
}

// answer evaluates the position of one line.
func (e *evaluation) answer(line []byte) (*evalAnswer, error) {
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
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&request); err != nil {
		return p, 0, explainJSON(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return p, 0, errors.New("something follows the JSON object: want one object a line")
	}
	var numbers [board.Numbers]int
	switch {
	case request.Board == nil:
		return p, 0, errors.New(`no "board": want {"board":[33 numbers],"roll":0 to 4}`)
	case len(request.Board) != len(numbers):
		return p, 0, fmt.Errorf("board has %d numbers, want %d", len(request.Board), len(numbers))
	case request.Roll == nil:
		return p, 0, errors.New(`no "roll": want {"board":[33 numbers],"roll":0 to 4}`)
	case *request.Roll < 0 || *request.Roll > board.MaxRoll:
		return p, 0, fmt.Errorf("roll is %d, want 0 to %d", *request.Roll, board.MaxRoll)
	}
	for i, n := range request.Board {
		if n == nil {
			return p, 0, fmt.Errorf("board: entry %d is null, want an integer", i)
		}
		numbers[i] = *n
	}
	if p, err = board.FromNumbers(numbers); err != nil {
		return p, 0, fmt.Errorf("board: %w", err)
	}
	if winner, over := p.Winner(); over {
		return p, 0, fmt.Errorf("board: the game is over, %s has won", winner)
	}
	return p, *request.Roll, nil
}

// explainJSON says what is wrong with a line in the words of its format.
func explainJSON(err error) error {
	var kind *json.UnmarshalTypeError
	unknown, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf(`a JSON %s, want an object {"board":[33 numbers],"roll":0 to 4}`, kind.Value)
	case errors.As(err, &kind) && kind.Field == "roll":
		return fmt.Errorf("roll is a %s, want an integer 0 to %d", kind.Value, board.MaxRoll)
	case errors.As(err, &kind):
		return fmt.Errorf("%s holds a %s, want an array of 33 integers", kind.Field, kind.Value)
	case isUnknown:
		return fmt.Errorf("unknown field %s, want board and roll", unknown)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not JSON: the line ends in the middle")
	}
	return fmt.Errorf("not JSON: %w", err)
}
