// Package session implements an interactive game, without display or network. Every interface
// shares it: a terminal and a page show the same [Session].
//
// # A game between a person and a player
//
// [New] starts a game between two players, each a [Person] or a player parsed by
// [play.ParsePlayer]. The session is always in one [Phase], which determines the next call:
//
//	Choosing   a person: Move, with the number of one of Turn().Moves
//	Thinking   a player: Task, whose Choose may run elsewhere, then Answer
//	Passing    no legal move: Pass
//	Over       nothing: Undo, or Again
//
// An interface that may block while a player thinks calls [Session.Run], which plays until a
// person has to choose.
//
// # Undo
//
// [Session.Undo] returns to the last move of a person and undoes the replies of players;
// [Session.Redo] plays them again. The dice do not change: turn t of a game has the same roll
// whatever moves precede it, so undo never changes a roll.
//
// # Saved games
//
// [Session.Record] returns the game so far as a record, and [Load] resumes one. A [Store] keeps
// interrupted games in a directory, each written atomically after every move.
//
// A Session is not safe for concurrent use, except for [Task.Choose].
package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
)

// SideNames are the sides as they stand in a sentence.
var SideNames = [2]string{"Light", "Dark"}

// Person is the name of a player whose moves come from [Session.Move].
const Person = "human"

// Setup is how a session begins.
type Setup struct {
	Players [2]string    // players by side: [Person], or a text for Parse
	Rules   *board.Rules // nil for Finkel's, the default
	Pieces  int          // each player's pieces; 0 means those in Start, or in the rule set

	// Start is the first position; the zero Position stands for the start of a whole game.
	Start board.Position

	Seed uint64 // the dice's seed
	Game uint64 // the game's number for the seed

	// Rolls, if not nil, returns a turn's roll, always the same, instead of the dice of Seed
	// and Game.
	Rolls func(turn int) int

	// Parse parses the names of players of a rule set; a nil Parse means
	// [play.ParsePlayerFor]. A caller that accepts names from strangers must prevent them from
	// naming files.
	Parse func(r *board.Rules, spec string) (play.Player, error)

	// Hints reports that the interface shows hints. A saved game remembers it.
	Hints bool
}

// Phase is a session's state: the next call it needs.
type Phase int

// The phases.
const (
	Choosing Phase = iota // a person can move
	Thinking              // a player can move
	Passing               // wait for a pass: the roll allows no move
	Over                  // the end: the game has a result
)

// Session is a game in progress, with its played and undone turns.
type Session struct {
	setup  Setup
	pools  [2]*play.Pool      // nil for a person
	dice   *record.DiceOrigin // nil if the rolls have another source
	rolls  func(turn int) int
	steps  []play.Turn   // played turns
	undone []play.Turn   // undone turns; the last is redone first
	result record.Result // [record.Unfinished] while it goes on
	turn   play.Turn     // the current turn; its position is the last one when the game is over
	epoch  int           // counts changes, to detect late answers
	meta   map[string]string
}

// New starts a game. It prepares the players, which for perfect play may take a while or fail;
// the end of the context interrupts it.
func New(ctx context.Context, setup Setup) (*Session, error) {
	start, err := setup.begin()
	if err != nil {
		return nil, err
	}
	s := &Session{setup: setup, rolls: setup.Rolls, meta: map[string]string{}}
	if s.rolls == nil {
		s.dice, s.rolls = &record.DiceOrigin{Seed: setup.Seed, Game: setup.Game}, s.throwDice
	}
	for side, spec := range setup.Players {
		take, err := s.Prepare(ctx, board.Side(side), spec)
		if err != nil {
			return nil, err
		}
		take()
	}
	s.await(start)
	return s, nil
}

// begin returns the first position, and sets the rules and the number of pieces.
func (s *Setup) begin() (start board.Position, err error) {
	r, whole := cmp.Or(s.Rules, board.Finkel()), s.Start == (board.Position{})
	switch {
	case s.Pieces == 0 && whole:
		s.Pieces = r.Pieces()
	case s.Pieces == 0:
		s.Pieces = s.Start.Pieces()
	}
	if start, err = (&record.Game{Rules: r, Pieces: s.Pieces, Start: s.Start}).Begin(); err != nil {
		return start, err
	}
	s.Rules, err = r.WithPieces(s.Pieces)
	return start, err
}

// Rules returns the rule set with the number of pieces of the game, also Finkel's.
func (s *Session) Rules() *board.Rules { return s.setup.Rules }

// Position returns the position before the current turn, and after the game the last one.
func (s *Session) Position() board.Position { return s.turn.Position }

// await begins the next turn, at a position: its roll is the same whenever it is played. When the
// game is over there, it has none.
func (s *Session) await(p board.Position) {
	s.epoch++
	t := play.Turn{Seed: s.setup.Seed, Game: s.setup.Game, Number: len(s.steps), Rules: s.setup.Rules,
		Position: p, Choice: -1}
	if winner, over := p.Winner(); over {
		s.result = record.LightWins + record.Result(winner)
	} else {
		t.Roll = s.rolls(t.Number)
		t.Moves = s.setup.Rules.Moves(nil, p, t.Roll)
	}
	s.turn = t
}

