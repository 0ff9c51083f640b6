package squares

import (
	"unsafe"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/internal/cpu"
)

// games is an engine bound to a pair of brains. The embedded game, which plays a single game,
// answers at the levels of values and turns.
type games struct {
	ur.Game
	setup  ur.Setup
	play   kernel
	state  *state
	tables *tables
}

// newGames returns games that a kernel plays in the given width; s is complete.
func newGames(s ur.Setup, forms [2]*form.Form, w width, play kernel) *games {
	g := &games{setup: s, play: play, state: cpu.NewAligned[state](), tables: cpu.NewAligned[tables]()}
	g.tables.fill(forms, s.Pieces, w)
	return g
}

func (g *games) Bytes() int {
	return g.Game.Bytes() + int(unsafe.Sizeof(*g)+unsafe.Sizeof(*g.state)+unsafe.Sizeof(*g.tables))
}

// maxTurns is how many turns a call to a kernel may play: no count then leaves its field.
const maxTurns = countField / slots

// Games plays a series by calls to the kernel.
func (g *games) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	told := (*uint8)(unsafe.SliceData(s.Winners(winners)))
	g.begin(s)
	st := g.state
	t := ur.Tally{Games: int64(s.N)}
	for st.active > 0 {
		if late := g.setUntil(); late != nil {
			return ur.Tally{}, &ur.TurnLimitError{Seed: s.Seed, Game: s.Number(int(late.number)), Limit: g.setup.TurnLimit}
		}
		g.play(st, g.tables, told)
		t.Captures += int64(st.counts & countField)
		t.Rosettes += int64(st.counts / countRosette & countField)
		t.Passes += int64(st.counts / countPass)
		st.counts = 0
	}
	t.Wins = [2]int64{int64(st.wins[board.Light]), int64(st.wins[board.Dark])}
	t.Turns = int64(st.turns)
	t.Moves = t.Turns - t.Passes
	return t, nil
}

// begin starts the first games in a series.
func (g *games) begin(s ur.Series) {
	st := g.state
	*st = state{keyStep: board.Gamma * s.Stride(), end: uint64(max(0, s.N))}
	for ; st.next < min(st.end, slots); st.next++ {
		key := board.GameKey(s.Seed, s.Number(int(st.next)))
		game := &st.games[st.next]
		game.number, game.nextKey = st.next, key+board.Gamma+board.Gamma
		game.sums = g.tables.start.sums
		game.board = [2]uint64{g.tables.start.board, g.tables.start.board}
		word := board.DiceWord(key, 0)
		for turn := range board.RollsPerWord {
			game.rolls[turn] = g.tables.nibbles[word>>(4*turn)&0xf]
		}
	}
	st.active = st.next
	st.keyInput = s.Seed + board.Gamma*(s.Number(int(st.next))+1)
}

// setUntil sets the turn at which the kernel stops, and returns a game that has reached the
// turn limit, if any.
func (g *games) setUntil() *oneGame {
	st, limit := g.state, uint64(g.setup.TurnLimit)
	st.until = st.now + maxTurns
	for i := range st.active {
		game := &st.games[i]
		if st.now-game.began >= limit {
			return game
		}
		st.until = min(st.until, game.began+limit)
	}
	return nil
}
