package playcmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
	"github.com/spf13/cobra"
)

const puzzleFindLong = `Find looks through games for positions that teach something, by the exact solution:
where greedy play gives much away, where a rosette stands against a capture, where
neither is best, and where two moves of different character are worth the same. Of
each kind it takes the clearest, no two of them from one game. Of 7 pieces, the two
positions that the page of TD-Ur discusses stand first.

--choices names players whose choices are kept, each with a name of its own if need be,
as in --choices TD-Ur=net:tdur.json@2. Those of players of the program need not be.`

// findOptions are the flags of "ur puzzle find".
type findOptions struct {
	search  puzzle.Search
	table   string
	choices []string
	out     string
}

// newPuzzleFindCommand returns "ur puzzle find".
func newPuzzleFindCommand(env *cli.Env) *cobra.Command {
	var o findOptions
	cmd := &cobra.Command{
		Use:     "find",
		Short:   "Look for puzzles in games, by the exact solution",
		Long:    puzzleFindLong,
		Example: "  ur puzzle find --games 500 -o mine.jsonl\n  ur puzzle --file mine.jsonl",
		Args:    cli.Exactly(0, "no arguments"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), env) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&o.search.Games, "games", 2000, "games to look through")
	flags.IntVar(&o.search.Pieces, "pieces", board.MaxPieces, "pieces of each player, 2 to 7")
	flags.Uint64Var(&o.search.Seed, "seed", 1, "seed of the dice")
	flags.StringVar(&o.search.Player, "player", "brain:classic", "who plays the games, against itself")
	flags.IntVar(&o.search.Each, "each", 5, "puzzles of each kind, at most")
	flags.StringSliceVar(&o.choices, "choices", nil, "`PLAYERS` whose choices are kept beside the puzzles")
	pick.TableFlag(cmd, &o.table)
	flags.StringVarP(&o.out, "output", "o", "", "file to write (default stdout)")
	cli.CompleteFlag(cmd, "player", pick.CompletePlayers(false))
	return cmd
}

// run finds and writes.
func (o *findOptions) run(ctx context.Context, env *cli.Env) (err error) {
	if err := pick.ConfigError(play.CheckChoice("puzzles", o.search.Pieces), nil); err != nil {
		return err
	}
	if o.search.Games < 1 || o.search.Each < 1 {
		return cli.UsageError("--games and --each must be at least 1, got %d and %d", o.search.Games, o.search.Each)
	}
	if _, err := pick.Player(o.search.Player); err != nil {
		return err
	}
	if o.search.Players, err = namedPlayers(o.choices); err != nil {
		return err
	}
	if err := cli.CheckOutput("--output", o.out); err != nil {
		return err
	}
	if o.search.Table, err = pick.Table(ctx, o.table, o.search.Pieces); err != nil {
		return err
	}
	bar := cli.NewProgress(env, o.search.Games, "games")
	o.search.Step = func() { bar.Add(1) } //nolint:errcheck // no player may see it
	puzzles, err := o.search.Find(ctx)
	bar.Clear() //nolint:errcheck // the same
	if err != nil {
		return err
	}
	if o.out == "" {
		return writePuzzles(env.Stdout, puzzles)
	}
	if err := wholefile.Write(o.out, func(w io.Writer) error { return writePuzzles(w, puzzles) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "%d puzzles in %s\n", len(puzzles), o.out)
	return err
}

// namedPlayers parses players of the form NAME=PLAYER, or PLAYER alone.
func namedPlayers(specs []string) (players []puzzle.NamedPlayer, err error) {
	for _, spec := range specs {
		name := spec
		if before, after, named := strings.Cut(spec, "="); named && !strings.Contains(before, ":") { // not search:depth=3
			name, spec = before, after
		}
		p, err := pick.Player(spec)
		if err != nil {
			return nil, err
		}
		players = append(players, puzzle.NamedPlayer{Name: name, Player: p})
	}
	return players, nil
}

// readBounded reads a file of puzzles and rejects one that is too large.
func readBounded(name string) ([]byte, error) {
	const most = 1 << 24
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && len(content) > most {
		err = fmt.Errorf("%s: longer than %d bytes", name, most)
	}
	return content, err
}
