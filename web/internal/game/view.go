package game

import (
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
)

// View is the state of a game as shown by a page.
type View struct {
	Schema  string    `json:"schema"` // ur.web-game/1
	Game    string    `json:"game"`   // the link, which holds the complete state
	Pieces  int       `json:"pieces"`
	Players [2]string `json:"players"` // light, dark
	Board   []int     `json:"board"`   // 33 numbers
	Side    string    `json:"side"`    // to move
	Roll    *int      `json:"roll"`    // null when the game is over
	Moves   []Move    `json:"moves"`   // choices of a person
	More    bool      `json:"more"`    // the player to move moves by itself, when it is asked to go on
	Result  string    `json:"result"`  // unfinished, light, dark, light resigned, dark resigned or abandoned
	Undo    bool      `json:"undo"`    // something can be taken back
	Redo    bool      `json:"redo"`    // something can be made again
	Turns   []Turn    `json:"turns"`   // all turns played
}

// Move is a legal move.
type Move struct {
	From    int    `json:"from"` // square of the path, 0 in hand
	To      int    `json:"to"`   // 15 home
	Text    string `json:"text"` // as people write it
	Capture bool   `json:"capture"`
	Rosette bool   `json:"rosette"`
}

// Turn is a turn that was played. A pass goes from -1 to -1.
type Turn struct {
	Side string `json:"side"`
	Roll int    `json:"roll"`
	Move
}

// move returns a move as pages read it.
func move(m board.Move, side board.Side) Move {
	return Move{int(m.From), int(m.To), m.Notation(side), m.Capture, board.IsRosette(int(m.To))}
}

// view returns the state to show.
func (s *state) view() *View {
	t, phase := s.Turn(), s.Phase()
	numbers := t.Position.Numbers()
	v := &View{
		Schema: "ur.web-game/1", Game: s.link(), Pieces: t.Position.Pieces(), Players: s.Players(),
		Board: numbers[:], Side: t.Side().String(), Result: s.Result().String(),
		Moves: []Move{}, Turns: []Turn{}, Undo: s.CanUndo(), Redo: s.CanRedo(),
		More: phase == session.Thinking || phase == session.Passing,
	}
	if phase != session.Over {
		v.Roll = &t.Roll
	}
	if phase == session.Choosing {
		for _, m := range t.Moves {
			v.Moves = append(v.Moves, move(m, t.Side()))
		}
	}
	for _, step := range s.Steps() {
		played := Move{From: record.Pass, To: record.Pass, Text: "pass"}
		if !step.Passed {
			played = move(step.Move, step.Side())
		}
		v.Turns = append(v.Turns, Turn{step.Side().String(), step.Roll, played})
	}
	return v
}

// ViewOf returns the view of a game between two people whose dice are thrown elsewhere: a record
// without a source of dice, and the roll of the side to move.
func ViewOf(g *record.Game, roll int) (*View, error) {
	l := link{Game: *g, played: len(g.Turns)}
	v := &View{
		Schema: "ur.web-game/1", Game: l.String(), Pieces: g.Pieces, Players: g.Players, Result: g.Result.String(),
		Moves: []Move{}, Turns: []Turn{},
	}
	last, err := g.Replay(func(s *record.Step) {
		side := s.Position.Turn()
		played := Move{From: record.Pass, To: record.Pass, Text: "pass"}
		if s.Choice >= 0 {
			played = move(s.Move(), side)
		}
		v.Turns = append(v.Turns, Turn{side.String(), s.Roll, played})
	})
	if err != nil {
		return nil, err
	}
	numbers := last.Numbers()
	v.Board, v.Side = numbers[:], last.Turn().String()
	if g.Result == record.Unfinished {
		v.Roll = &roll
		for _, m := range last.Moves(nil, roll) {
			v.Moves = append(v.Moves, move(m, last.Turn()))
		}
	}
	return v, nil
}
