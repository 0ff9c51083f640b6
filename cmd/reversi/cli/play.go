package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/protocol"
	"github.com/spf13/cobra"
)

type playOptions struct {
	Black  string `flag:"black" default:"human" help:"who plays Black (X): <P>"`
	White  string `flag:"white" default:"level:4" help:"who plays White (O): <P>"`
	Hints  bool   `flag:"hints" help:"value your moves before you choose"`
	Ponder bool   `flag:"ponder" help:"let the computer think while you choose"`
	Record string `flag:"record" help:"write the moves to <FILE>, after every move"`
	Load   string `flag:"load" help:"continue the first game of <FILE>: its moves, GGF, or eight moves of a game in an archive (.wtb)"`
	cli.Overwrite
	Seed uint64 `flag:"seed" default:"1" help:"<seed> of random players"`
}

func newPlayCommand(env *cli.Env) *cobra.Command {
	var o playOptions
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play against the computer, or watch it play",
		Long: `Play shows the board with your legal moves marked. Type a move such as d3, or a
command: "hint" values your moves, "undo" takes your last move back, "moves" prints
the game, "help" lists the commands, and "quit" ends the game. --load goes on with
the first game of a file, such as one of --record.

Each player is human or one of "reversi help players".`,
		Example: `  reversi play
  reversi play --black level:3 --white human --hints
  reversi play --black level:5 --white level:6 --record game.txt
  reversi play --load game.txt --record game.txt --force`,
		Args: cli.Exactly(0, "no arguments: players are --black and --white"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return play(cmd.Context(), env, o)
		},
	}
	cli.WithFlags(cmd, &o)
	cli.CompleteFrom(cmd, "black", reversi.Kinds().Specs()...)
	cli.CompleteFrom(cmd, "white", reversi.Kinds().Specs()...)
	return cmd
}

// table is a game at the terminal.
type table struct {
	env     *cli.Env
	options playOptions
	players [2]reversi.Player // nil for a human
	adviser reversi.Player    // from the first hint on, since it takes a while to load
	record  board.Record
	opening string // name, as far as the game went
	in      *bufio.Reader
}

func play(ctx context.Context, env *cli.Env, o playOptions) error {
	if err := cli.CheckOutput("--record", o.Record, o.Force); err != nil {
		return err
	}
	with := newEnv()
	t := &table{env: env, options: o, record: board.Record{From: board.StartPosition()}}
	var err error
	if o.Load != "" {
		if t.record, err = firstRecord(o.Load); err != nil {
			return cli.UsageError("--load %s: %w", o.Load, err)
		}
	}
	for side, name := range [2]string{o.Black, o.White} {
		if name == "human" {
			continue
		}
		if t.players[side], err = reversi.ParsePlayer(name, with); err != nil {
			return cli.UsageError("--%s: %w", board.Side(side).Name(), err)
		}
		t.players[side].NewGame(o.Seed + uint64(side))
	}
	t.in = bufio.NewReader(cli.NewContextReader(ctx, env.Stdin))
	err = t.play(ctx)
	for _, player := range t.players {
		reversi.StopPondering(player)
	}
	left := errors.Is(err, errLeft)
	if left || errors.Is(err, errEnded) || ctx.Err() != nil {
		fmt.Fprintf(env.Stdout, "\nThe moves so far: %s\n", t.record.Text())
	}
	switch {
	case ctx.Err() != nil:
		return cli.ErrInterrupted
	case left:
		return nil
	}
	return err
}

// errLeft ends a game after the user quits, and errEnded one after the end of input.
var (
	errLeft  = errors.New("left")
	errEnded = cli.UsageError("the input ended in the middle of the game: type quit to leave")
)

func (t *table) play(ctx context.Context) error {
	for {
		p := t.record.End()
		if err := t.show(p); err != nil {
			return err
		}
		if p.Over() {
			return t.end(p)
		}
		move, err := t.choose(ctx, p)
		if err != nil {
			return err
		}
		if move == board.None {
			continue // taken back
		}
		if err := t.record.Add(move); err != nil {
			return err
		}
		if err := t.save(); err != nil {
			return err
		}
		if name := reversi.Opening(t.record); name != "" && name != t.opening {
			t.opening = name
			if _, err := fmt.Fprintf(t.env.Stdout, "Opening: %s\n", name); err != nil {
				return err
			}
		}
	}
}