// throwDice returns the roll of a turn by the setup's dice.
func (s *Session) throwDice(turn int) int {
	return s.setup.Rules.Roll(s.setup.Seed, s.setup.Game, uint64(turn))
}

// Phase returns the session's phase.
func (s *Session) Phase() Phase {
	switch {
	case s.result != record.Unfinished:
		return Over
	case len(s.turn.Moves) == 0:
		return Passing
	case s.pools[s.turn.Side()] == nil:
		return Choosing
	}
	return Thinking
}

// Turn returns the current turn: its number, position, roll and legal moves, in ascending order
// of the moving piece. After the game its position is the last one; after a win there is no
// roll. It is valid until the session changes.
func (s *Session) Turn() *play.Turn { return &s.turn }

// Steps returns the turns played. The caller must not modify it. It is valid until the session
// changes.
func (s *Session) Steps() []play.Turn { return s.steps }

// Players returns the name of each side's player.
func (s *Session) Players() [2]string { return s.setup.Players }

// Setup returns the setup the session started with, updated with the current players.
func (s *Session) Setup() Setup { return s.setup }

// ShowHints notes whether the interface shows hints.
func (s *Session) ShowHints(on bool) { s.setup.Hints = on }

// Dice returns the seed and the game that produce the rolls. It returns false for rolls
// of another source.
func (s *Session) Dice() (record.DiceOrigin, bool) {
	if s.dice == nil {
		return record.DiceOrigin{}, false
	}
	return *s.dice, true
}

// Result returns how the game ended, or [record.Unfinished].
func (s *Session) Result() record.Result { return s.result }

// ResultText describes how the game ended, as in "Dark (greedy) wins after 96 turns: 7 home
// against 5.", or that it goes on.
func (s *Session) ResultText() string {
	turns := text.Plural(len(s.steps), "turn")
	winner, won := s.result.Winner()
	if !won {
		return "Nobody wins after " + turns + "."
	}
	why := fmt.Sprintf("%d home against %d", s.turn.Position.Home(winner), s.turn.Position.Home(winner.Other()))
	if s.resigned() {
		why = SideNames[winner.Other()] + " resigns"
	}
	name := ""
	if player := s.setup.Players[winner]; player != s.setup.Players[winner.Other()] {
		name = " (" + text.Plain(player) + ")"
	}
	return fmt.Sprintf("%s%s wins after %s: %s.", SideNames[winner], name, turns, why)
}

// Move makes a person's move, by its index in the turn's moves, and drops the undone turns.
func (s *Session) Move(choice int) error {
	if s.Phase() != Choosing {
		return errors.New("no person is to move")
	}
	return s.play(choice)
}

func (s *Session) play(choice int) error {
	if choice < 0 || choice >= len(s.turn.Moves) {
		return fmt.Errorf("move %d of %d", choice+1, len(s.turn.Moves))
	}
	s.finish(choice)
	return nil
}

// Pass continues after a roll without a legal move.
func (s *Session) Pass() error {
	if s.Phase() != Passing {
		return errors.New("there is a move to make")
	}
	s.finish(-1)
	return nil
}

// finish ends the current turn with the move of an index, -1 for a pass, drops the undone turns,
// and starts the next.
func (s *Session) finish(choice int) {
	s.undone = s.undone[:0]
	s.turn.Play(choice)
	s.steps = append(s.steps, s.turn)
	s.await(s.turn.Next)
}

// Run plays until a person has to choose or the game is over, and calls see, unless nil, for
// every step. It returns the error of a player or of ctx; the session is then as it was before
// the turn.
func (s *Session) Run(ctx context.Context, see func(*play.Turn)) error {
	for {
		if n := len(s.steps); n >= ur.DefaultTurnLimit {
			return &ur.TurnLimitError{Seed: s.setup.Seed, Game: s.setup.Game, Limit: n}
		}
		switch s.Phase() {
		case Passing:
			if err := s.Pass(); err != nil {
				return err
			}
		case Thinking:
			task, _ := s.Task()
			choice, err := task.Choose(ctx)
			if err == nil {
				err = s.Answer(task, choice)
			}
			if err != nil {
				return err
			}
		default:
			return nil
		}
		if see != nil {
			see(&s.steps[len(s.steps)-1])
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// Resign ends the game: a side gives up.
func (s *Session) Resign(side board.Side) error {
	if s.result != record.Unfinished {
		return errors.New("the game is over")
	}
	s.epoch++
	s.result = record.LightResigned + record.Result(side)
	return nil
}

// Abandon ends the game without a winner.
func (s *Session) Abandon() {
	s.epoch++
	s.result = record.Abandoned
}

// Again begins another game between the same players, on the dice of the next game of the
// seed; swapped, they change sides.
func (s *Session) Again(ctx context.Context, swapped bool) (*Session, error) {
	setup := s.setup
	setup.Game++
	if swapped {
		setup.Players[0], setup.Players[1] = setup.Players[1], setup.Players[0]
	}
	return New(ctx, setup)
}
