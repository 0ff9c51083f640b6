package playcmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

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

func newPuzzleCommand(env *cli.Env) *cobra.Command {
	var o struct {
		List bool   `flag:"list" help:"list the puzzles, without their answers"`
		UI   tui.UI `flag:"ui" values:"full,lines,words" help:"<FORM> of the display: full, lines, words (for a screen reader)"`
	}
	return cli.WithFlags(&cobra.Command{
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
					return cli.UsageError("puzzle %q does not exist (want 1 to %d, see \"ur puzzle --list\")",
						args[0], len(puzzles))
				}
				puzzles = puzzles[n-1 : n]
			}
			if o.List {
				return listPuzzles(env.Stdout, puzzles)
			}
			ui, err := findUI(env, o.UI)
			if err != nil {
				return err
			}
			if err := askPlayers(puzzles); err != nil {
				return err
			}
			return (&quiz{style: boardStyle(env, ui)}).runQuiz(cmd.Context(), env, ui, puzzles)
		},
	}, &o)
}

func listPuzzles(w io.Writer, puzzles []*puzzle.Puzzle) error {
	for _, p := range puzzles {
		moves := text.List(p.Moves, func(m puzzle.Move) string { return m.Move })
		if _, err := fmt.Fprintf(w, "%3d  a %d: %s\n     %s\n", p.Number, p.Roll, strings.Join(moves, ", "),
			p.Source); err != nil {
			return err
		}
	}
	return nil
}

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

// quiz asks puzzles and counts the answers.
type quiz struct {
	style  *tui.Style
	scores []score // user's score, and behind it the players'
}

type score struct {
	name         string
	asked, right int
	regret       float64
}

func (q *quiz) runQuiz(ctx context.Context, env *cli.Env, ui tui.UI, puzzles []*puzzle.Puzzle) error {
	var pages []tui.Page
	for i, p := range puzzles {
		pages = append(pages, tui.Page{
			Title: fmt.Sprintf("Puzzle %d (%d of %d): the best move?", p.Number, i+1, len(puzzles)),
			Turn:  p.MustTurn(), Best: p.Index(p.Best),
			Answer: func(choice int) (string, bool) { return q.countAnswer(p, choice) + q.explainPuzzle(p), true },
		})
	}
	if err := tui.RunQuiz(ctx, q.style, pages, env, ui); err != nil {
		return err
	}
	if ui != tui.Full {
		fmt.Fprintln(env.Stdout)
	}
	q.printReport(env.Stdout)
	return nil
}

// countAnswer counts an answer, unless it is -1, and those of the players to the same puzzle.
func (q *quiz) countAnswer(p *puzzle.Puzzle, choice int) string {
	if choice < 0 {
		return ""
	}
	regret := p.Moves[choice].Regret
	q.countRegret("you", regret)
	for _, c := range p.Choices {
		q.countRegret(c.Player, p.Moves[p.Index(c.Move)].Regret)
	}
	switch {
	case regret == 0:
		return q.style.Strong.Render("Right.") + "\n"
	case regret <= puzzle.Good:
		return fmt.Sprintf("%s is as good, but for %.2f points.\n", q.style.Strong.Render("That"), 100*regret)
	}
	return fmt.Sprintf("%s loses %.1f points.\n", q.moveName(p, choice), 100*regret)
}

// moveName names a move by its notation, or in words by its number.
func (q *quiz) moveName(p *puzzle.Puzzle, move int) string {
	if q.style.InWords {
		return fmt.Sprintf("Move %d", move+1)
	}
	return p.Moves[move].Move
}

func (q *quiz) countRegret(name string, regret float64) {
	i := slices.IndexFunc(q.scores, func(s score) bool { return s.name == name })
	if i < 0 {
		i = len(q.scores)
		q.scores = append(q.scores, score{name: name})
	}
	s := &q.scores[i]
	s.asked++
	s.regret += regret
	if regret <= puzzle.Good {
		s.right++
	}
}

// explainPuzzle explains a puzzle by the values of its moves, the best first.
func (q *quiz) explainPuzzle(p *puzzle.Puzzle) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s.\n", p.Title())
	ranked := slices.Clone(p.Moves)
	slices.SortStableFunc(ranked, func(a, b puzzle.Move) int { return cmp.Compare(a.Regret, b.Regret) })
	for _, m := range ranked {
		i := p.Index(m.Move)
		fmt.Fprintf(&out, "%s, %s\n", q.style.Value(p.MustTurn(), i, -1, m.Win, m.Regret, true), describeReply(p, i))
	}
	fmt.Fprintf(&out, "%s\nFrom %s.", text.Wrap(q.listChoices(p), "", 76), p.Source)
	return out.String()
}

func describeReply(p *puzzle.Puzzle, move int) string {
	t := p.MustTurn()
	other := session.SideNames[t.Side().Other()]
	switch {
	case t.Rules.Apply(t.Position, t.Moves[move]).Turn() == t.Side():
		return "and you throw again"
	case p.Moves[move].Risk == 0:
		return "and " + other + " can capture nothing"
	}
	return fmt.Sprintf("and %s captures with %.0f %% of throws", other, 100*p.Moves[move].Risk)
}

// listChoices lists the choices of players in a puzzle.
func (q *quiz) listChoices(p *puzzle.Puzzle) string {
	by := make([][]string, len(p.Moves))
	var order []int
	for _, c := range p.Choices {
		move := p.Index(c.Move)
		if by[move] == nil {
			order = append(order, move)
		}
		by[move] = append(by[move], c.Player)
	}
	parts := make([]string, len(order))
	for i, move := range order {
		parts[i] = strings.Join(by[move], ", ") + ": " + q.moveName(p, move)
	}
	return strings.Join(parts, "; ") + "."
}

func (q *quiz) printReport(out io.Writer) {
	for i, s := range q.scores {
		mean := 100 * s.regret / float64(s.asked)
		if i == 0 {
			fmt.Fprintf(out, "%d of %s right, %.2f points lost on average. Of the same ones:\n",
				s.right, text.Plural(s.asked, "puzzle"), mean)
		} else {
			fmt.Fprintf(out, "  %-12s %3d right, %5.2f points\n", s.name, s.right, mean)
		}
	}
}
