// Package playcmd implements the commands to play games: play, match and others.
package playcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/tui"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/solve"
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
	Level    int    `flag:"level" help:"opponent of strength <N>, 1 to 10: short for --dark level:N" unless:"dark"`
	Light    string `flag:"light" help:"player of the light pieces, who moves first"`
	Dark     string `flag:"dark" help:"player of the dark pieces"`
	Rules    pick.Rules
	Seed     uint64 `flag:"seed" help:"seed of the dice (default random, printed)"`
	Hints    bool   `flag:"hints" help:"show the value of each move on every turn of a human"`
	Resume   bool   `flag:"resume" help:"resume the last interrupted game" unless:"load"`
	Load     string `flag:"load" help:"continue the first game of a <FILE> of records"`
	Record   string `flag:"record" help:"file to write the game to"`
	Programs pick.Programs
	cli.Overwrite
	UI tui.UI `flag:"ui" values:"full,lines,words" help:"<FORM> of the display: full, lines, words (for a screen reader)"`

	offer bool // to resume a game
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
	o := playOptions{Light: session.Person, Dark: play.FirstOpponent}
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
	cli.WithFlags(cmd, &o)
	for _, side := range []string{"light", "dark"} {
		cli.CompleteFlag(cmd, side, pick.CompletePlayers(true))
	}
	return cmd
}

// checkFlags completes the flags, and reports the first wrong one.
func (o *playOptions) checkFlags(cmd *cobra.Command, env *cli.Env) (err error) {
	changed := cmd.Flags().Changed
	if changed("level") {
		if o.Level < 1 || o.Level > play.MaxLevel {
			return cli.UsageError("--level: %d (want 1 to %d)", o.Level, play.MaxLevel)
		}
		o.Dark = fmt.Sprintf("level:%d", o.Level)
	}
	if o.Resume || o.Load != "" { // the record names the players
		if !changed("light") {
			o.Light = ""
		}
		if !changed("dark") && !changed("level") {
			o.Dark = ""
		}
		for _, name := range []string{"rules", "pieces", "seed"} {
			if changed(name) {
				return cli.UsageError("--%s cannot be used with --resume or --load: the game determines it", name)
			}
		}
	}
	if !changed("seed") {
		o.Seed = uint64(rand.Uint32()) // short enough to be typed again
	}
	if !changed("dark") && !changed("level") {
		if _, _, err := valuenet.BuiltinFor(o.Rules.Set); err != nil {
			o.Dark = "greedy" // the best player without a net
		}
	}
	o.offer = !slices.ContainsFunc([]string{"level", "light", "dark", "rules", "pieces", "seed", "resume", "load"},
		changed)
	o.UI, err = findUI(env, o.UI)
	return err
}

// sessionSetup returns how the session of the flags begins.
func (o *playOptions) sessionSetup() session.Setup {
	return session.Setup{Players: [2]string{o.Light, o.Dark}, Rules: o.Rules.Set, Pieces: o.Rules.Pieces,
		Seed: o.Seed, Hints: o.Hints, Parse: o.parsePlayer}
}

// parsePlayer returns a spec's player. A program plays only if a flag names it, not if a saved game, a
// record or a line typed during the game does.
func (o *playOptions) parsePlayer(r *board.Rules, spec string) (play.Player, error) {
	if spec == o.Light || spec == o.Dark {
		return o.Programs.PlayerFor(r, spec)
	}
	return pick.PlayerFor(r, spec)
}

type playRun struct {
	ctx      context.Context
	env      *cli.Env
	options  playOptions
	inPerson bool // a user sits at a terminal

	session *session.Session
	kept    *session.SavedGame // nil: nothing was saved yet
	unsaved error              // the last save's error
}

// runPlay plays a game, shows it and records it. Unless the flags describe a new game, it may
// offer to resume a saved one.
func runPlay(ctx context.Context, env *cli.Env, o playOptions) error {
	form, err := recordForm(o.Record, "text", o.Force)
	if err != nil {
		return err
	}
	r := &playRun{ctx: ctx, env: env, options: o, inPerson: inPerson(env)}
	defer r.unlockGame()
	if err := r.beginGame(); err != nil {
		return err
	}
	defer func() { pick.ClosePrograms(r.session.Player(board.Light), r.session.Player(board.Dark)) }()
	players := [2]play.Player{r.session.Player(board.Light), r.session.Player(board.Dark)}
	pick.Warn(env, players[:]...)
	if err := o.Programs.Check(players[:]...); err != nil {
		return err
	}
	err = r.playGame()
	if o.Record == "" {
		return err
	}
	if fault := record.WriteFile(o.Record, form, r.session.Record()); fault != nil {
		fmt.Fprintf(env.Stderr, "ur: --record: %v\n", fault)
		err = cmp.Or(err, errors.New("the game was not recorded"))
	}
	return err
}

