package playcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/tui"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/solve"
	"golang.org/x/term"
)

// isTerminal reports whether input comes from a terminal.
func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// table is where a game is played: the session, how it is shown, and where it is kept.
type table struct {
	ctx        context.Context
	env        *cli.Env
	options    playOptions
	inPerson   bool // a person sits at a terminal
	fullScreen bool

	session  *session.Session
	kept     *session.Kept // nil: nothing was kept yet
	offered  *offer        // to offer; nil: none
	newcomer bool          // show the introduction first
	typist   *bufio.Reader // created at the first prompt
}

// typed returns the input lines.
func (t *table) typed() *bufio.Reader {
	if t.typist == nil {
		t.typist = bufio.NewReader(cli.NewContextReader(t.ctx, t.env.Stdin))
	}
	return t.typist
}

// begin seats the players at a saved game, a game from a file or a new one.
func (t *table) begin(offer bool) error {
	switch {
	case t.options.resume:
		return t.resume()
	case t.options.load != "":
		return t.loadFile(t.options.load)
	}
	s, err := session.New(t.ctx, t.options.setup())
	if err != nil {
		return seatError(err)
	}
	t.session = s
	if offer && t.inPerson {
		t.offered = t.latest()
		t.newcomer = t.fullScreen && t.offered == nil && !introduced()
	}
	return nil
}

// introducedFile is the file in the folder "ur" of the cache that ends the introductions.
const introducedFile = "introduced"

// introduced reports whether a user has seen the introduction here. Without a cache it would
// come back every time, so there is none then.
func introduced() bool {
	cache, err := os.UserCacheDir()
	if err != nil {
		return true
	}
	_, err = os.Stat(filepath.Join(cache, "ur", introducedFile))
	return err == nil
}

// rememberIntroduction keeps the introduction from coming back. An error only brings it back.
func rememberIntroduction() {
	cache, err := os.UserCacheDir()
	if err != nil || os.MkdirAll(filepath.Join(cache, "ur"), 0o777) != nil {
		return
	}
	_ = os.WriteFile(filepath.Join(cache, "ur", introducedFile), nil, 0o666)
}

// keeps reports whether the game is kept: where a person plays it at a terminal, and where
// it was kept before.
func (t *table) keeps() bool {
	players := t.session.Players()
	return t.kept != nil || t.inPerson && slices.Contains(players[:], session.Person)
}

// Save keeps the game, as [tui.Keeper] wants it.
func (t *table) Save(g *record.Game) error {
	if !t.keeps() {
		return nil
	}
	if t.kept == nil {
		store, err := session.DefaultStore()
		if err == nil {
			t.kept, err = store.New(time.Now())
		}
		if err != nil {
			return err
		}
	}
	return t.kept.Save(g)
}

// Forget keeps the game no longer.
func (t *table) Forget() error {
	if t.kept == nil {
		return nil
	}
	return t.kept.Forget()
}

// Finish keeps a game that has ended among those of "ur analyze --mine", and has nothing to resume.
// A game without a turn is not worth keeping.
func (t *table) Finish(g *record.Game) error {
	if !t.keeps() || len(g.Turns) == 0 {
		return t.Forget()
	}
	store, err := session.FinishedStore()
	if err == nil {
		err = store.Finish(g, time.Now())
	}
	return errors.Join(err, t.Forget())
}

// waiting returns the saved games of the store, the latest first. It warns on stderr about
// files it cannot read.
func (t *table) waiting() (session.Store, []session.Saved, error) {
	store, err := session.DefaultStore()
	if err != nil {
		return store, nil, err
	}
	games, err := store.List()
	games = slices.DeleteFunc(games, func(g session.Saved) bool {
		if g.Fault != nil {
			fmt.Fprintf(t.env.Stderr, "ur play: passed over: %v\n", g.Fault)
		}
		if g.Unhashed {
			fmt.Fprintf(t.env.Stderr, "ur play: %s has no hash, so damage to its names goes unnoticed\n", g.File)
		}
		return g.Fault != nil
	})
	return store, games, err
}

// resume continues the game that was interrupted last.
func (t *table) resume() error {
	store, games, err := t.waiting()
	if err != nil {
		return err
	}
	if len(games) == 0 {
		return cli.UsageError("--resume: no saved game in %s (start one with \"ur play\")", store.Folder)
	}
	return t.open(store, games[0].File)
}

// open resumes a game of the store.
func (t *table) open(store session.Store, file string) error {
	kept, game, err := store.Open(file)
	if err != nil {
		return err
	}
	t.kept = kept
	return t.load(game)
}

