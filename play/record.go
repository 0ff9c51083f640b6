package play

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
)

// recorder makes the record of a game while it is played: its turn is a [Game.Observe].
type recorder struct{ game record.Game }

// begin begins another game.
func (r *recorder) begin(g Game, players [2]string) {
	g, _ = g.complete()
	r.game = record.Game{Rules: g.Rules, Players: players, Pieces: g.Pieces, Dice: &record.DiceOrigin{Seed: g.Seed, Game: g.Number}}
}

// turn records a finished turn.
func (r *recorder) turn(t *Turn) { r.game.Turns = append(r.game.Turns, t.Turn()) }

// end returns the record, with the result of the tally returned by [Game.Play].
func (r *recorder) end(tally ur.Tally) *record.Game {
	g := r.game
	switch {
	case tally.Wins[board.Light] > 0:
		g.Result = record.LightWins
	case tally.Wins[board.Dark] > 0:
		g.Result = record.DarkWins
	}
	return &g
}
