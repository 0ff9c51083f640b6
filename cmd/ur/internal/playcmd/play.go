// Package playcmd implements the commands to play games: play, match and others.
package playcmd

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/tui"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/valuenet"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Commands returns this package's commands.
func Commands(env *cli.Env) []*cobra.Command {
	return []*cobra.Command{
		newPlayCommand(env), newMatchCommand(env),
		newAnalyzeCommand(env), newPuzzleCommand(env),
	}
}

type playOptions struct {
	light, dark   string
	level         int
	pieces        int
	rules         string
	set           *board.Rules // parsed rules
	seed          uint64
	hints, force  bool
	ui            tui.UI
	record, load  string
	resume, offer bool
	programs      pick.Programs
}

func uiFlag(cmd *cobra.Command, ui *tui.UI) {
	forms := []tui.UI{tui.Full, tui.Lines, tui.Words}
	cmd.Flags().StringVar((*string)(ui), "ui", "",
		"`FORM` of the display: "+text.Join(forms, ", ")+" (for a screen reader)")
	cli.CompleteFrom(cmd, "ui", text.List(forms, func(ui tui.UI) string { return string(ui) })...)
}

// inPerson reports whether a user sits at a terminal.
func inPerson(env *cli.Env) bool {
	in, ok := env.Stdin.(*os.File)
	return ok && cli.IsTerminal(env.Stdout) && term.IsTerminal(int(in.Fd()))
}

// fitsScreen reports whether a window has room for the full screen; one of unknown size may have.
func fitsScreen(columns, rows int) bool {
	return columns == 0 || columns >= tui.LeastWidth && rows >= tui.LeastHeight
}

// findUI checks --ui. The default is the full screen on a terminal that has one with room for it, otherwise lines.
func findUI(env *cli.Env, ui tui.UI) (tui.UI, error) {
	able := inPerson(env) && os.Getenv("TERM") != "dumb"
	switch {
	case ui == "" && able && fitsScreen(cli.WindowSize(env.Stdout)):
		return tui.Full, nil
	case ui == "":
		return tui.Lines, nil
	case ui == tui.Full && !able:
		return ui, cli.UsageError("--ui: %q needs a terminal with a cursor (want lines or words)", ui)
	case ui != tui.Full && ui != tui.Lines && ui != tui.Words:
		return ui, cli.UsageError("--ui: unknown form %q (want full, lines or words)", ui)
	}
	return ui, nil
}

// boardStyle is how the board is drawn on stdout.
func boardStyle(env *cli.Env, ui tui.UI) *tui.Style {
	s := tui.NewStyle(cli.WantsColor(env.Stdout), cli.IsTerminal(env.Stdout) && !tui.UTF8())
	s.InWords = ui == tui.Words
	return s
}

func playLong() string {
	return `Play plays one game on the terminal: you against a casual player, or the players of
--level, --light and --dark.

On a terminal of ` + fmt.Sprintf("%d x %d", tui.LeastWidth, tui.LeastHeight) + ` or more the board fills the screen: choose a move by the
arrow keys and Enter, by its number, or with the mouse; ? shows all keys. Otherwise,
and with --ui lines, it is drawn line by line before each of your moves: type the
number of a move, or its notation, as in A3, in-A3 or A3-B1; Enter makes the only
move; ? shows all actions. --ui words describes each position in words, for a screen
reader. A turn without a legal move passes by itself.

A game on a terminal is saved after every move, in "ur/games" of the cache. "ur play"
offers to resume it, and --resume resumes it, even after a kill. "ur analyze --mine" lists
the finished games, and your level. The first game on a full screen begins with an
introduction of three moves.

A hint is the probability in per cent that you win after each move, and its loss
against the best one. It is exact for five pieces or fewer (four where the path has 16
squares), and if there is a table made by "ur solve". Otherwise the built-in net
estimates it.

"ur help players" lists the players.

The seed, which is printed, determines the dice: the same seed gives the same
rolls. --record writes the game in the format of the extension (.txt, .jsonl, .rgn,
.royalur), even if it is quit or interrupted.

Exit codes: 0 the game ended or you quit; 1 the record could not be written;
2 bad usage, or end of input during the game; 130 interrupted.`
}