// load resumes a game, between its players unless the user named others.
func (t *table) load(game *record.Game) error {
	setup := t.options.setup()
	if !t.options.resume && t.options.load == "" {
		setup.Players = [2]string{}
	}
	s, err := session.Load(t.ctx, game, setup)
	if err != nil {
		return seatError(err)
	}
	t.session = s
	return nil
}

// loadFile resumes the first game of a file.
func (t *table) loadFile(name string) error {
	file, err := pick.Games(t.env, name)
	if err != nil {
		return cli.UsageError("--load: %w", err)
	}
	return file.Each(1, func(_ int, g *record.Game) error { return t.load(g) })
}

// offer is a saved game that can be resumed.
type offer struct {
	store session.Store
	saved session.Saved
}

// latest returns the game that was interrupted last, or nil.
func (t *table) latest() *offer {
	store, games, err := t.waiting()
	if err != nil || len(games) == 0 {
		return nil // an unreadable directory must not prevent a game
	}
	return &offer{store, games[0]}
}

// String describes the game.
func (o *offer) String() string {
	g := o.saved.Game
	under := ""
	if g.Rules != nil {
		under = ", " + g.Rules.Title()
	}
	return fmt.Sprintf("Saved game: %s against %s%s, %s, %s.", g.Players[0], g.Players[1], under,
		text.Plural(len(g.Turns), "turn"), o.saved.Time.Format("2 Jan 15:04"))
}

// forget removes the game, unless another process has resumed it.
func (o *offer) forget() error {
	kept, _, err := o.store.Open(o.saved.File)
	if err != nil {
		return err
	}
	return errors.Join(kept.Forget(), kept.Close())
}

// askOffer asks at a terminal whether to resume the saved game, and resumes it.
func (t *table) askOffer() error {
	fmt.Fprintln(t.env.Stdout, t.offered)
	for {
		fmt.Fprint(t.env.Stdout, "Go on with it (Enter), begin another (n), or forget it (f)? ")
		line, _, err := text.ReadLine(t.typed(), maxTypedLine)
		if err != nil {
			return t.inputEnded(err)
		}
		switch strings.ToLower(strings.TrimSpace(string(line))) {
		case "", "y", "yes", "g":
			return t.open(t.offered.store, t.offered.saved.File)
		case "n", "no":
			return nil
		case "f":
			return t.offered.forget()
		case "q", "quit":
			return errQuit
		}
	}
}

// inputEnded returns the meaning of the end of input.
func (t *table) inputEnded(err error) error {
	switch {
	case t.ctx.Err() != nil:
		return cli.ErrInterrupted
	case err == io.EOF:
		return cli.UsageError("end of input (to quit, type q)")
	}
	return err
}

// play plays the game until it ends or the user leaves.
func (t *table) play() error {
	if !t.fullScreen {
		return t.playLines()
	}
	t.ctx = solve.WithProgress(t.ctx, nil) // a progress bar would be drawn over the board
	c := tui.Config{
		Session: t.session, Style: t.options.style(t.env).Filled(), Judge: t.judge, Keep: t,
		Animate:   true,
		Introduce: t.newcomer, Introduced: rememberIntroduction,
	}
	if o := t.offered; o != nil {
		c.Offer = &tui.Offer{
			Text:   o.String(),
			Forget: o.forget,
			GoOn: func() (*session.Session, error) {
				err := t.open(o.store, o.saved.File)
				return t.session, err
			},
		}
	}
	s, err := tui.Run(t.ctx, c, t.env.Stdin, terminalOf(t.env.Stdout), cli.WantsColor(t.env.Stdout))
	t.session = s
	if err == nil || errors.Is(err, cli.ErrInterrupted) {
		t.farewell()
	}
	return err
}

// terminalOf returns the terminal behind the output of a command.
func terminalOf(out io.Writer) io.Writer {
	if o, ok := out.(*cli.Output); ok {
		return o.To
	}
	return out
}

// judge returns the judge for hints.
func (t *table) judge() (analysis.Judge, error) {
	return analysis.FindJudge(t.ctx, t.session.Rules(), "")
}

// farewell prints the state of the game after the screen is closed.
func (t *table) farewell() {
	s, out := t.session, t.env.Stdout
	if t.fullScreen { // where no line has shown it
		fmt.Fprintf(out, "Seed %d. ", s.Setup().Seed)
	}
	if s.Phase() == session.Over {
		fmt.Fprintln(out, s.ResultText())
		return
	}
	fmt.Fprintf(out, "You quit after %s.", text.Plural(len(s.Steps()), "turn"))
	if t.kept != nil && len(s.Steps()) > 0 {
		fmt.Fprint(out, " Go on with: ur play --resume")
	}
	fmt.Fprintln(out)
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
