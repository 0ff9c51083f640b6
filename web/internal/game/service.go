// Package game answers a page's questions about a game: the players, the position, the legal
// moves and their values, and an analysis.
//
// It keeps no state. Each question carries the whole game as a link, a short text parsed by
// [Parse], and each answer carries the link of the new state. So there are no sessions to fill
// up, expire or lose, a game is shared by sending its link, and a page that loses its server
// can continue with another.
//
// A [Service] answers questions. It knows nothing of the network: package web serves it over HTTP,
// and the program web/wasm runs it inside a page without a server.
package game

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Question is a request from a page. Each verb reads some of the fields; see [Verbs].
type Question struct {
	Game string `json:"game"` // link

	// Of a new game.
	Rules  string `json:"rules"`  // name of a rule set; "" means Finkel's; "read" takes positions as of these
	Pieces int    `json:"pieces"` // 0 means those of the rule set
	Light  string `json:"light"`
	Dark   string `json:"dark"`
	Seed   uint64 `json:"seed"`
	Start  string `json:"start"` // first position in text form; "" means all pieces are in hand
	Roll   *int   `json:"roll"`  // first roll; null means any

	From int `json:"from"` // square of the piece to move

	Form string `json:"form"` // record form, such as "rgn"; "read" finds it out by itself if it is ""
	Text string `json:"text"` // record, position or link to read
}

// Text is a record of a game for a file.
type Text struct {
	Schema string `json:"schema"` // ur.web-text/1
	Name   string `json:"name"`   // file name
	Text   string `json:"text"`
}

// Verbs lists the requests in the order of the alphabet. "new" starts a game. "show", "move", "undo", "redo", "resign"
// and "go", which lets players move, answer with a [View]; "hints" with [Hints], "analysis" with an
// [analysis.Game], "record" with a [Text]. "read" turns such a text into a game. "puzzles"
// answers with the list of puzzles, "brain" with a picture of the built-in brain.
func Verbs() []string {
	return []string{"analysis", "brain", "go", "hints", "move", "new", "puzzles", "read", "record", "redo", "resign",
		"show", "undo"}
}

// answer answers a question of a known verb.
func (r *Service) answer(ctx context.Context, verb string, q *Question) (any, error) {
	switch verb {
	case "new":
		return r.beginGame(ctx, q)
	case "read":
		return r.readGame(ctx, q)
	case "puzzles":
		return listPuzzles()
	case "brain":
		return Text{"ur.web-text/1", "brain.svg", string(play.DrawBrain("The built-in brain", ur.DefaultBrain()))}, nil
	}
	s, err := openGame(ctx, q.Game, r)
	if err != nil {
		return nil, err
	}
	switch verb {
	case "hints":
		return s.newHints()
	case "analysis":
		return s.analyzeGame(ctx)
	case "record":
		return s.writeRecord(q.Form)
	case "move":
		err = s.makeMove(q.From)
	case "go":
		err = s.goOn(ctx)
	case "undo":
		err = requireDone(s.Undo(), "there is nothing to take back")
	case "redo":
		err = requireDone(s.Redo(), "there is nothing to make again")
	case "resign":
		err = s.resignGame()
	}
	if err != nil {
		return nil, err
	}
	return s.newView(), nil
}

// MaxQuestion is how long a question may be, in bytes.
const MaxQuestion = 1 << 17

// answerTime is how long an answer may take, wherever the service is. A server may allow less.
const answerTime = 20 * time.Second

// Answer answers a question, a JSON object, with a value to be marshalled as JSON. Its error
// describes the fault of the question, or is the error of ctx.
func (r *Service) Answer(ctx context.Context, verb string, question []byte) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if !slices.Contains(Verbs(), verb) {
		return nil, fmt.Errorf("unknown question %q (want one of %s)", text.Clip(verb), strings.Join(Verbs(), ", "))
	}
	if len(question) > MaxQuestion {
		return nil, fmt.Errorf("a question of %d bytes, at most %d are read", len(question), MaxQuestion)
	}
	var q Question
	if err := Decode(question, &q); err != nil {
		return nil, fmt.Errorf("the question is not the JSON of one: %w", err)
	}
	value, err := r.answer(ctx, verb, &q)
	return value, withoutFolder(err)
}

// Decode reads one JSON object with no fields but those of a value, and nothing behind it.
func Decode(text []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("there is more than one JSON object")
	}
	return nil
}

func (r *Service) beginGame(ctx context.Context, q *Question) (any, error) {
	set, err := RuleSet(q.Rules)
	if err != nil {
		return nil, err
	}
	l := link{Game: record.Game{Rules: set, Pieces: q.Pieces, Players: [2]string{q.Light, q.Dark},
		Dice: &record.DiceOrigin{Seed: q.Seed}}}
	if err := l.setUp(q); err != nil {
		return nil, err
	}
	if set, err = set.WithPieces(l.Pieces); err != nil {
		return nil, err
	}
	for _, name := range l.Players {
		if err := r.Check(ctx, set, name); err != nil {
			return nil, err
		}
	}
	return l.viewGame(ctx, r)
}

// RuleSet returns the built-in rule set of a name, Finkel's for "".
func RuleSet(name string) (*board.Rules, error) {
	return board.Lookup(cmp.Or(name, board.Finkel().Name()))
}

