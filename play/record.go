package play

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
)

// Recorder makes the record of a game while it is played: its Turn is a [Game.Observe].
type Recorder struct{ game record.Game }

// NewRecorder begins the record of a game between players, by side.
func NewRecorder(g Game, players [2]string) *Recorder {
	r := new(Recorder)
	r.begin(g, players)
	return r
}

// begin begins another game.
func (r *Recorder) begin(g Game, players [2]string) {
	g, _ = g.complete()
	r.game = record.Game{Rules: g.Rules, Players: players, Pieces: g.Pieces, Dice: &record.DiceOrigin{Seed: g.Seed, Game: g.Number}}
}

// Turn records a finished turn.
func (r *Recorder) Turn(t *Turn) {
	turn := record.Turn{Roll: int8(t.Roll), From: record.Pass}
	if !t.Passed() {
		turn.From = int8(t.Move().From)
	}
	r.game.Turns = append(r.game.Turns, turn)
}

// End returns the record, with the result of the tally returned by [Game.Play].
func (r *Recorder) End(tally ur.Tally) *record.Game {
	g := r.game
	switch {
	case tally.Wins[board.Light] > 0:
		g.Result = record.LightWins
	case tally.Wins[board.Dark] > 0:
		g.Result = record.DarkWins
	}
	return &g
}