// unlockGame lets other processes have the game.
func (r *playRun) unlockGame() {
	if r.kept == nil {
		return
	}
	if err := r.kept.Close(); err != nil {
		fmt.Fprintf(r.env.Stderr, "ur play: %v\n", err)
	}
}

func (r *playRun) beginGame() (err error) {
	switch {
	case r.options.Resume:
		store, games, err := savedGames(r.env, session.DefaultStore)
		if err != nil {
			return err
		}
		if len(games) == 0 {
			return cli.UsageError("--resume: no saved game in %s (start one with \"ur play\")", store.Folder)
		}
		return r.openSession(store, games[0].File, r.options.sessionSetup())
	case r.options.Load != "":
		file, err := pick.Games(r.env, r.options.Load, "")
		if err != nil {
			return cli.UsageError("--load: %w", err)
		}
		return file.Each(1, func(_ int, g *record.Game) error { return r.loadGame(g, r.options.sessionSetup()) })
	}
	return r.loadGame(nil, r.options.sessionSetup())
}

// savedGames returns the readable games of a store, the latest first. It warns on stderr about the
// others.
func savedGames(env *cli.Env, open func() (session.Store, error)) (session.Store, []session.Saved, error) {
	store, err := open()
	if err != nil {
		return store, nil, err
	}
	games, err := store.List()
	games = slices.DeleteFunc(games, func(g session.Saved) bool {
		if g.Fault != nil {
			fmt.Fprintf(env.Stderr, "ur: passed over: %v\n", g.Fault)
		}
		return g.Fault != nil
	})
	return store, games, err
}

func (r *playRun) openSession(store session.Store, file string, setup session.Setup) error {
	kept, game, err := store.Open(file)
	if err != nil {
		return err
	}
	if err := r.loadGame(game, setup); err != nil {
		return errors.Join(err, kept.Close()) // another game must not be saved in its place
	}
	r.kept = kept
	return nil
}

// resumeCommand returns the command to resume the last game of two players. A program plays only if a flag names it.
func resumeCommand(players [2]string) string {
	command := "ur play --resume"
	for side, spec := range players {
		if play.RunsProgram(spec) {
			command += fmt.Sprintf(" --%s %s", board.Side(side), process.QuoteWord(spec))
		}
	}
	return text.Plain(command)
}

// loadGame resumes a game, between its players unless the setup names others; without one it begins a
// game. The error names the flag of a player unable to play.
func (r *playRun) loadGame(game *record.Game, setup session.Setup) (err error) {
	if game == nil {
		r.session, err = session.New(r.ctx, setup)
	} else {
		r.session, err = session.Load(r.ctx, game, setup)
	}
	refused, ok := errors.AsType[*session.PlayerError](err)
	if !ok {
		return err
	}
	if _, program := errors.AsType[*play.ProgramRefusedError](err); program && game != nil {
		if spec := game.Players[refused.Side]; play.RunsProgram(spec) {
			return cli.UsageError("--%s: player %q runs a program, which only a flag starts (want --%[1]s %[3]s, or another player)",
				refused.Side, spec, process.QuoteWord(spec))
		}
	}
	return fmt.Errorf("--%s: %w", refused.Side, refused.Err)
}

// saveGame saves the game as it is now, where a person plays it at a terminal or it was saved before. A
// finished game joins the games of "ur analyze --mine", if it has a turn: there is nothing to
// resume.
func (r *playRun) saveGame(s *session.Session) (err error) {
	defer func() { r.unsaved = err }()
	players := s.Players()
	if r.kept == nil && !(r.inPerson && slices.Contains(players[:], session.Person)) {
		return nil
	}
	var store session.Store
	begun, over := len(s.Steps()) > 0, s.Phase() == session.Over
	if begun && !over && r.kept == nil {
		if store, err = session.DefaultStore(); err == nil {
			r.kept, err = store.New(time.Now())
		}
	}
	switch {
	case err != nil:
		return err
	case begun && !over:
		return r.kept.Save(s.Snapshot())
	case begun:
		if store, err = session.FinishedStore(); err == nil {
			err = store.Finish(s.Record(), time.Now())
		}
	}
	if r.kept != nil && err == nil {
		err = r.kept.Forget()
	}
	return err
}

