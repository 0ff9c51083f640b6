package solvecmd

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// getLines is the form of a line of input.
var getLines = pick.PositionForm{Example: `{"board":[33 numbers]}`, Members: "board or position"}

// getRequest is a line of input. A nil field was not given.
type getRequest struct {
	Board    []*int  `json:"board"`
	Position *string `json:"position"`
}

// getAnswer is the line of output for a good line of input.
type getAnswer struct {
	Board    *[board.Numbers]int `json:"board,omitempty"`    // as it was given
	Position string              `json:"position,omitempty"` // as it was given
	Win      float64             `json:"win"`                // of the player to move, 0 to 1
}

const tableGetLong = `Get reads positions, one JSON object a line,

  {"board":[33 numbers]}

and writes each of them, in order, with the probability that the player to move,
before the roll, wins under perfect play:

  {"board":[...],"win":0.5154}

Numbers 0 to 15 of a board count Light's pieces on squares 0 (in hand) to 15 (home),
16 to 31 Dark's, and 32 is the side to move: 0 Light, 1 Dark. A player may have more
pieces than the table has if the others are home. In a finished game the winner has
the value 1 and the loser 0.

For a table of other rules than Finkel's, give the position as text: for each side the
pieces in hand, its squares in the order of its path, and the pieces home, then L or D
for the side to move:

  {"position":"5:................:0 5:................:0 L"}

Get compares each block of a .urt with its checksum before its first use. A position
in a damaged block gets an error instead of a value. A .rgu has no checksums: "ur
table verify" compares its values with the rules.

For an invalid line get prints {"line":7,"error":"..."} in its place. Blank lines are
skipped. A line may have 1 MiB.

Exit codes: 0 done; 2 bad usage, an unsound table file, or an invalid line; 130
interrupted.`

// newTableGetCommand returns "ur table get".
func newTableGetCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "get FILE",
		Short: "Print the values of positions, in JSON lines",
		Long:  tableGetLong,
		Example: `  ur table get finkel.urt < positions.jsonl
  echo '{"board":[7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}' | ur table get finkel.urt`,
		Args:              cli.Exactly(1, "one file; positions come from standard input"),
		ValidArgsFunction: completeTables(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := openTable(args[0])
			if err != nil {
				return err
			}
			defer t.Close()
			return cli.AnswerLines(cmd.Context(), env, func(line []byte) (any, error) { return getWin(t, line) })
		},
	}
}

// getWin answers a line.
func getWin(t solve.Ranked, line []byte) (any, error) {
	var request getRequest
	if err := getLines.Decode(line, &request); err != nil {
		return nil, err
	}
	answer, field, p, err := request.position(t.Index().Rules())
	if err != nil {
		return nil, err
	}
	left := p.Pieces() - min(p.Home(board.Light), p.Home(board.Dark))
	if left > t.Pieces() {
		return nil, fmt.Errorf("%s: a player has %s left, more than the table's %d", field, text.Plural(left, "piece"), t.Pieces())
	}
	answer.Win = solve.Win(t, p)
	if math.IsNaN(answer.Win) {
		return nil, t.Err()
	}
	return answer, nil
}

// position returns the position of a line, the field in which it stands, and an answer with it.
func (q *getRequest) position(r *rules.Rules) (answer getAnswer, field string, p rules.Position, err error) {
	switch {
	case q.Board != nil && q.Position != nil:
		return answer, "", p, errors.New("both a board and a position (want one of them)")
	case q.Position != nil:
		answer.Position = *q.Position
		p, err = r.ParsePosition(*q.Position)
		return answer, "position", p, err
	case q.Board != nil && !r.Equal(rules.Finkel()):
		return answer, "", p, fmt.Errorf("the table has the rules %s, and \"board\" is for Finkel's (want {\"position\":%q})", r.Name(), r.FormatPosition(r.Start()))
	case !r.Equal(rules.Finkel()):
		return answer, "", p, fmt.Errorf("no \"position\" (want {\"position\":%q})", r.FormatPosition(r.Start()))
	}
	numbers, err := getLines.Numbers(q.Board)
	if err != nil {
		return answer, "", p, err
	}
	b, err := board.FromNumbers(numbers)
	if err != nil {
		return answer, "", p, fmt.Errorf("board: %w", err)
	}
	answer.Board = &numbers
	return answer, "board", rules.FromBoard(b), nil
}