// title begins with a capital.
func title(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// choose prompts the player for a move; board.None means an undo.
func (t *table) choose(ctx context.Context, p board.Position) (board.Square, error) {
	if p.Moves() == 0 {
		_, err := fmt.Fprintf(t.env.Stdout, "%s has no move and passes.\n", title(p.Side.Name()))
		return board.Pass, err
	}
	player := t.players[p.Side]
	if player == nil {
		return t.ask(ctx, p)
	}
	c, err := player.Choose(ctx, p, reversi.Limits{})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return board.None, err
	}
	if t.options.Ponder && t.players[p.Side.Other()] == nil {
		reversi.Ponder(ctx, player, p, c)
	}
	_, err = fmt.Fprintf(t.env.Stdout, "%s (%s) plays %s%s\n", title(p.Side.Name()), player.Name(), c.Square, why(c))
	return c.Square, err
}

// why explains a player's expectation.
func why(c reversi.Choice) string {
	switch {
	case c.Book:
		return fmt.Sprintf(", from the book: %+.1f discs", c.Score)
	case c.Exact:
		return fmt.Sprintf(": the game ends %+.0f", c.Score)
	case c.Depth > 0:
		return fmt.Sprintf(": %+.1f discs, %s, %s nodes", c.Score, plies(c.Depth), text.Grouped(int64(c.Nodes)))
	}
	return ""
}

// plies counts plies.
func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}

// ask asks a human until the answer is a legal move.
func (t *table) ask(ctx context.Context, p board.Position) (board.Square, error) {
	if t.options.Hints {
		if err := t.hint(ctx, p); err != nil {
			return board.None, err
		}
	}
	for {
		if _, err := fmt.Fprintf(t.env.Stdout, "%s> ", title(p.Side.Name())); err != nil {
			return board.None, err
		}
		line, problem, err := text.ReadLine(t.in, 4096)
		switch {
		case err == io.EOF:
			return board.None, errEnded
		case err != nil:
			return board.None, err
		case problem != nil:
			fmt.Fprintln(t.env.Stdout, problem)
			continue
		}
		word := strings.ToLower(strings.TrimSpace(string(line)))
		switch word {
		case "":
			continue
		case "quit", "q", "exit":
			return board.None, errLeft
		case "hint", "hints", "h":
			if err := t.hint(ctx, p); err != nil {
				return board.None, err
			}
			continue
		case "undo", "u":
			if t.undo() {
				return board.None, t.save()
			}
			fmt.Fprintln(t.env.Stdout, "You have made no move that could be taken back.")
			continue
		case "moves":
			fmt.Fprintln(t.env.Stdout, t.record.Text())
			continue
		case "help", "?":
			fmt.Fprintln(t.env.Stdout, "Type a square such as d3, or hint, undo, moves, quit.")
			continue
		}
		s, err := board.ParseSquare(word)
		if err == nil {
			_, err = p.Play(s)
		}
		if err == nil {
			return s, nil
		}
		fmt.Fprintf(t.env.Stdout, "%v. Type a square, or help.\n", err)
	}
}

// undo takes back moves up to the last one that a person chose.
func (t *table) undo() bool {
	for n := len(t.record.Moves) - 1; n >= 0; n-- {
		before := board.Record{From: t.record.From, Moves: t.record.Moves[:n]}
		if t.players[before.End().Side] == nil && t.record.Moves[n] != board.Pass {
			t.record.Moves = t.record.Moves[:n]
			return true
		}
	}
	return false
}

