package playcmd

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
	"github.com/spf13/cobra"
)

const puzzleFindLong = `Find searches games for instructive positions, by the exact solution: those with a
large regret of greedy play, a choice between a rosette and a capture, a better move
than both, or two equally good moves of different character. It selects the clearest
of each kind, at most one from a game. With 7 pieces, the two positions that the page
of TD-Ur discusses come first.

--choices names players whose choices are stored, with a display name if needed, as in
--choices TD-Ur=net:tdur.json@2. Choices of built-in players need not be stored.`

// findOptions are the flags of "ur puzzle find".
type findOptions struct {
	search  puzzle.Finder
	table   string
	rules   string
	choices []string
	out     string
	force   bool
}

// newPuzzleFindCommand returns "ur puzzle find".
func newPuzzleFindCommand(env *cli.Env) *cobra.Command {
	var o findOptions
	cmd := &cobra.Command{
		Use:     "find",
		Short:   "Find puzzles in games by the exact solution",
		Long:    puzzleFindLong,
		Example: "  ur puzzle find --games 500 -o mine.jsonl\n  ur puzzle --file mine.jsonl\n  ur puzzle find --rules blitz -o blitz.jsonl",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.search.Rules, err = pick.Rules(cmd, o.rules, &o.search.Pieces); err != nil {
				return err
			}
			if o.search.Rules != nil && !cmd.Flags().Changed("player") {
				o.search.Player = "greedy"
			}
			return o.run(cmd.Context(), env)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.search.Games, "games", 2000, "games to search")
	pick.RulesFlag(cmd, &o.rules)
	flags.IntVar(&o.search.Pieces, "pieces", board.MaxPieces, "pieces of each player, 2 to 7, or as the rules have them")
	flags.Uint64Var(&o.search.Seed, "seed", 1, "seed of the dice")
	flags.StringVar(&o.search.Player, "player", "brain:classic", "player of the games, against itself (under other rules than Finkel's: greedy)")
	flags.IntVar(&o.search.Each, "each", 5, "maximum number of puzzles of each kind")
	flags.StringSliceVar(&o.choices, "choices", nil, "`PLAYERS` whose choices are stored with the puzzles")
	pick.TableFlag(cmd, &o.table)
	flags.StringVarP(&o.out, "output", "o", "", "file to write (default stdout)")
	cli.ForceFlag(cmd, &o.force)
	cli.CompleteFlag(cmd, "player", pick.CompletePlayers(false))
	return cmd
}

// run finds and writes.
func (o *findOptions) run(ctx context.Context, env *cli.Env) (err error) {
	if err := pick.ConfigError(play.CheckChoice("puzzles", min(o.search.Pieces, board.MaxPieces)), nil); err != nil {
		return err
	}
	if o.search.Games < 1 || o.search.Each < 1 {
		return cli.UsageError("--games and --each must be at least 1, got %d and %d", o.search.Games, o.search.Each)
	}
	if _, err := pick.PlayerFor(o.search.Rules, o.search.Player); err != nil {
		return err
	}
	if o.search.Players, err = namedPlayers(o.search.Rules, o.choices); err != nil {
		return err
	}
	if err := cli.CheckOutput("--output", o.out, o.force); err != nil {
		return err
	}
	if o.search.Table, err = pick.RankedTable(ctx, o.table, o.search.Rules, o.search.Pieces); err != nil {
		return err
	}
	bar := cli.NewProgress(env, o.search.Games, "games")
	o.search.Step = func() { bar.Add(1) }
	puzzles, err := o.search.Find(ctx)
	bar.Clear()
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

// namedPlayers parses players of a rule set, nil for Finkel's, of the form NAME=PLAYER, or PLAYER
// alone.
func namedPlayers(r *rules.Rules, specs []string) (players []puzzle.NamedPlayer, err error) {
	for _, spec := range specs {
		name := spec
		if before, after, named := strings.Cut(spec, "="); named && !strings.Contains(before, ":") { // not search:depth=3
			name, spec = before, after
		}
		p, err := pick.PlayerFor(r, spec)
		if err != nil {
			return nil, err
		}
		players = append(players, puzzle.NamedPlayer{Name: name, Player: p})
	}
	return players, nil
}
