package playcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
)

// ruledTable is a game under another rule set than Finkel's, line by line.
type ruledTable struct {
	rules *rules.Rules
	in    *bufio.Scanner
	out   io.Writer
	hints analysis.GameJudge // nil for none
}

// checkRuled rejects the flags that need Finkel's rules.
func checkRuled(given func(flag string) bool) error {
	for _, name := range []string{"resume", "from", "clock", "time-limit"} {
		if given(name) {
			return cli.UsageError("--%s: only under Finkel's rules", name)
		}
	}
	return nil
}

// runRuled plays a game under other rules and records it.
func runRuled(ctx context.Context, env *cli.Env, o playOptions, r *rules.Rules) error {
	form, err := gameRecordForm(o.record, o.force)
	if err != nil {
		return err
	}
	t := &ruledTable{rules: r, in: bufio.NewScanner(env.Stdin), out: env.Stdout}
	if o.hints {
		if t.hints, err = analysis.FindRulesJudge(r, o.table); err != nil {
			return err
		}
	}
	names := [2]string{o.light, o.dark}
	game := play.Game{Rules: r, Seed: o.seed, Pieces: r.Pieces()}
	for side, spec := range names {
		if game.Seats[side], err = t.seat(ctx, spec, r); err != nil {
			return cli.UsageError("--%s: %w", board.Side(side), err)
		}
	}
	recorder := play.NewRecorder(game, names)
	game.Observe = func(turn *play.Turn) {
		recorder.Turn(turn)
		t.show(turn)
	}
	fmt.Fprintf(t.out, "%s, %d pieces, seed %d: %s (light) against %s (dark)\n", r.Title(), r.Pieces(), o.seed, names[0], names[1])
	tally, err := game.Play(ctx)
	if err == nil {
		fmt.Fprintf(t.out, "\n%s wins after %d turns.\n", [2]string{"Light", "Dark"}[tally.Wins[board.Dark]], tally.Turns)
	}
	if errors.Is(err, errQuit) {
		err = nil
	}
	if o.record == "" {
		return err
	}
	return errors.Join(err, record.WriteFile(o.record, form, recorder.End(tally)))
}

// seat returns the seat of a player, or of the person at the keyboard.
func (t *ruledTable) seat(ctx context.Context, spec string, r *rules.Rules) (play.Seat, error) {
	if spec == pick.Human {
		return t, nil
	}
	p, err := pick.PlayerFor(r, spec)
	if err != nil {
		return nil, err
	}
	if err := play.Prepare(ctx, r.Pieces(), p); err != nil {
		return nil, err
	}
	return p.Sit(engine.Fastest())
}

// Choose asks the person at the keyboard for a move.
func (t *ruledTable) Choose(_ context.Context, turn *play.Turn) (int, error) {
	fmt.Fprintf(t.out, "\n%s%s rolled a %d.\n", t.board(turn.State), [2]string{"Light", "Dark"}[turn.Side()], turn.Roll)
	var win [rules.MaxMoves]float64
	if t.hints != nil {
		t.hints.Moves(win[:len(turn.Moves)], turn.State, turn.Moves)
	}
	for i, m := range turn.Moves {
		fmt.Fprintf(t.out, "  (%d) %s", i+1, turn.Notation(m))
		if t.hints != nil {
			fmt.Fprintf(t.out, "  %.1f %%", 100*win[i])
		}
		fmt.Fprintln(t.out)
	}
	for {
		fmt.Fprint(t.out, "Move, or q to quit: ")
		if !t.in.Scan() {
			return 0, cli.UsageError("end of input during the game (want a move, or q to quit)")
		}
		text := strings.TrimSpace(t.in.Text())
		if text == "q" {
			return 0, errQuit
		}
		if choice, ok := chosenMove(turn, text); ok {
			return choice, nil
		}
		fmt.Fprintf(t.out, "%q is not a move (want 1 to %d, or a notation such as %s)\n", text, len(turn.Moves), turn.Notation(turn.Moves[0]))
	}
}

// chosenMove returns the move of a number, or of a notation without its marks.
func chosenMove(turn *play.Turn, text string) (int, bool) {
	if n, err := strconv.Atoi(text); err == nil {
		return n - 1, 1 <= n && n <= len(turn.Moves)
	}
	bare := func(s string) string { return strings.ToLower(strings.TrimRight(s, "x*")) }
	for i, m := range turn.Moves {
		if text != "" && bare(turn.Notation(m)) == bare(text) {
			return i, true
		}
	}
	return 0, false
}

// show prints a finished turn.
func (t *ruledTable) show(turn *play.Turn) {
	move := "passes"
	if !turn.Passed() {
		move = "moves " + turn.Notation(turn.Move())
	}
	fmt.Fprintf(t.out, "%d. %s rolls a %d and %s.\n", turn.Number+1, [2]string{"Light", "Dark"}[turn.Side()], turn.Roll, move)
}

// board draws a position: a column of the board for each of its columns, L and D for pieces, *
// for a free rosette.
func (t *ruledTable) board(p rules.Position) string {
	r := t.rules
	var s strings.Builder
	s.WriteString("    ")
	for column := range r.Columns() {
		fmt.Fprintf(&s, " %c", 'A'+column)
	}
	s.WriteByte('\n')
	for row := range r.Rows() {
		fmt.Fprintf(&s, " %2d ", row+1)
		for column := range r.Columns() {
			s.WriteByte(' ')
			s.WriteByte(t.tile(p, column, row))
		}
		s.WriteByte('\n')
	}
	for side := range board.Dark + 1 {
		fmt.Fprintf(&s, "  %-5s hand %d, home %d\n", side, p.Hand(side), p.Home(side))
	}
	return s.String()
}

// tile returns the sign of a tile.
func (t *ruledTable) tile(p rules.Position, column, row int) byte {
	if !t.rules.HasTile(column, row) {
		return ' '
	}
	name := fmt.Sprintf("%c%d", 'A'+column, row+1)
	sign := byte('.')
	for side := range board.Dark + 1 {
		square := t.rules.SquareAt(side, name)
		switch {
		case square == 0:
		case t.rules.Count(p, side, square) > 0:
			return "LD"[side]
		case t.rules.IsRosette(square):
			sign = '*'
		}
	}
	return sign
}
