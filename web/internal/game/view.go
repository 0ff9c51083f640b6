package game

import (
	"cmp"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
)

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

// Turn is a turn that was played. A pass goes from -1 to -1.
type Turn struct {
	Side string `json:"side"`
	Roll int    `json:"roll"`
	Move
}

// pageMove returns a move as pages read it.
func pageMove(r *board.Rules, m board.Move, side board.Side) Move {
	return Move{int(m.From), int(m.To), r.Notation(side, m), m.Capture, r.IsRosette(int(m.To))}
}

// boardNumbers returns a position's board.
func boardNumbers(r *board.Rules, p board.Position) []int {
	var list []int
	for _, side := range [2]board.Side{board.Light, board.Dark} {
		for square := range r.Finish() + 1 {
			list = append(list, r.Count(p, side, square))
		}
	}
	return append(list, int(p.Turn()))
}

// newView returns the state to show.
func (s *state) newView() *View {
	roll, phase := -1, s.Phase()
	if phase != session.Over {
		roll = s.Turn().Roll
	}
	v := ViewOf(s.Session, roll)
	if phase != session.Choosing {
		v.Moves = []Move{}
	}
	v.Game, v.Undo, v.Redo = s.gameLink(), s.CanUndo(), s.CanRedo()
	if phase != session.Over {
		v.Why = cmp.Or(unableReason(s.Rules(), v.Players[0]), unableReason(s.Rules(), v.Players[1]))
	}
	v.More = phase == session.Passing || phase == session.Thinking && v.Why == ""
	return v
}

// ViewOf returns the view of a game, with the roll of the side to move, negative before it is
// thrown.
func ViewOf(s *session.Session, roll int) *View {
	g, set, last := s.Record(), s.Rules(), s.Position()
	l := link{Game: *g, played: len(g.Turns)}
	v := &View{
		Schema: "ur.web-game/1", Game: l.String(), Pieces: g.Pieces, Players: g.Players, Result: g.Result.String(),
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
	if g.Result != record.Unfinished || roll < 0 {
		return v
	}
	v.Roll = &roll
	for _, m := range set.Moves(nil, last, roll) {
		v.Moves = append(v.Moves, pageMove(set, m, last.Turn()))
	}
	return v
}