// setUp sets the pieces, the first position and the first roll of a new game.
func (l *link) setUp(q *Question) (err error) {
	if q.Start != "" {
		if err := l.SetStart(q.Start); err != nil {
			return err
		}
		if winner, over := l.Start.Winner(); over {
			return fmt.Errorf("start: %s has already won (want a position with a move to make)", winner)
		}
		l.Pieces = cmp.Or(l.Pieces, l.Start.Pieces())
	}
	l.Pieces = cmp.Or(l.Pieces, l.Rules.Pieces())
	if _, err := l.Begin(); err != nil {
		return err
	}
	if q.Roll == nil {
		return nil
	}
	if l.Rules.Weight(*q.Roll) == 0 {
		return fmt.Errorf("roll: %d (want %s)", *q.Roll, rollsOf(l.Rules))
	}
	const tries = 2000 // one seed in 16 or more has the roll first
	for range tries {
		if l.Rules.Roll(l.Dice.Seed, l.Dice.Game, 0) == *q.Roll {
			return nil
		}
		l.Dice.Seed++
	}
	return fmt.Errorf("roll: no seed near %d begins with %d (want another seed)", q.Seed, *q.Roll)
}

// rollsOf describes the possible rolls of a rule set, as in "0 to 4".
func rollsOf(r *board.Rules) string {
	least := 0
	for r.Weight(least) == 0 {
		least++
	}
	return fmt.Sprintf("%d to %d", least, r.MaxRoll())
}

func (l *link) viewGame(ctx context.Context, players *Service) (any, error) {
	s, err := l.startSession(ctx, players)
	if err != nil {
		return nil, err
	}
	return s.newView(), nil
}

func (s *state) writeRecord(name string) (any, error) {
	form, err := record.LookupFormat(name)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	w := record.NewWriter(&text, form)
	if err := w.Write(s.Record()); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return Text{"ur.web-text/1", "game" + form.Endings[0], text.String()}, nil
}

// readGame reads a text's first game in a form, or finds out the form by itself.
func (r *Service) readGame(ctx context.Context, q *Question) (any, error) {
	if q.Form == "" {
		return r.readAny(ctx, q)
	}
	form, err := record.LookupFormat(q.Form)
	if err != nil {
		return nil, err
	}
	g, err := record.NewReader(strings.NewReader(q.Text), form).Next()
	switch {
	case err == io.EOF:
		return nil, fmt.Errorf("the text holds no game of the form %q", form.Name)
	case err != nil:
		return nil, err
	case len(g.Turns) > maxTurns:
		return nil, fmt.Errorf("the game has %d turns, at most %d are read", len(g.Turns), maxTurns)
	}
	l := link{Game: *g, played: len(g.Turns)}
	for side, name := range l.Players {
		if name == "" {
			l.Players[side] = "somebody" // an empty name is no player
		}
		if len(name) > maxName {
			return nil, fmt.Errorf("the name of %s has %d letters, at most %d are read", board.Side(side),
				len(name), maxName)
		}
	}
	return l.viewGame(ctx, r)
}

// gameLink matches a link, or an address with one at its end.
var gameLink = text.Regexp(`^(?:\S*#/g/)?((?:10|[1-9])(?:/\S*)?)$`)

// positionText matches a text meant to be a position.
var positionText = text.Regexp(`^\d+:\S*(\s|$)`)

// readAny reads a text in whatever form it has: a link, a position, or a record.
func (r *Service) readAny(ctx context.Context, q *Question) (any, error) {
	typed := strings.TrimSpace(q.Text)
	if m := gameLink().FindStringSubmatch(typed); m != nil {
		return r.answer(ctx, "show", &Question{Game: m[1]})
	}
	set, err := RuleSet(q.Rules)
	if err != nil {
		return nil, err
	}
	if positionText().MatchString(typed) {
		if _, err := set.ParsePosition(typed); err != nil {
			return nil, fmt.Errorf("the position %q: %w", text.Clip(typed), err)
		}
		return r.beginGame(ctx,
			&Question{Light: session.Person, Dark: session.Person, Rules: q.Rules, Start: typed, Seed: q.Seed})
	}
	form, err := record.Detect(typed)
	if err != nil {
		return nil, fmt.Errorf("the text begins with %q (want a link, a position as in %q, or a record)",
			text.Clip(typed), set.FormatPosition(set.Start()))
	}
	found := *q
	found.Form = form.Name
	return r.readGame(ctx, &found)
}

// About is the data a page needs before it starts.
type About struct {
	Schema  string       `json:"schema"`  // ur.web-about/1
	Version string       `json:"version"` // version of the program
	Server  bool         `json:"server"`  // there is one: two people can play by a link
	Rules   []offeredSet `json:"rules"`   // rule sets to choose from, with their players
	Forms   []string     `json:"forms"`   // record forms

	Levels []levelRegret `json:"levels"` // measured regret of each level
}

// NewAbout returns the data common to all pages.
func NewAbout(version string) About {
	return About{Schema: "ur.web-about/1", Version: version, Rules: listRuleSets(), Forms: record.FormatNames(),
		Levels: levels()}
}
