package searchcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/spf13/cobra"
)

const bookLong = `Book prints an opening book of any game: for each position its text, or its key if
there is no text, then its moves, the best first, with the score for the side to
move, the depth of the search, and the games won, drawn and lost with it.

With -o it writes a book of the Royal Game of Ur for players such as
search:depth=3,book=FILE. It starts from the books given and scores every move of the
first plies by search, for every roll; it continues after moves that are worse than
the best by at most --margin. With --learn it counts the results of recorded games:
players then prefer the book moves that win more. An interrupted run writes the moves
scored so far.`

// bookOptions are the flags of "ur search book".
type bookOptions struct {
	out    string
	force  bool
	pieces int
	plies  int
	depth  int
	margin float64
	leaf   string
	learn  []string
}

// newBookCommand returns "ur search book".
func newBookCommand(env *cli.Env) *cobra.Command {
	var o bookOptions
	cmd := &cobra.Command{
		Use:   "book [FILE...]",
		Args:  cobra.ArbitraryArgs,
		Short: "Print or write an opening book",
		Long:  bookLong,
		Example: `  ur search book -o ur.book --plies 2 --depth 4
  ur search book ur.book -o learned.book --plies 0 --learn games.jsonl
  ur search book ur.book`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.out != "" {
				return o.write(cmd.Context(), env, args)
			}
			if len(args) != 1 {
				return cli.UsageError("%d files (want one book to print, or -o FILE to write one)", len(args))
			}
			return printBook(env, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "`FILE` of the book to write")
	cli.ForceFlag(cmd, &o.force)
	f.IntVar(&o.pieces, "pieces", board.MaxPieces, "pieces of each player, 1 to 7")
	f.IntVar(&o.plies, "plies", 2, "depth of the book in plies, 0 to 8")
	f.IntVar(&o.depth, "depth", 3, "depth of the search in plies, 1 to 64")
	f.Float64Var(&o.margin, "margin", 2, "largest loss of a move to follow, in percentage points")
	f.StringVar(&o.leaf, "leaf", "brain", "evaluator of leaves: brain, brain:FILE, greedy, net or net:FILE")
	f.StringSliceVar(&o.learn, "learn", nil, "recorded games in `FILES` to learn from")
	return cmd
}

// maxBookPlies keeps a book from taking years: each ply has some ten times the positions of the
// one before.
const maxBookPlies = 8

func (o *bookOptions) check() error {
	switch {
	case o.pieces < 1 || o.pieces > board.MaxPieces:
		return cli.UsageError("--pieces must be 1 to %d, got %d", board.MaxPieces, o.pieces)
	case o.plies < 0 || o.plies > maxBookPlies:
		return cli.UsageError("--plies must be 0 to %d, got %d", maxBookPlies, o.plies)
	case o.depth < 1 || o.depth > search.MaxDepth:
		return cli.UsageError("--depth must be 1 to %d, got %d", search.MaxDepth, o.depth)
	case !(o.margin >= 0 && o.margin <= 100):
		return cli.UsageError("--margin must be 0 to 100, got %v", o.margin)
	}
	return cli.CheckOutput("-o", o.out, o.force)
}

// write makes a book.
func (o *bookOptions) write(ctx context.Context, env *cli.Env, from []string) error {
	if err := o.check(); err != nil {
		return err
	}
	b, err := search.NewBook(ursearch.BookGame)
	if err != nil {
		return err
	}
	for _, name := range from {
		other, err := openBook(name, ursearch.BookGame)
		if err == nil {
			err = b.Join(other)
		}
		if err != nil {
			return err
		}
	}
	wait := cli.NewWait(env, "searching the positions of the book")
	err = o.fill(ctx, b)
	wait.Clear()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	for _, name := range o.learn {
		if err := learnGames(b, name); err != nil {
			return err
		}
	}
	return errors.Join(err, wholefile.Write(o.out, func(w io.Writer) error { _, err := b.WriteTo(w); return err }))
}

// fill adds the results of searches.
func (o *bookOptions) fill(ctx context.Context, b *search.Book) error {
	table, err := search.NewTable(play.DefaultMemory, search.Buckets)
	if err != nil {
		return err
	}
	c := ursearch.Config{Pieces: o.pieces, Options: play.DefaultSearchOptions()}
	c.Options.Table = table
	if err := play.SetLeaf(&c, o.leaf); err != nil {
		return cli.UsageError("--leaf: %w", err)
	}
	s, err := ursearch.New(c)
	if err != nil || o.plies == 0 {
		return err
	}
	return s.FillBook(ctx, b, board.StartPosition(o.pieces), search.Fill{
		Plies: o.plies, Margin: search.Value(o.margin / 100 * float64(2*search.MaxValue)),
		Limits: search.Limits{Depth: o.depth},
	})
}

// learnGames counts the games of a file for the moves of a book.
func learnGames(b *search.Book, name string) error {
	format, err := record.FormatOf(name)
	if err != nil {
		return cli.UsageError("--learn: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return cli.UsageError("--learn: %w", err)
	}
	defer f.Close()
	games := record.NewReader(f, format)
	for {
		g, err := games.Next()
		var fault *record.Fault
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &fault):
			return cli.UsageError("--learn: %s:%d: %s", name, fault.Line, fault.Msg)
		case err != nil:
			return err
		}
		if err := learnGame(b, g); err != nil {
			return err
		}
	}
}

// learnGame adds the result of a finished game to the book moves made in it.
func learnGame(b *search.Book, g *record.Game) error {
	winner, won := g.Result.Winner()
	if !won {
		return nil
	}
	if err := g.CheckFinkel(); err != nil {
		return err
	}
	var failed error
	_, err := g.Replay(func(s *record.Step) {
		key := ursearch.BookKey(s.Position, s.Roll)
		if failed != nil || len(s.Moves) < 2 || b.Moves(key) == nil {
			return
		}
		result := -1
		if s.Position.Turn() == winner {
			result = 1
		}
		failed = b.Learn(key, s.Move().From, result)
	})
	return errors.Join(err, failed)
}

// openBook reads a book of a game; with "" of any.
func openBook(name, game string) (*search.Book, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	defer f.Close()
	b, err := search.ReadBook(f, game)
	if _, ok := errors.AsType[*search.BookError](err); ok {
		return nil, cli.UsageError("%s: %w", name, err)
	}
	return b, err
}

func printBook(env *cli.Env, name string) error {
	b, err := openBook(name, "")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(env.Stdout)
	fmt.Fprintf(w, "# book of %s, %d positions\n# moves: ID score/depth won-drawn-lost\n", b.Game(), b.Len())
	for k, moves := range b.All() {
		text := b.Text(k)
		if text == "" {
			text = fmt.Sprintf("%016x %016x", k.Index, k.Check)
		}
		fmt.Fprint(w, text)
		for _, m := range moves {
			fmt.Fprintf(w, "  %d %+d/%d %d-%d-%d", m.ID, m.Score, m.Depth, m.Won, m.Drawn, m.Lost)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
