package main

import (
	"fmt"
	"os"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/reversi/book"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/spf13/cobra"
)

func newBookCommand(env *cli.Env) *cobra.Command {
	return cli.NewGroup("book", "Make and look through books of openings",
		`A book is text: a line for each position, with its moves and their scores. Players take
it by --book FILE.`,
		newBookBuildCommand(env), newBookShowCommand(env), newBookJoinCommand(env))
}

func newBookBuildCommand(env *cli.Env) *cobra.Command {
	var (
		o      playerOptions
		opts   book.Options
		player string
	)
	cmd := &cobra.Command{
		Use:   "build FILE",
		Short: "Play against oneself and add what comes up to a book",
		Long: `Build follows the book's best lines, with some curiosity, to a position that is not in
it; values all its moves; and brings the scores on the way up to date. A book that is
there is gone on with.`,
		Example: `  reversi book build openings.txt --games 1000 --player search:depth=10,exact=0`,
		Args:    cli.Exactly(1, "the file of a book"),
		RunE: func(cmd *cobra.Command, args []string) error {
			with, err := o.env()
			if err != nil {
				return err
			}
			if opts.Player, err = reversi.ParsePlayer(player, with); err != nil {
				return cli.UsageError("--player: %w", err)
			}
			if _, ok := opts.Player.(*reversi.Thinker); !ok {
				return cli.UsageError("--player %s: it does not value moves: want a level or search:", player)
			}
			if opts.Games < 1 || opts.Discs < 5 || opts.Discs > 60 || !(opts.Curious > 0) {
				return cli.UsageError("--games %d --discs %d --curious %v: want at least 1 game, 5 to 60 discs, and more than 0", opts.Games, opts.Discs, opts.Curious)
			}
			if err := cli.CheckOutput("book", args[0]); err != nil {
				return err
			}
			b := book.New()
			if _, err := os.Stat(args[0]); err == nil {
				if b, err = readBook(args[0]); err != nil {
					return cli.UsageError("%s: %w", args[0], err)
				}
			}
			before := b.Len()
			bar := cli.NewProgress(env, opts.Games, "games")
			opts.Report = func(n int) { bar.Set(n) }
			err = b.Build(cmd.Context(), opts)
			bar.Finish()
			if err != nil && cmd.Context().Err() == nil {
				return err
			}
			if err := writeFile(args[0], b.Write); err != nil {
				return err
			}
			fmt.Fprintf(env.Stdout, "%s in %s, %d of them new\n", text.Plural(b.Len(), "position"), args[0], b.Len()-before)
			if cmd.Context().Err() != nil {
				return cli.ErrInterrupted
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&opts.Games, "games", 200, "how many `games`; each adds a position")
	f.StringVar(&player, "player", "search:depth=8,exact=0", "who values positions: `P`")
	f.IntVar(&opts.Discs, "discs", 24, "no positions with more `discs`")
	f.Float64Var(&opts.Curious, "curious", 1.5, "try moves that are at most so many `discs` worse than the best")
	f.Uint64Var(&opts.Seed, "seed", 1, "`seed` of what is tried")
	o.add(cmd)
	cli.CompleteFlag(cmd, "player", completePlayers)
	return cmd
}

func newBookShowCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "show FILE [MOVES]",
		Short:   "Print what a book knows behind some moves",
		Example: `  reversi book show openings.txt f5d6`,
		Args:    cli.Between(1, 2, "the file of a book, and moves such as f5d6c3"),
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := readBook(args[0])
			if err != nil {
				return cli.UsageError("%s: %w", args[0], err)
			}
			r := board.Record{From: board.StartPosition()}
			if len(args) == 2 {
				if r, err = board.ParseRecord(r.From, args[1]); err != nil {
					return cli.UsageError("%s: %w", args[1], err)
				}
			}
			fmt.Fprintf(env.Stdout, "%s in the book\n", text.Plural(b.Len(), "position"))
			for _, h := range b.Moves(r.End().Board) {
				fmt.Fprintf(env.Stdout, "%s  %+.2f\n", h.Square, h.Score)
			}
			return nil
		},
	}
}

func newBookJoinCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "join OUT FILE...",
		Short: "Write one book of several; of a position in two the later file's line holds",
		Args:  cli.Between(2, 64, "a file to write and books to read"),
		RunE: func(_ *cobra.Command, args []string) error {
			all := book.New()
			for _, name := range args[1:] {
				b, err := readBook(name)
				if err != nil {
					return cli.UsageError("%s: %w", name, err)
				}
				all.Join(b)
			}
			if err := cli.CheckOutput("book", args[0]); err != nil {
				return err
			}
			if err := writeFile(args[0], all.Write); err != nil {
				return err
			}
			_, err := fmt.Fprintf(env.Stdout, "%s in %s\n", text.Plural(all.Len(), "position"), args[0])
			return err
		},
	}
}
