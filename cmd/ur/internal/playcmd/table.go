package playcmd

import (
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
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/solve"
)

// table is where a game is played and saved.
type table struct {
	ctx      context.Context
	env      *cli.Env
	options  playOptions
	inPerson bool // a user sits at a terminal

	session *session.Session
	kept    *session.SavedGame // nil: nothing was saved yet
}

// runPlay plays a game, shows it and records it. Unless the flags describe a new game, it may
// offer to resume a saved one.
func runPlay(ctx context.Context, env *cli.Env, o playOptions) error {
	form, err := recordForm(o.record, "text", o.force)
	if err != nil {
		return err
	}
	t := &table{ctx: ctx, env: env, options: o, inPerson: inPerson(env)}
	if err := t.begin(); err != nil {
		return t.leave(err)
	}
	for side := range board.Dark + 1 {
		pick.Warn(env, t.session.Player(side))
	}
	return t.end(form, t.play())
}

// begin begins a saved game, a game from a file or a new one.
func (t *table) begin() (err error) {
	switch {
	case t.options.resume:
		store, games, err := savedGames(t.env, session.DefaultStore)
		if err != nil {
			return err
		}
		if len(games) == 0 {
			return cli.UsageError("--resume: no saved game in %s (start one with \"ur play\")", store.Folder)
		}
		return t.open(store, games[0].File, t.options.setup())
	case t.options.load != "":
		file, err := pick.Games(t.env, t.options.load)
		if err != nil {
			return cli.UsageError("--load: %w", err)
		}
		return file.Each(1, func(_ int, g *record.Game) error { return t.load(g, t.options.setup()) })
	}
	t.session, err = session.New(t.ctx, t.options.setup())
	return playerError(err)
}

// playerError names the flag of a player that cannot play.
func playerError(err error) error {
	if refused, ok := errors.AsType[*session.PlayerError](err); ok {
		return fmt.Errorf("--%s: %w", refused.Side, refused.Err)
	}
	return err
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
		if g.Unhashed {
			fmt.Fprintf(env.Stderr, "ur: %s has no hash, so damage to its names goes unnoticed\n", g.File)
		}
		return g.Fault != nil
	})
	return store, games, err
}

// open resumes a game of the store.
func (t *table) open(store session.Store, file string, setup session.Setup) error {
	kept, game, err := store.Open(file)
	if err != nil {
		return err
	}
	t.kept = kept
	return t.load(game, setup)
}

// load resumes a game, between its players unless the setup names others.
func (t *table) load(game *record.Game, setup session.Setup) (err error) {
	t.session, err = session.Load(t.ctx, game, setup)
	return playerError(err)
}

// save saves the game as it is now, where a person plays it at a terminal or it was saved before. A
// game that has ended joins those of "ur analyze --mine", if it has a turn: there is nothing to
// resume.
func (t *table) save(s *session.Session) (err error) {
	players := s.Players()
	if t.kept == nil && !(t.inPerson && slices.Contains(players[:], session.Person)) {
		return nil
	}
	var store session.Store
	switch begun := len(s.Steps()) > 0; {
	case begun && s.Phase() == session.Over:
		if store, err = session.FinishedStore(); err == nil {
			err = store.Finish(s.Record(), time.Now())
		}
	case begun:
		if t.kept == nil {
			if store, err = session.DefaultStore(); err == nil {
				t.kept, err = store.New(time.Now())
			}
		}
		if err == nil {
			err = t.kept.Save(s.Snapshot())
		}
		return err
	}
	if t.kept != nil {
		err = errors.Join(err, t.kept.Forget())
	}
	return err
}

// offer offers to resume the game that was interrupted last, if there is one.
func (t *table) offer() *tui.Offer {
	store, games, err := savedGames(t.env, session.DefaultStore)
	if err != nil || len(games) == 0 {
		return nil // an unreadable directory must not prevent a game
	}
	saved := games[0]
	g, under := saved.Game, ""
	if !g.Rules.IsFinkel() {
		under = ", " + g.Rules.Title()
	}
	return &tui.Offer{
		Text: fmt.Sprintf("Saved game: %s against %s%s, %s, %s.", text.Plain(g.Players[0]), text.Plain(g.Players[1]), under, text.Plural(len(g.Turns), "turn"), saved.Time.Format("2 Jan 15:04")),
		GoOn: func() (*session.Session, error) {
			err := t.open(store, saved.File, session.Setup{Hints: t.options.hints, Parse: pick.PlayerFor})
			return t.session, err
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

// introduce shows the introduction before the first game. The file "introduced" in the folder "ur" of
// the cache ends the introductions; without a cache there is none.
func (t *table) introduce() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	file := filepath.Join(cache, "ur", "introduced")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	err = tui.RunQuiz(t.ctx, style(t.env, tui.Full), tui.Introduction(), t.env, tui.Full)
	if os.MkdirAll(filepath.Dir(file), 0o777) == nil {
		_ = os.WriteFile(file, nil, 0o666) // an error only brings the introduction back
	}
	return err
}

// play plays the game until it ends or the user leaves.
func (t *table) play() (err error) {
	ui := t.options.ui
	c := tui.Config{Session: t.session, Style: style(t.env, ui), Save: t.save, Script: !t.inPerson}
	if t.options.offer && t.inPerson {
		c.Offer = t.offer()
	}
	if ui == tui.Full {
		t.ctx = solve.WithProgress(t.ctx, nil) // a progress bar would be drawn over the board
		if t.options.offer && c.Offer == nil {
			if err := t.introduce(); err != nil {
				return err
			}
		}
	}
	t.session, err = tui.Run(t.ctx, c, t.env, ui)
	over := t.session.Phase() == session.Over
	switch out := t.env.Stdout; {
	case ui != tui.Full && over:
	case ui != tui.Full && err != nil:
		fmt.Fprintln(out)
	case err != nil && !errors.Is(err, cli.ErrInterrupted):
	case over:
		fmt.Fprintf(out, "%s Seed %d.\n", t.session.ResultText(), t.session.Setup().Seed)
	default:
		fmt.Fprintf(out, "\nYou quit after %s, seed %d.", text.Plural(len(t.session.Steps()), "turn"), t.session.Setup().Seed)
		if t.kept != nil && len(t.session.Steps()) > 0 {
			fmt.Fprint(out, " Go on with: ur play --resume")
		}
		fmt.Fprintln(out)
	}
	return err
}

// end writes the record, lets others have the game, and returns how the command ends: as the
// game did, unless only the record failed.
func (t *table) end(form record.Format, gameErr error) error {
	gameErr = t.leave(gameErr)
	if t.options.record == "" {
		return gameErr
	}
	if err := record.WriteFile(t.options.record, form, t.session.Record()); err != nil {
		fmt.Fprintf(t.env.Stderr, "ur: --record: %v\n", err)
		if gameErr == nil {
			return errors.New("the game was not recorded")
		}
	}
	return gameErr
}

// leave lets others have the game, and returns the error.
func (t *table) leave(err error) error {
	if t.kept != nil {
		if err := t.kept.Close(); err != nil {
			fmt.Fprintf(t.env.Stderr, "ur play: %v\n", err)
		}
	}
	return err
}
