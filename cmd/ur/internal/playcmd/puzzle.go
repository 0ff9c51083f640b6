package playcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/tui"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/spf13/cobra"
)

const puzzleLong = `Puzzle asks for the best move in instructive positions, and explains every move by
the exact solution: the probability that you win after it, and the probability that
the opponent's next roll captures. You are always Light. At the end it prints your
score and those of built-in players.

On a terminal the board fills the screen: choose by number, arrow keys or mouse. With
--ui lines or words, and without a terminal, type a move by its number or notation;
Enter or s skips, q quits. The positions were found in games by the exact solution,
except for the first two, which the page of TD-Ur discusses.`

// newPuzzleCommand returns "ur puzzle".
func newPuzzleCommand(env *cli.Env) *cobra.Command {
	var list bool
	var ui string
	cmd := &cobra.Command{
		Use:     "puzzle [N]",
		Short:   "Solve puzzles: find the best move",
		Long:    puzzleLong,
		Example: "  ur puzzle\n  ur puzzle 3\n  ur puzzle --list",
		Args:    cli.Between(0, 1, "at most the number of a puzzle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			puzzles, err := puzzle.All()
			if err != nil {
				return err
			}
			if len(args) > 0 {
				n, err := strconv.Atoi(args[0])
				if err != nil || n < 1 || n > len(puzzles) {
					return cli.UsageError("puzzle %q does not exist (want 1 to %d, see \"ur puzzle --list\")", args[0], len(puzzles))
				}
				puzzles = puzzles[n-1 : n]
			}
			if list {
				return listPuzzles(env.Stdout, puzzles)
			}
			if ui, err = findUI(env, ui); err != nil {
				return err
			}
			if err := askPlayers(puzzles); err != nil {
				return err
			}
			q := newQuiz(cmd.Context(), env, ui)
			if ui == uiFull {
				return q.fill(cmd.Context(), env, puzzles)
			}
			return q.run(puzzles)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the puzzles, without their answers")
	uiFlag(cmd, &ui)
	return cmd
}

// listPuzzles prints a line for each puzzle and its source.
func listPuzzles(w io.Writer, puzzles []*puzzle.Puzzle) error {
	for _, p := range puzzles {
		moves := text.List(p.Moves, func(m puzzle.Move) string { return m.Move })
		if _, err := fmt.Fprintf(w, "%3d  a %d: %s\n     %s\n", p.Number, p.Roll, strings.Join(moves, ", "), text.Plain(p.Source)); err != nil {
			return err
		}
	}
	return nil
}

// askPlayers adds the choices of built-in players to the puzzles.
func askPlayers(puzzles []*puzzle.Puzzle) error {
	var players []puzzle.NamedPlayer
	for _, name := range []string{"first", "greedy", "brain", "net", "net@2"} {
		player, err := play.ParsePlayer(name)
		if err != nil {
			return err
		}
		players = append(players, puzzle.NamedPlayer{Name: name, Player: player})
	}
	for _, p := range puzzles {
		if err := p.Ask(context.Background(), players); err != nil {
			return err
		}
	}
	return nil
}

// quiz asks puzzles.
type quiz struct {
	screen *screen
	typed  func() *bufio.Reader // created at the first prompt
	counts map[string]*count    // by player, "you" among them
	order  []string
}

// count is the score of a participant.
type count struct {
	asked, right int
	regret       float64
}

// newQuiz returns a quiz on stdout, answered on stdin.
func newQuiz(ctx context.Context, env *cli.Env, ui string) *quiz {
	t := &table{ctx: ctx, env: env, options: playOptions{ui: ui}}
	return &quiz{screen: t.newScreen(), typed: t.typed, counts: map[string]*count{}}
}

// you is the name of the user.
const you = "you"

// run asks the puzzles in their order.
func (q *quiz) run(puzzles []*puzzle.Puzzle) error {
	for i, p := range puzzles {
		q.screen.printf("%s\n", q.screen.paint.Strong(fmt.Sprintf("Puzzle %d (%d of %d)", p.Number, i+1, len(puzzles))))
		q.show(p)
		choice, err := q.ask(p)
		if err == errQuit || err == io.EOF {
			q.screen.printf("\n")
			break
		}
		if err != nil {
			return err
		}
		if choice >= 0 {
			q.answered(p, choice)
		}
		q.tell(p)
		q.screen.printf("\n")
	}
	return q.scores()
}

// fill asks the puzzles on the full screen, and prints the scores below it.
func (q *quiz) fill(ctx context.Context, env *cli.Env, puzzles []*puzzle.Puzzle) error {
	out := q.screen.out
	err := tui.RunQuiz(ctx, tui.QuizConfig{
		Puzzles: puzzles, Style: q.screen.paint.Filled(),
		Answer: func(p *puzzle.Puzzle, choice int) string {
			var lines strings.Builder
			q.screen.out = &lines
			if choice >= 0 {
				q.answered(p, choice)
			}
			q.tell(p)
			return strings.TrimRight(lines.String(), "\n")
		},
	}, env.Stdin, terminalOf(env.Stdout), cli.WantsColor(env.Stdout))
	q.screen.out = out
	return errors.Join(err, q.scores())
}

// show draws a puzzle.
func (q *quiz) show(p *puzzle.Puzzle) {
	t := p.MustTurn()
	if q.screen.inWords {
		q.screen.printf("%s\n%s\nYou are %s, and threw %d.\n", boardview.SideWords(t.Set(), t.Position, t.Side()), boardview.SideWords(t.Set(), t.Position, t.Side().Other()), boardview.SideNames[t.Side()], p.Roll)
		for i, m := range t.Moves {
			q.screen.printf("%d: %s.\n", i+1, boardview.MoveWords(t.Set(), t.Side(), m))
		}
		return
	}
	q.screen.printf("\n%s\n  %s  %s %d", q.screen.grid(t.Set(), t.Position, t.Moves), q.screen.paint.Player(t.Side()), q.screen.paint.Dice(t.Set(), p.Roll), p.Roll)
	for i, m := range t.Moves {
		q.screen.printf("  %s %s", q.screen.paint.Number(fmt.Sprintf("(%d)", i+1)), t.Notation(m))
	}
	q.screen.printf("\n")
}

// ask returns the move typed by the user, -1 for none, or [errQuit].
func (q *quiz) ask(p *puzzle.Puzzle) (int, error) {
	t := p.MustTurn()
	for {
		if _, err := fmt.Fprintf(q.screen.out, "  The best move (%s, Enter skips, q quits): ", choices(t)); err != nil {
			return 0, err
		}
		line, _, err := text.ReadLine(q.typed(), maxTypedLine)
		if err != nil {
			return 0, err
		}
		word := strings.ToLower(strings.TrimSpace(string(line)))
		switch word {
		case "q", "quit":
			return 0, errQuit
		case "", "s", "skip":
			return -1, nil
		}
		choice, err := session.Typed(t, word)
		if err == nil {
			return choice, nil
		}
		q.screen.printf("  %v\n", err)
	}
}

// answered counts an answer, and those of the players to the same puzzle.
func (q *quiz) answered(p *puzzle.Puzzle, choice int) {
	regret := p.Moves[choice].Regret
	q.count(you, regret)
	for _, c := range p.Choices {
		q.count(c.Player, p.Moves[p.Index(c.Move)].Regret)
	}
	switch {
	case regret == 0:
		q.screen.printf("  %s\n", q.screen.paint.Strong("Right."))
	case regret <= puzzle.Good:
		q.screen.printf("  %s is as good, but for %.2f points.\n", q.screen.paint.Strong("That"), 100*regret)
	default:
		name := p.Moves[choice].Move
		if q.screen.inWords {
			name = fmt.Sprintf("Move %d", choice+1)
		}
		q.screen.printf("  %s loses %.1f points.\n", name, 100*regret)
	}
}

// count counts the answer of a participant.
func (q *quiz) count(who string, regret float64) {
	if q.counts[who] == nil {
		q.counts[who] = &count{}
		q.order = append(q.order, who)
	}
	c := q.counts[who]
	c.asked++
	c.regret += regret
	if regret <= puzzle.Good {
		c.right++
	}
}

// tell explains a puzzle by its numbers.
func (q *quiz) tell(p *puzzle.Puzzle) {
	s := q.screen
	s.printf("  %s.\n", p.Title())
	order := make([]int, len(p.Moves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch ra, rb := p.Moves[a].Regret, p.Moves[b].Regret; {
		case ra < rb:
			return -1
		case ra > rb:
			return 1
		}
		return 0
	})
	for _, i := range order {
		m := p.Moves[i]
		loss := "best"
		if m.Regret > 0 {
			loss = fmt.Sprintf("%+.2f", -100*m.Regret)
		}
		if s.inWords {
			s.printf("Move %d, %s: you win %.2f %%, %s, %s.\n", i+1, moveWords(p.MustTurn(), i), 100*m.Win, lossWords(m.Regret), afterwards(p, i))
			continue
		}
		s.printf("  %s %-9s you win %5.2f %%  %-6s  %s\n", s.paint.Number(fmt.Sprintf("(%d)", i+1)), m.Move, 100*m.Win, loss, afterwards(p, i))
	}
	s.printf("%s\n", text.Wrap(chosen(p, s.inWords), "  ", 78))
	s.printf("  From %s.\n", text.Plain(p.Source))
}

// moveWords describes a move for a screen reader.
func moveWords(t *play.Turn, move int) string {
	return boardview.MoveWords(t.Set(), t.Side(), t.Moves[move])
}

// lossWords describes the regret of a move for a screen reader.
func lossWords(regret float64) string {
	if regret == 0 {
		return "the best move"
	}
	return fmt.Sprintf("%.2f points less than the best move", 100*regret)
}

// afterwards describes the consequences of a move.
func afterwards(p *puzzle.Puzzle, move int) string {
	t := p.MustTurn()
	side := t.Side()
	next := t.Set().Apply(t.Position, t.Moves[move])
	switch {
	case next.Turn() == side:
		return "and you throw again"
	case p.Moves[move].Risk == 0:
		return "and " + boardview.SideNames[side.Other()] + " can capture nothing"
	}
	return fmt.Sprintf("and %s captures with %.0f %% of throws", boardview.SideNames[side.Other()], 100*p.Moves[move].Risk)
}

// chosen lists the choices of players in a puzzle, in notation or by the number of the move.
func chosen(p *puzzle.Puzzle, inWords bool) string {
	by := map[string][]string{}
	var moves []string
	for _, c := range p.Choices {
		if by[c.Move] == nil {
			moves = append(moves, c.Move)
		}
		by[c.Move] = append(by[c.Move], text.Plain(c.Player))
	}
	var parts []string
	for _, move := range moves {
		name := move
		if inWords {
			name = fmt.Sprintf("move %d", p.Index(move)+1)
		}
		parts = append(parts, strings.Join(by[move], ", ")+": "+name)
	}
	return strings.Join(parts, "; ") + "."
}

// scores prints the scores of all participants.
func (q *quiz) scores() error {
	c := q.counts[you]
	if c == nil {
		return nil
	}
	q.screen.printf("%d of %s right, %.2f points given away on average. Of the same ones:\n", c.right, text.Plural(c.asked, "puzzle"), 100*c.regret/float64(c.asked))
	for _, who := range q.order[1:] {
		c := q.counts[who]
		q.screen.printf("  %-12s %3d right, %5.2f points\n", text.Plain(who), c.right, 100*c.regret/float64(c.asked))
	}
	return nil
}
