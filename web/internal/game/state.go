package game

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
)

// state is a session read from a link and turned back into one.
type state struct {
	*session.Session
	turns   []record.Turn // played turns, followed by undone turns
	service *Service
}

// openGame sits down at a link's game.
func openGame(ctx context.Context, text string, players *Service) (*state, error) {
	l, err := parseLink(text)
	if err != nil {
		return nil, err
	}
	return l.startSession(ctx, players)
}

// startSession starts a session from a game. The turns, also undone ones, must follow the rules, and the
// result must match them. Unavailable players keep their seat but cannot move.
func (l *link) startSession(ctx context.Context, players *Service) (*state, error) {
	set, err := l.Rules.WithPieces(l.Pieces)
	if err != nil {
		return nil, err
	}
	parse := func(_ *board.Rules, name string) (play.Player, error) { return players.seatPlayer(set, name), nil }
	loaded, err := session.Load(ctx, &l.Game, session.Setup{Parse: parse})
	if err != nil {
		return nil, err
	}
	s := &state{loaded, l.Turns, players}
	for len(s.Steps()) > l.played && s.Undo() {
		// Each Undo takes back one turn or more, or returns false.
	}
	if len(s.Steps()) != l.played {
		return nil, errors.New("what was taken back in the link does not begin with a choice")
	}
	return s, nil
}

func (s *state) gameLink() *link {
	l := &link{Game: *s.Record(), played: len(s.Steps())}
	if l.Turns = s.turns; l.Result != record.Unfinished {
		l.Turns = s.turns[:l.played]
	}
	return l
}

// forgetUndone drops the undone turns, because the game has continued.
func (s *state) forgetUndone() { s.turns = s.Record().Turns }

// makeMove moves the piece on a square for a person.
func (s *state) makeMove(from int) error {
	t := s.Turn()
	switch s.Phase() {
	case session.Over:
		return fmt.Errorf("the game is over (%s): nothing can be moved", s.Result())
	case session.Passing:
		return fmt.Errorf("%s cannot move by %d: the turn passes by itself", t.Side(), t.Roll)
	case session.Thinking:
		return fmt.Errorf("it is the turn of %s, played by %s: it moves by itself", t.Side(), s.Players()[t.Side()])
	}
	choice := slices.IndexFunc(t.Moves, func(m board.Move) bool { return int(m.From) == from })
	if choice < 0 {
		var legal []string
		for _, m := range t.Moves {
			legal = append(legal, fmt.Sprintf("%d (%s)", m.From, t.Notation(m)))
		}
		return fmt.Errorf("%s cannot move from square %d by %d, but from %v", t.Side(), from, t.Roll, legal)
	}
	err := s.Move(choice)
	s.forgetUndone()
	return err
}

// pace bounds the turns played automatically for one answer.
const (
	paceTurns = 24
	paceTime  = 250 * time.Millisecond
)

// goOn passes and lets players move until a person has to choose, the game is over, or the
// limit of one answer is reached. It replays undone turns first.
func (s *state) goOn(ctx context.Context) error {
	begin, turns := time.Now(), 0
	if s.Phase() == session.Thinking && s.Redo() {
		return nil
	}
	enough := errors.New("enough")
	pace, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err := s.Run(pace, func(*play.Turn) {
		if turns++; turns >= paceTurns || time.Since(begin) > paceTime || len(s.Steps()) >= maxTurns {
			stop(enough)
		}
	})
	s.forgetUndone()
	switch {
	case len(s.Steps()) >= maxTurns && s.Phase() != session.Over:
		return fmt.Errorf("the game has %d turns and is given up", maxTurns)
	case context.Cause(pace) == enough:
		return nil
	}
	return err
}

// resignGame resigns for the person to move, or for the only person in the game.
func (s *state) resignGame() error {
	side := s.Turn().Side()
	if s.Player(side).New != nil {
		side = side.Other()
	}
	if s.Player(side).New != nil {
		return errors.New("no person plays who could resign")
	}
	if s.Phase() == session.Over {
		return fmt.Errorf("the game is over (%s): resigning is not possible", s.Result())
	}
	err := s.Resign(side)
	s.forgetUndone()
	return err
}