func (t *table) hint(ctx context.Context, p board.Position) error {
	if t.adviser == nil {
		var err error
		if t.adviser, err = reversi.ParsePlayer("search:depth=6,exact=14", newEnv()); err != nil {
			return err
		}
	}
	c, err := t.adviser.Choose(ctx, p, reversi.Limits{AllMoves: true})
	if err != nil {
		return err
	}
	what := fmt.Sprintf("discs ahead in the end, as seen %s deep", plies(c.Depth))
	if c.Exact {
		what = "discs ahead in the end, exactly"
	}
	const wide = 70 // behind the prompt
	values := "Your moves, " + what + ":"
	for _, h := range c.Moves {
		values += fmt.Sprintf(" %s_%+.1f", h.Square, h.Score) // no line ends within
	}
	values = strings.ReplaceAll(text.Wrap(values, "", wide), "_", " ")
	if len(c.Line) > 1 {
		values += "\n" + text.Wrap("Expected: "+strings.Join(text.List(c.Line, board.Square.String), " "), "", wide)
	}
	_, err = fmt.Fprintln(t.env.Stdout, values)
	return err
}

// show draws the board: X, O, and a dot for each legal move of a human.
func (t *table) show(p board.Position) error {
	squares := []byte(p.Text())
	if t.players[p.Side] == nil {
		for _, s := range board.Squares(p.Moves()) {
			squares[s] = '.'
		}
	}
	var marks [8][9]byte // marks before each square in a row, and behind the last
	if n := len(t.record.Moves); n > 0 && t.record.Moves[n-1] != board.Pass {
		last := t.record.Moves[n-1]
		marks[last.Row()][last.Column()], marks[last.Row()][last.Column()+1] = '(', ')'
	}
	var text strings.Builder
	text.WriteString("\n    a b c d e f g h\n")
	for row := range 8 {
		line := []byte(fmt.Sprintf("  %d", row+1))
		for column, mark := range marks[row] {
			line = append(line, cmp.Or(mark, ' '))
			if column < 8 {
				line = append(line, squares[8*row+column])
			}
		}
		fmt.Fprintf(&text, "%s%d", bytes.ReplaceAll(line, []byte("-"), []byte(" ")), row+1)
		switch row {
		case 2:
			fmt.Fprintf(&text, "   X black %2d", count(p.Black()))
		case 3:
			fmt.Fprintf(&text, "   O white %2d", count(p.White()))
		}
		text.WriteByte('\n')
	}
	text.WriteString("    a b c d e f g h\n")
	_, err := io.WriteString(t.env.Stdout, text.String())
	return err
}

func count(set uint64) int { return len(board.Squares(set)) }

func (t *table) end(p board.Position) error {
	_, err := fmt.Fprintf(t.env.Stdout, "%s. %d to %d discs. Moves: %s\n",
		title(p.Verdict()), count(p.Black()), count(p.White()), t.record.Text())
	return err
}

// save writes the moves so far.
func (t *table) save() error {
	if t.options.Record == "" {
		return nil
	}
	return safefile.Write(t.options.Record, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, t.record.Text())
		return err
	})
}

func newProtocolCommand(env *cli.Env) *cobra.Command {
	var o struct {
		Player string `flag:"player" default:"level:6" help:"who plays: <P>"`
		Ponder bool   `flag:"ponder" help:"think on the opponent's time"`
	}
	cmd := &cobra.Command{
		Use:   "protocol gtp",
		Short: "Let other programs play with this one",
		Long: `Protocol connects a graphical board or a tournament program to a player, over stdin
and stdout, by GTP, the Go Text Protocol as used by Othello programs. Enter this
command line as the engine in that program. GTP has no command for a position:
"setboard SQUARES SIDE", with 64 squares of X, O and -, begins a game with one.`,
		Example: `  reversi protocol gtp
  reversi protocol gtp --player level:7 --ponder`,
		Args:      cli.Exactly(1, "gtp"),
		ValidArgs: []string{"gtp"},
		RunE: func(cmd *cobra.Command, args []string) error {
			with := newEnv()
			if _, err := reversi.ParsePlayer(o.Player, with); err != nil {
				return cli.UsageError("--player: %w", err)
			}
			if args[0] != "gtp" {
				return cli.UsageError("unknown protocol %q (want gtp)", args[0])
			}
			s := &protocol.Session{Name: "reversi", Ponder: o.Ponder, Player: func() (reversi.Player, error) {
				return reversi.ParsePlayer(o.Player, with)
			}}
			return s.GTP(cmd.Context(), cli.NewContextReader(cmd.Context(), env.Stdin), env.Stdout)
		},
	}
	cli.WithFlags(cmd, &o)
	cli.CompleteFrom(cmd, "player", players()...)
	return cmd
}
