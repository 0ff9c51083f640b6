package playcmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/tui"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
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
--plain, and without a terminal, type a move by its number or notation; Enter or s
skips, q quits. The positions were found in games by the exact solution, except for the
first two, which the page of TD-Ur discusses.`

// puzzleOptions are the flags of "ur puzzle".
type puzzleOptions struct {
	file, kind           string
	count                int
	shuffle              uint64
	json, ascii, inWords bool
	plain                bool
}

// newPuzzleCommand returns "ur puzzle".
func newPuzzleCommand(env *cli.Env) *cobra.Command {
	var o puzzleOptions
	cmd := &cobra.Command{
		Use:   "puzzle",
		Short: "Solve puzzles: find the best move",
		Long:  puzzleLong,
		Example: `  ur puzzle
  ur puzzle --count 5 --shuffle 7
  ur puzzle list
  ur puzzle show 3`,
		Args: cli.Exactly(0, "no arguments, or list or show"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("count") && o.count < 1 {
				return cli.UsageError("--count must be at least 1, got %d", o.count)
			}
			puzzles, err := o.puzzles()
			if err != nil {
				return err
			}
			if o.json {
				return writePuzzles(env.Stdout, puzzles)
			}
			q := newQuiz(cmd.Context(), env, o)
			if cli.IsTerminal(env.Stdout) && isTerminal(env.Stdin) && !o.plain && !o.inWords && os.Getenv("TERM") != "dumb" && !anyRuled(puzzles) {
				return q.fill(cmd.Context(), env, puzzles)
			}
			return q.run(puzzles)
		},
	}
	flags := cmd.Flags()
	o.addFlags(cmd)
	flags.IntVar(&o.count, "count", 0, "number of puzzles to ask (default all)")
	flags.Uint64Var(&o.shuffle, "shuffle", 0, "shuffle the puzzles by this seed")
	flags.BoolVar(&o.plain, "plain", false, "print line by line, even on a terminal")
	flags.BoolVar(&o.inWords, "reader", false, "describe positions in words, for a screen reader")
	cmd.AddCommand(newPuzzleListCommand(env), newPuzzleShowCommand(env))
	return cmd
}

// kindNames are the names of the kinds of puzzles.
func kindNames() []string {
	return text.List(puzzle.Kinds(), func(k puzzle.Kind) string { return k.Name })
}

// addFlags adds the flags that select puzzles.
func (o *puzzleOptions) addFlags(cmd *cobra.Command) {
	kinds := kindNames()
	flags := cmd.Flags()
	flags.StringVar(&o.kind, "kind", "", "select puzzles of a `KIND`: "+strings.Join(kinds, ", "))
	flags.StringVar(&o.file, "file", "", "read puzzles from a `FILE` of JSON lines, of schema "+puzzle.Schema+"")
	flags.BoolVar(&o.json, "json", false, "print one JSON object a puzzle, of schema "+puzzle.Schema)
	flags.BoolVar(&o.ascii, "ascii", false, "draw in ASCII")
	cli.CompleteFlag(cmd, "kind", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
}

// puzzles returns the puzzles selected by the flags, in their order.
func (o *puzzleOptions) puzzles() ([]*puzzle.Puzzle, error) {
	all, err := puzzle.All()
	if o.file != "" {
		var content []byte
		if content, err = safefile.Read(o.file, 1<<24); err != nil {
			return nil, cli.UsageError("--file: %w", err)
		}
		if len(bytes.TrimSpace(content)) == 0 {
			return nil, cli.UsageError("--file: %s is empty (want JSON lines of schema "+puzzle.Schema+")", o.file)
		}
		if all, err = puzzle.Read(string(content)); err != nil {
			return nil, cli.UsageError("--file: %s: %w (want JSON lines of schema "+puzzle.Schema+")", o.file, err)
		}
	}
	if err != nil {
		return nil, err
	}
	if o.kind != "" {
		all = slices.DeleteFunc(all, func(p *puzzle.Puzzle) bool { return p.Kind != o.kind })
	}
	if len(all) == 0 {
		return nil, cli.UsageError("--kind: no puzzle of kind %q (want one of %s)", o.kind, strings.Join(kindNames(), ", "))
	}
	if o.shuffle != 0 {
		rng := rand.New(rand.NewPCG(o.shuffle, 0))
		rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	}
	if o.count > 0 {
		all = all[:min(o.count, len(all))]
	}
	return all, askPlayers(all)
}

// askPlayers adds the choices of built-in players to puzzles without them.
func askPlayers(puzzles []*puzzle.Puzzle) error {
	for _, p := range puzzles {
		var missing []puzzle.NamedPlayer
		for _, name := range builtInPlayers(p.Rules.Rules) {
			if slices.ContainsFunc(p.Choices, func(c puzzle.Choice) bool { return c.Player == name }) {
				continue
			}
			player, err := pick.PlayerFor(p.Rules.Rules, name)
			if err != nil {
				return err
			}
			missing = append(missing, puzzle.NamedPlayer{Name: name, Player: player})
		}
		if err := p.Ask(context.Background(), missing); err != nil {
			return err
		}
	}
	return nil
}

// builtInPlayers lists the players whose choices are shown in puzzles of a rule set.
func builtInPlayers(r *board.Rules) []string {
	if r == nil {
		return []string{"first", "greedy", "brain", "net", "net@2"}
	}
	list := []string{"first", "greedy"}
	if _, err := pick.PlayerFor(r, "net"); err == nil {
		list = append(list, "net", "net@2")
	}
	return list
}

// writePuzzles writes puzzles as lines of JSON.
func writePuzzles(w io.Writer, puzzles []*puzzle.Puzzle) error {
	for _, p := range puzzles {
		if err := cli.WriteJSON(w, p); err != nil {
			return err
		}
	}
	return nil
}

// newPuzzleListCommand returns "ur puzzle list".
func newPuzzleListCommand(env *cli.Env) *cobra.Command {
	var o puzzleOptions
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the puzzles, without their answers",
		Long:    "List prints a line for each puzzle: its number, roll, moves and source. With --json it\nprints the complete puzzle.",
		Example: "  ur puzzle list\n  ur puzzle list --kind close --json",
		RunE: func(*cobra.Command, []string) error {
			puzzles, err := o.puzzles()
			if err != nil {
				return err
			}
			if o.json {
				return writePuzzles(env.Stdout, puzzles)
			}
			for _, p := range puzzles {
				moves := text.List(p.Moves, func(m puzzle.Move) string { return m.Move })
				if _, err := fmt.Fprintf(env.Stdout, "%3d  a %d: %s\n     %s\n", p.Number, p.Roll, strings.Join(moves, ", "), text.Plain(p.Source)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	o.addFlags(cmd)
	return cmd
}

// newPuzzleShowCommand returns "ur puzzle show".
func newPuzzleShowCommand(env *cli.Env) *cobra.Command {
	var o puzzleOptions
	cmd := &cobra.Command{
		Use:     "show N",
		Short:   "Show a puzzle and its answer",
		Long:    "Show draws a puzzle and prints the value of every move and the choices of built-in\nplayers.",
		Example: "  ur puzzle show 1",
		Args:    cli.Exactly(1, "the number of a puzzle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			puzzles, err := o.puzzles()
			if err != nil {
				return err
			}
			n, err := strconv.Atoi(args[0])
			i := slices.IndexFunc(puzzles, func(p *puzzle.Puzzle) bool { return p.Number == n })
			if err != nil || i < 0 {
				return cli.UsageError("puzzle %q does not exist (want %s, see \"ur puzzle list\")", args[0], numbers(puzzles))
			}
			if o.json {
				return cli.WriteJSON(env.Stdout, puzzles[i])
			}
			q := newQuiz(cmd.Context(), env, o)
			q.show(puzzles[i])
			q.tell(puzzles[i])
			return nil
		},
	}
	o.addFlags(cmd)
	return cmd
}

// numbers describes the numbers of puzzles: a range, or a list where some are missing.
func numbers(puzzles []*puzzle.Puzzle) string {
	list := text.List(puzzles, func(p *puzzle.Puzzle) string { return strconv.Itoa(p.Number) })
	if first, last := puzzles[0].Number, puzzles[len(puzzles)-1].Number; last-first == len(puzzles)-1 {
		return fmt.Sprintf("%d to %d", first, last)
	}
	return "one of " + strings.Join(list, ", ")
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
func newQuiz(ctx context.Context, env *cli.Env, o puzzleOptions) *quiz {
	t := &table{ctx: ctx, env: env, options: playOptions{ascii: o.ascii, reader: o.inWords}}
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

// anyRuled reports whether a puzzle has other rules than Finkel's, whose board is drawn in
// characters.
func anyRuled(puzzles []*puzzle.Puzzle) bool {
	return slices.ContainsFunc(puzzles, func(p *puzzle.Puzzle) bool { return p.MustTurn().Rules != nil })
}

// show draws a puzzle.
func (q *quiz) show(p *puzzle.Puzzle) {
	t := p.MustTurn()
	if t.Rules != nil {
		q.screen.printf("\n  %s rules\n", t.Rules.Title())
	}
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
		line, _, err := cli.ReadLine(q.typed(), maxTypedLine)
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