func newPlayCommand(env *cli.Env) *cobra.Command {
	var o playOptions
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play a game on the terminal",
		Long:  playLong(),
		Example: `  ur play
  ur play --level 3                       a game against a weak player
  ur play --resume                        resume the last game
  ur play --rules blitz                   another rule set
  ur play --light brain --dark human --hints
  ur play --dark human                    two humans at one keyboard
  ur play --light greedy --dark brain --seed 7 --record game.txt`,
		Args: cli.Exactly(0, "no arguments: players are given by --light and --dark"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.checkFlags(cmd, env); err != nil {
				return err
			}
			return runPlay(cmd.Context(), env, o)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.level, "level", 0, "opponent of strength `N`, 1 to 10: short for --dark level:N")
	flags.StringVar(&o.light, "light", session.Person, "player of the light pieces, who moves first")
	flags.StringVar(&o.dark, "dark", play.FirstOpponent, "player of the dark pieces")
	pick.RulesFlag(cmd, &o.rules)
	flags.IntVar(&o.pieces, "pieces", board.FinkelPieces, "pieces of each player, 1 to 7, or as the rules have them")
	flags.Uint64Var(&o.seed, "seed", 0, "seed of the dice (default random, printed)")
	flags.BoolVar(&o.hints, "hints", false, "show the value of each move on every turn of a human")
	flags.BoolVar(&o.resume, "resume", false, "resume the last interrupted game")
	flags.StringVar(&o.load, "load", "", "continue the first game of a `FILE` of records")
	flags.StringVar(&o.record, "record", "", "file to write the game to")
	o.programs.Flag(cmd)
	cli.ForceFlag(cmd, &o.force)
	uiFlag(cmd, &o.ui)
	for _, side := range []string{"light", "dark"} {
		cli.CompleteFlag(cmd, side, pick.CompletePlayers(true))
	}
	cmd.MarkFlagsMutuallyExclusive("level", "dark")
	cmd.MarkFlagsMutuallyExclusive("resume", "load")
	return cmd
}

// checkFlags completes the flags, and reports the first wrong one.
func (o *playOptions) checkFlags(cmd *cobra.Command, env *cli.Env) (err error) {
	changed := cmd.Flags().Changed
	if o.set, err = pick.Rules(cmd, o.rules, &o.pieces); err != nil {
		return err
	}
	if changed("level") {
		if o.level < 1 || o.level > play.MaxLevel {
			return cli.UsageError("--level: %d (want 1 to %d)", o.level, play.MaxLevel)
		}
		o.dark = fmt.Sprintf("level:%d", o.level)
	}
	if o.resume || o.load != "" { // the record names the players
		if !changed("light") {
			o.light = ""
		}
		if !changed("dark") && !changed("level") {
			o.dark = ""
		}
		for _, name := range []string{"rules", "pieces", "seed"} {
			if changed(name) {
				return cli.UsageError("--%s cannot be used with --resume or --load: the game determines it", name)
			}
		}
	}
	if !changed("seed") {
		o.seed = uint64(rand.Uint32()) // short enough to be typed again
	}
	if !changed("dark") && !changed("level") {
		if _, _, err := valuenet.BuiltinFor(o.set); err != nil {
			o.dark = "greedy" // the best player without a net
		}
	}
	o.offer = !slices.ContainsFunc([]string{"level", "light", "dark", "rules", "pieces", "seed", "resume", "load"},
		changed)
	o.ui, err = findUI(env, o.ui)
	return err
}

// sessionSetup returns how the session of the flags begins.
func (o *playOptions) sessionSetup() session.Setup {
	return session.Setup{Players: [2]string{o.light, o.dark}, Rules: o.set, Pieces: o.pieces,
		Seed: o.seed, Hints: o.hints, Parse: o.parsePlayer}
}

// parsePlayer returns a spec's player. A program plays only if a flag names it, not if a saved game, a
// record or a line typed during the game does.
func (o *playOptions) parsePlayer(r *board.Rules, spec string) (play.Player, error) {
	if spec == o.light || spec == o.dark {
		return o.programs.PlayerFor(r, spec)
	}
	return pick.PlayerFor(r, spec)
}
