package solvecmd

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/spf13/cobra"
)

const bookLong = `A book has opening positions with scored moves, for players such as
search:depth=3,book=FILE. "ur show BOOK" prints it.`

func newBookCommand(env *cli.Env) *cobra.Command {
	return cli.NewGroup("book", "Build and improve opening books", bookLong, newBookBuildCommand(env),
		newBookLearnCommand(env))
}

// bookFile is the book to write.
type bookFile struct {
	Output string `flag:"output,o" help:"<FILE> of the book to write"`
	cli.Overwrite
}

type buildOptions struct {
	File   bookFile
	Plies  int     `flag:"plies" default:"2" help:"depth of the book in plies, 1 to 8"`
	Margin float64 `flag:"margin" default:"2" help:"largest loss of a move to follow, in percentage points"`
}

func newBookBuildCommand(env *cli.Env) *cobra.Command {
	var o buildOptions
	return cli.WithFlags(&cobra.Command{
		Use:   "build [P] -o FILE",
		Short: "Search the first moves of the game",
		Long: `Build scores every move of the first plies by a player that searches, for every roll,
and continues after moves that are worse than the best by at most --margin. An
interrupted run writes the moves scored so far.`,
		Example: "  ur book build -o ur.book\n  ur book build search:depth=4,leaf=brain -o ur.book --plies 3",
		Args:    cli.Between(0, 1, "one player at most"),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec := "search:depth=3"
			if len(args) > 0 {
				spec = args[0]
			}
			return o.buildBook(cmd.Context(), env, spec)
		},
	}, &o)
}

func (f *bookFile) check() error {
	if f.Output == "" {
		return cli.UsageError("-o is missing (want the file to write)")
	}
	return cli.CheckOutput("-o", f.Output, f.Force)
}

// maxBookPlies keeps a book from taking years: each ply has some ten times the positions of the
// one before.
const maxBookPlies = 8

func (o *buildOptions) buildBook(ctx context.Context, env *cli.Env, spec string) error {
	switch {
	case o.Plies < 1 || o.Plies > maxBookPlies:
		return cli.UsageError("--plies must be 1 to %d, got %d", maxBookPlies, o.Plies)
	case !(o.Margin >= 0 && o.Margin <= 100):
		return cli.UsageError("--margin must be 0 to 100, got %v", o.Margin)
	}
	if err := o.File.check(); err != nil {
		return err
	}
	p, err := pick.Player(spec)
	if err != nil {
		return err
	}
	player, ok := p.Source.(play.Search)
	if !ok || player.Limits.Depth == 0 {
		return cli.UsageError("player %q does not search to a depth (want one as in search:depth=3)", spec)
	}
	b, err := search.NewBook(play.BookGame(board.Finkel()))
	if err != nil {
		return err
	}
	wait := cli.NewWait(env, "searching the positions of the book")
	err = player.NewSearcher().FillBook(ctx, b, board.StartPosition(board.FinkelPieces), search.Fill{
		Plies: o.Plies, Margin: search.Value(o.Margin / 100 * float64(2*search.MaxValue)), Limits: player.Limits,
	})
	wait.Clear()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return errors.Join(err, o.File.write(b))
}

func (f *bookFile) write(b *search.Book) error {
	return safefile.Write(f.Output, func(w io.Writer) error { _, err := b.WriteTo(w); return err })
}

func newBookLearnCommand(env *cli.Env) *cobra.Command {
	var o bookFile
	return cli.WithFlags(&cobra.Command{
		Use:   "learn BOOK RECORDS... -o FILE",
		Short: "Count the results of games for the moves of a book",
		Long: `Learn counts the results of recorded games: players then prefer the book moves that win
more. A move that won all of n games gains n/(n+4) of five percentage points of the
probability to win, and a move that lost them loses as much.`,
		Example: "  ur book learn ur.book games.jsonl -o learned.book",
		Args:    cli.Between(2, math.MaxInt, "a book and files of records"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			b, err := search.OpenBook(args[0], play.BookGame(board.Finkel()))
			if err != nil {
				return cli.UsageError("%w", err)
			}
			for _, name := range args[1:] {
				games, err := pick.Games(env, name, "")
				if err != nil {
					return err
				}
				if err := games.Each(0, func(n int, g *record.Game) error {
					if !g.Rules.IsFinkel() {
						return cli.UsageError("%s: game %d is of the rule set %q (want Finkel's rules)", name, n, g.Rules.Name())
					}
					return learnGame(b, g)
				}); err != nil {
					return err
				}
			}
			return o.write(b)
		},
	}, &o)
}

// learnGame adds the result of a finished game to the book moves made in it.
func learnGame(b *search.Book, g *record.Game) error {
	winner, won := g.Result.Winner()
	if !won {
		return nil
	}
	var failed error
	_, err := g.Replay(func(s *record.Step) {
		key := play.BookKey(board.Finkel(), s.Position, s.Roll)
		if failed != nil || len(s.Moves) < 2 || b.Moves(key) == nil {
			return
		}
		result := -1
		if s.Side() == winner {
			result = 1
		}
		failed = b.Learn(key, s.Move().From, result)
	})
	return errors.Join(err, failed)
}