func requireDone(done bool, why string) error {
	if !done {
		return errors.New(why)
	}
	return nil
}

// View is the state of a game as shown by a page.
type View struct {
	Schema  string    `json:"schema"` // ur.web-game/1
	Game    string    `json:"game"`   // the link, which holds the complete state
	Pieces  int       `json:"pieces"`
	Players [2]string `json:"players"`         // light, dark
	Rules   *Set      `json:"rules,omitempty"` // rule set, unless it is Finkel's
	Board   []int     `json:"board"`           // 33 numbers, or more under other rules: pieces on Light's squares from hand to home, on Dark's, and the side to move
	Side    string    `json:"side"`            // side to move
	Roll    *int      `json:"roll"`            // null when the game is over
	Moves   []Move    `json:"moves"`           // choices of a person
	More    bool      `json:"more"`            // the player to move moves by itself, when it is asked to go on
	Result  string    `json:"result"`          // unfinished, light, dark, light resigned, dark resigned or abandoned
	Undo    bool      `json:"undo"`            // something can be taken back
	Redo    bool      `json:"redo"`            // something can be made again
	Turns   []Turn    `json:"turns"`           // all turns played
	Why     string    `json:"why,omitempty"`   // the reason why its players cannot go on here, in a sentence
}

// Move is a legal move.
type Move struct {
	From    int    `json:"from"` // square of the path, 0 in hand
	To      int    `json:"to"`   // the last one, 15 under Finkel's rules, home
	Text    string `json:"text"` // text for people
	Capture bool   `json:"capture"`
	Rosette bool   `json:"rosette"`
}

// Turn is a played turn. A pass goes from -1 to -1.
type Turn struct {
	Side string `json:"side"`
	Roll int    `json:"roll"`
	Move
}

func pageMove(r *board.Rules, m board.Move, side board.Side) Move {
	return Move{int(m.From), int(m.To), r.Notation(side, m), m.Capture, r.IsRosette(int(m.To))}
}

func boardNumbers(r *board.Rules, p board.Position) []int {
	var list []int
	for _, side := range [2]board.Side{board.Light, board.Dark} {
		for square := range r.Finish() + 1 {
			list = append(list, r.Count(p, side, square))
		}
	}
	return append(list, int(p.Turn()))
}

func (s *state) newView() *View {
	roll, phase := -1, s.Phase()
	if phase != session.Over {
		roll = s.Turn().Roll
	}
	v := viewOf(s.Session, s.gameLink(), roll)
	if phase != session.Choosing {
		v.Moves = []Move{}
	}
	v.Undo, v.Redo = s.CanUndo(), s.CanRedo()
	if phase != session.Over {
		v.Why = cmp.Or(unableReason(s.Rules(), v.Players[0]), unableReason(s.Rules(), v.Players[1]))
	}
	v.More = phase == session.Passing || phase == session.Thinking && v.Why == ""
	return v
}

// ViewOf returns the view of a game, with the roll of the side to move, negative before it is
// thrown.
func ViewOf(s *session.Session, roll int) *View {
	g := s.Record()
	return viewOf(s, &link{Game: *g, played: len(g.Turns)}, roll)
}

// viewOf returns the view of a game with a link.
func viewOf(s *session.Session, l *link, roll int) *View {
	set, last := s.Rules(), s.Position()
	v := &View{
		Schema: "ur.web-game/1", Game: l.String(), Pieces: l.Pieces, Players: l.Players, Result: l.Result.String(),
		Board: boardNumbers(set, last), Side: last.Turn().String(), Moves: []Move{}, Turns: []Turn{},
	}
	if !set.IsFinkel() {
		shown := setOf(set)
		v.Rules = &shown
	}
	for _, step := range s.Steps() {
		played := Move{From: record.Pass, To: record.Pass, Text: "pass"}
		if step.Choice >= 0 {
			played = pageMove(set, step.Move(), step.Side())
		}
		v.Turns = append(v.Turns, Turn{step.Side().String(), step.Roll, played})
	}
	if l.Result != record.Unfinished || roll < 0 {
		return v
	}
	v.Roll = &roll
	for _, m := range set.Moves(nil, last, roll) {
		v.Moves = append(v.Moves, pageMove(set, m, last.Turn()))
	}
	return v
}