// offerResume offers to resume the game interrupted last, if there is one.
func (r *playRun) offerResume() *tui.Offer {
	store, games, err := savedGames(r.env, session.DefaultStore)
	if err != nil || len(games) == 0 {
		return nil // an unreadable directory must not prevent a game
	}
	saved := games[0]
	g, under := saved.Game, ""
	if !g.Rules.IsFinkel() {
		under = ", " + g.Rules.Title()
	}
	return &tui.Offer{
		Text: fmt.Sprintf("Saved game: %s against %s%s, %s, %s.", text.Plain(g.Players[0]),
			text.Plain(g.Players[1]), under, text.Plural(len(g.Turns), "turn"), saved.Time.Format("2 Jan 15:04")),
		GoOn: func() (*session.Session, error) {
			if slices.ContainsFunc(g.Players[:], play.RunsProgram) { // shorter than the refusal, for a screen
				return nil, errors.New("a program needs its flag: " + resumeCommand(g.Players))
			}
			err := r.openSession(store, saved.File, session.Setup{Hints: r.options.Hints, Parse: r.options.parsePlayer})
			return r.session, err
		},
		Forget: func() error {
			kept, _, err := store.Open(saved.File)
			if err != nil {
				return err // another process has resumed it
			}
			return errors.Join(kept.Forget(), kept.Close())
		},
	}
}

// showIntroduction shows the introduction before the first game. The file "introduced" in the folder "ur" of
// the cache ends the introductions; without a cache there is none.
func (r *playRun) showIntroduction() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	file := filepath.Join(cache, "ur", "introduced")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	err = tui.RunQuiz(r.ctx, boardStyle(r.env, tui.Full), tui.Introduction(), r.env, tui.Full)
	if os.MkdirAll(filepath.Dir(file), 0o777) == nil {
		_ = os.WriteFile(file, nil, 0o666) // an error only brings the introduction back
	}
	return err
}

// playGame plays the game until it ends or the user leaves.
func (r *playRun) playGame() (err error) {
	ui := r.options.UI
	c := tui.Config{Session: r.session, Style: boardStyle(r.env, ui), Save: r.saveGame, Script: !r.inPerson}
	if r.options.offer && r.inPerson {
		c.Offer = r.offerResume()
	}
	if ui == tui.Full {
		r.ctx = solve.WithProgress(r.ctx, nil) // a progress bar would be drawn over the board
		if r.options.offer && c.Offer == nil {
			if err := r.showIntroduction(); err != nil {
				return err
			}
		}
	}
	r.session, err = tui.Run(r.ctx, c, r.env, ui)
	over := r.session.Phase() == session.Over
	switch out := r.env.Stdout; {
	case ui != tui.Full && over:
	case ui != tui.Full && err != nil:
		fmt.Fprintln(out)
	case err != nil && !errors.Is(err, cli.ErrInterrupted):
	case over:
		fmt.Fprintf(out, "%s Seed %d.\n", r.session.ResultText(), r.session.Setup().Seed)
	default:
		fmt.Fprintf(out, "\nYou quit after %s, seed %d.", text.Plural(len(r.session.Steps()), "turn"),
			r.session.Setup().Seed)
		switch turns := len(r.session.Steps()); {
		case r.unsaved != nil:
			fmt.Fprintf(out, " The game is not saved: %v.", r.unsaved)
		case r.kept != nil && turns > 0:
			fmt.Fprint(out, " Go on with: "+resumeCommand(r.session.Players()))
		}
		fmt.Fprintln(out)
	}
	return err
}

// recordForm returns the format of a record file from its extension, or the default without
// one. It checks before the first game that the file can be written; "" is none.
func recordForm(file, usual string, force bool) (record.Format, error) {
	if file == "" {
		return record.Format{}, nil
	}
	form, err := record.FormatOf(file)
	if filepath.Ext(file) == "" {
		form, err = record.LookupFormat(usual)
	}
	if err != nil {
		return form, cli.UsageError("--record: %w", err)
	}
	return form, cli.CheckOutput("--record", file, force)
}
