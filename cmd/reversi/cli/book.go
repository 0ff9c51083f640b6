package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi/book"
	"github.com/spf13/cobra"
)

func newBookCommand(env *cli.Env) *cobra.Command {
	return cli.NewGroup("book", "Build and improve opening books",
		`A book is text: a line for each position, with its moves, their scores and the results
of games. A player uses it by its name, as in search:depth=8,book=FILE. The program's own
book is that of players with a time, such as search:time=50ms, without book=none.`,
		newBookBuildCommand(env), newBookLearnCommand(env))
}

// valuing is how the positions that a command adds to a book are valued.
type valuing struct {
	Player string `flag:"player" default:"search:depth=8,exact=0" help:"who values positions: <P>"`
	Discs  int    `flag:"discs" default:"24" help:"no positions with more <discs>"`
}

func (v valuing) options() (book.Options, error) {
	if v.Discs < 5 || v.Discs > 60 {
		return book.Options{}, cli.UsageError("--discs: %d (want 5 to 60)", v.Discs)
	}
	player, err := thinker(v.Player)
	return book.Options{Player: player, Discs: v.Discs}, err
}

type buildOptions struct {
	Games   int `flag:"games" default:"200" help:"number of <games>; each adds a position"`
	Of      valuing
	Curious float64 `flag:"curious" default:"1.5" help:"a move this <number> of discs worse than the best counts as one ply deeper"`
	Seed    uint64  `flag:"seed" default:"1" help:"<seed> of the player"`
}

func newBookBuildCommand(env *cli.Env) *cobra.Command {
	var o buildOptions
	cmd := &cobra.Command{
		Use:   "build FILE",
		Short: "Add positions of self-play to a book",
		Long: `Build adds the positions where games are most likely to leave the book (drop-out
expansion, Lincke 2000): those at the end of lines with few plies and few moves that
are worse than the best. A player values all moves of such a position, and the scores
of the positions before it follow. An existing book is extended.`,
		Example: `  reversi book build openings.txt --games 1000 --player search:depth=10,exact=0`,
		Args:    cli.Exactly(1, "the file of a book"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts, err := o.Of.options()
			if err != nil {
				return err
			}
			opts.Games, opts.Curious, opts.Seed = o.Games, o.Curious, o.Seed
			switch {
			case o.Games < 1:
				return cli.UsageError("--games: %d (want 1 or more)", o.Games)
			case !(o.Curious > 0):
				return cli.UsageError("--curious: %v (want a number above 0)", o.Curious)
			}
			b, err := openOrNew(args[0])
			if err != nil {
				return err
			}
			before := b.Len()
			bar := cli.NewProgress(env, opts.Games, "games")
			opts.Report = func(n int) { bar.Set(n) }
			err = b.Build(cmd.Context(), opts)
			bar.Clear()
			if err != nil && cmd.Context().Err() == nil {
				return err
			}
			if err := safefile.Write(args[0], b.Write); err != nil {
				return err
			}
			fmt.Fprintf(env.Stdout, "%s in %s, %d of them new\n", text.Plural(b.Len(), "position"), args[0], b.Len()-before)
			return cmd.Context().Err()
		},
	}
	cli.WithFlags(cmd, &o)
	cli.CompleteFrom(cmd, "player", players()...)
	return cmd
}

func newBookLearnCommand(env *cli.Env) *cobra.Command {
	var o valuing
	cmd := &cobra.Command{
		Use:   "learn FILE GAMES",
		Short: "Add the positions where games leave a book, and count their results",
		Long: `Learn reads finished games, one a line such as f5d6c3... or in GGF, or those of an
archive (.wtb). It adds the position where a game leaves the book, whose moves a player
values, and counts the result at the game's moves. Players then replace a move that
loses its games by another one of a similar score.`,
		Example: `  reversi match search:depth=6,book=openings.txt level:7 --games 100 --record games.txt
  reversi book learn openings.txt games.txt`,
		Args: cli.Exactly(2, "the file of a book and one of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts, err := o.options()
			if err != nil {
				return err
			}
			b, err := book.Open(args[0])
			if err != nil {
				return cli.UsageError("%w", err)
			}
			games, err := readRecords(args[1], false)
			if err != nil {
				return cli.UsageError("%w", err)
			}
			for _, g := range games {
				if err := cmp.Or(b.Extend(cmd.Context(), opts, g), b.Learn(g)); err != nil {
					return err
				}
			}
			if err := safefile.Write(args[0], b.Write); err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.Stdout, "%s learned by %s\n", text.Plural(len(games), "game"), args[0])
			return err
		},
	}
	cli.WithFlags(cmd, &o)
	cli.CompleteFrom(cmd, "player", players()...)
	return cmd
}

// openOrNew opens a book to extend it, or returns an empty one if the file does not exist.
func openOrNew(name string) (*book.Book, error) {
	if err := cli.CheckWritable("book", name); err != nil {
		return nil, err
	}
	b, err := book.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return book.New(), nil
	}
	if err != nil {
		err = cli.UsageError("%w", err)
	}
	return b, err
}
