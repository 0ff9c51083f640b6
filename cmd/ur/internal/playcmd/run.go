package playcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/tui"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/solve"
)

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
	form, err := recordForm(o.record, "text", o.force)
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
	if err := o.programs.Check(players[:]...); err != nil {
		return err
	}
	err = r.playGame()
	if o.record == "" {
		return err
	}
	if fault := record.WriteFile(o.record, form, r.session.Record()); fault != nil {
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
	case r.options.resume:
		store, games, err := savedGames(r.env, session.DefaultStore)
		if err != nil {
			return err
		}
		if len(games) == 0 {
			return cli.UsageError("--resume: no saved game in %s (start one with \"ur play\")", store.Folder)
		}
		return r.openSession(store, games[0].File, r.options.sessionSetup())
	case r.options.load != "":
		file, err := pick.Games(r.env, r.options.load, "")
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
	r.kept = kept
	return r.loadGame(game, setup)
}

// loadGame resumes a game, between its players unless the setup names others; without one it begins a
// game. The error names the flag of a player unable to play.
func (r *playRun) loadGame(game *record.Game, setup session.Setup) (err error) {
	if game == nil {
		r.session, err = session.New(r.ctx, setup)
	} else {
		r.session, err = session.Load(r.ctx, game, setup)
	}
	if refused, ok := errors.AsType[*session.PlayerError](err); ok {
		return fmt.Errorf("--%s: %w", refused.Side, refused.Err)
	}
	return err
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
			err := r.openSession(store, saved.File, session.Setup{Hints: r.options.hints, Parse: r.options.parsePlayer})
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
	ui := r.options.ui
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
			fmt.Fprint(out, " Go on with: ur play --resume")
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
