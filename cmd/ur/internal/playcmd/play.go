package playcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

// playOptions are the flags of "ur play".
type playOptions struct {
	light, dark string
	pieces      int
	seed        uint64
	hints       bool
	record      string
}

var playLong = `Play plays one game on the terminal: you against the built-in net, unless
--light and --dark say otherwise.

The board is drawn before each of your moves. On every tile that a move can reach
stands the number of that move; type it. ? shows the rules, h what each move is
worth, q quits. A turn without a legal move passes by itself.

Where a table of the exact solution is at hand, as "ur solve" makes it, a hint is
how likely you win after each move in per cent, and what it loses against the
best one. Else it is the same in the eyes of the net that plays, or what the brain
that plays makes of the moves; where neither plays, the built-in net is asked.

A player is one of
` + pick.PlayersHelp() + `

Without a human every turn is printed and the game plays itself.

The dice follow from the seed, which is printed: the same seed gives the same
rolls again. --record writes the game as text, one line a turn, also when it is
quit or interrupted.

Exit codes: 0 the game ended or you quit; 1 the record could not be written;
2 bad usage, or the input ended in the middle of the game; 130 interrupted.`

// newPlayCommand returns "ur play".
func newPlayCommand(env *cli.Env) *cobra.Command {
	var o playOptions
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play a game on the terminal",
		Long:  playLong,
		Example: `  ur play
  ur play --light brain --dark human --hints
  ur play --dark human                    two humans at one keyboard
  ur play --light greedy --dark brain --seed 7 --record game.txt`,
		Args:              cli.Exactly(0, "no arguments: players are given by --light and --dark"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("seed") {
				o.seed = uint64(rand.Uint32()) // short enough to be typed again
			}
			return runPlay(cmd.Context(), env, o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.light, "light", pick.Human, "the player of the light pieces, who begins")
	flags.StringVar(&o.dark, "dark", "net", "the player of the dark pieces")
	flags.IntVar(&o.pieces, "pieces", board.MaxPieces, "pieces of each player, 1 to 7")
	flags.Uint64Var(&o.seed, "seed", 0, "seed of the dice (default drawn at random, and printed)")
	flags.BoolVar(&o.hints, "hints", false, "show what each move is worth on every turn of a human")
	flags.StringVar(&o.record, "record", "", "file to write the game to")
	cli.CompleteFlag(cmd, "light", pick.CompletePlayers(true))
	cli.CompleteFlag(cmd, "dark", pick.CompletePlayers(true))
	return cmd
}

// runPlay plays a game, shows it and records it.
func runPlay(ctx context.Context, env *cli.Env, o playOptions) error {
	players, err := o.players()
	if err != nil {
		return err
	}
	pick.Warn(env, players[:]...)
	if err := o.prepare(ctx, players); err != nil {
		return err
	}
	if err := o.seatHumans(ctx, env, players); err != nil {
		return err
	}
	g := play.Game{Seed: o.seed, Pieces: o.pieces}
	if g.Seats, err = takeSeats(players); err != nil {
		return err
	}
	show := newScreen(env, players)
	record, err := startRecord(env, o.record, g, show.players)
	if err != nil {
		return err
	}
	last := board.StartPosition(o.pieces)
	g.Observe = func(t *play.Turn) {
		last = t.Next
		show.turn(t)
		record.turn(t)
	}
	show.intro(g)
	tally, err := g.Play(ctx)
	switch {
	case err == nil:
		show.result(last, tally.Turns)
	case errors.Is(err, errQuit):
		show.printf("\nYou quit after %s.\n", text.Plural(tally.Turns, "turn"))
		err = nil
	case ctx.Err() != nil:
		show.printf("\n")
		err = cli.ErrInterrupted
	default:
		show.printf("\n")
	}
	return record.end(tally, err)
}

// players returns the players of both sides. Humans share one keyboard.
func (o playOptions) players() (players [2]play.Player, err error) {
	if err := board.CheckPieces(o.pieces); err != nil {
		return players, cli.UsageError("--pieces: %w", err)
	}
	keys := &keyboard{hints: o.hints}
	for side, spec := range [2]string{o.light, o.dark} {
		if spec == pick.Human {
			players[side] = keys
			continue
		}
		if players[side], err = pick.Player(spec); err != nil {
			return players, cli.UsageError("--%s: %w", board.Side(side), err)
		}
	}
	return players, nil
}

// seatHumans gives those who play at the keyboard what they need: a screen, what they
// type, and somebody to ask for hints.
func (o playOptions) seatHumans(ctx context.Context, env *cli.Env, players [2]play.Player) (err error) {
	for _, p := range players {
		keys, isHuman := p.(*keyboard)
		if !isHuman || keys.screen != nil {
			continue
		}
		keys.screen = newScreen(env, players)
		keys.in = bufio.NewReader(cli.NewContextReader(ctx, env.Stdin))
		if keys.adviser, err = newAdviser(ctx, env.Stderr, o.pieces, players); err != nil {
			return err
		}
	}
	return nil
}

// prepare gets ready what the players need, so that it is not missed in mid-game.
func (o playOptions) prepare(ctx context.Context, players [2]play.Player) error {
	for side, p := range players {
		if err := play.Prepare(ctx, o.pieces, p); err != nil {
			return fmt.Errorf("--%s: %w", board.Side(side), err)
		}
	}
	return nil
}

// newScreen returns the screen on stdout.
func newScreen(env *cli.Env, players [2]play.Player) *screen {
	s := &screen{out: env.Stdout, paint: boardview.NewStyle(cli.WantsColor(env.Stdout), false)}
	for side, p := range players {
		if p != nil {
			s.players[side] = p.Name()
		}
	}
	return s
}

// takeSeats seats both players on the fastest engine.
func takeSeats(players [2]play.Player) (seats [2]play.Seat, err error) {
	for side, p := range players {
		if seats[side], err = p.Sit(engine.Fastest()); err != nil {
			return seats, fmt.Errorf("--%s: %w", board.Side(side), err)
		}
	}
	return seats, nil
}
