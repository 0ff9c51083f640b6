package bench

import (
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// unitCandidate is the unit of a time for each legal move.
const unitCandidate = "ns/candidate"

// turnLevel is whole turns: futures, values, choice, move.
func turnLevel() descriptor {
	return descriptor{
		level: Turn, benchmark: "Turn", unit: "ns/turn",
		others:  []string{unitCandidate},
		newWork: func(w *Workload) (work, error) { return newTurnWork(w) },
	}
}

// turnWork is a set of games played turn by turn, with the outcome of each turn.
type turnWork struct {
	rolls      []uint8  // of all turns, game after game
	lengths    []int    // turns of each game
	plays      []played // outcome of each turn
	candidates int      // legal moves in all turns, together
	whole      *gamesWork
}

// played is the answer of one turn.
type played struct {
	move  board.Move
	moved bool
}

// newTurnWork lets the oracle play the games.
func newTurnWork(w *Workload) (*turnWork, error) {
	whole, err := w.equalGames()
	if err != nil {
		return nil, err
	}
	oracle, err := engine.Oracle().New(ur.Setup{Light: w.Brain, Dark: w.Brain})
	if err != nil {
		return nil, err
	}
	t := &turnWork{whole: whole}
	for game := range w.Size.TurnGames {
		first := len(t.rolls)
		replay(oracle, uint64(game), func(r replayed) {
			t.candidates += r.candidates
			t.rolls = append(t.rolls, uint8(r.roll))
			t.plays = append(t.plays, r.played)
		})
		t.lengths = append(t.lengths, len(t.rolls)-first)
	}
	return t, nil
}

func (t *turnWork) answers() []any {
	answers := []any{t.rolls, int64(t.candidates)}
	for _, p := range t.plays {
		answers = append(answers, p.moved, p.move)
	}
	return append(answers, t.whole.answers()...)
}

// bind measures single turns, or whole games for an engine that plays games side by side: one
// turn of one game is not representative of it.
func (t *turnWork) bind(c *Case) (task, error) {
	if c.lanes > 0 {
		whole, err := t.whole.bind(c)
		if err != nil {
			return nil, err
		}
		return &turnsOfGames{whole.(*gamesTask)}, nil
	}
	if err := c.play(c.work.Brain, c.work.Brain); err != nil {
		return nil, err
	}
	return &turnTask{c, t}, nil
}

// turnTask plays turn by turn.
type turnTask struct {
	*Case
	work *turnWork
}

// pass plays the games. The length of each game is known, so only the engine is timed.
func (t *turnTask) pass() (float64, error) {
	start := board.StartPosition(board.MaxPieces)
	rolls := t.work.rolls
	for _, length := range t.work.lengths {
		t.game.Set(start)
		for _, roll := range rolls[:length] {
			t.game.Play(int(roll))
		}
		rolls = rolls[length:]
	}
	return float64(len(t.work.rolls)), nil
}

func (t *turnTask) check() (string, error) {
	turn := 0
	for game, length := range t.work.lengths {
		t.game.Set(board.StartPosition(board.MaxPieces))
		for i := range length {
			move, moved := t.game.Play(int(t.work.rolls[turn]))
			if want := t.work.plays[turn]; moved != want.moved || moved && move != want.move {
				return fmt.Sprintf("game %d, turn %d: plays %v, %v (want %v, %v)", game, i, move, moved, want.move, want.moved), nil
			}
			turn++
		}
	}
	return "", nil
}

// metrics are the time for each legal move. A turn without any costs time too, and is
// paid by the others.
func (t *turnTask) metrics(perTurn float64) []experiment.Metric {
	return perCandidate(perTurn, float64(t.work.candidates)/float64(len(t.work.rolls)))
}

// perCandidate divides the time of a turn by its legal moves.
func perCandidate(perTurn, candidates float64) []experiment.Metric {
	return []experiment.Metric{{Value: perTurn / candidates, Unit: unitCandidate}}
}

// turnsOfGames are the turns in whole games.
type turnsOfGames struct{ *gamesTask }

func (t *turnsOfGames) pass() (float64, error) {
	_, err := t.gamesTask.pass()
	return float64(t.want.Turns), err
}

func (t *turnsOfGames) metrics(perTurn float64) []experiment.Metric {
	return perCandidate(perTurn, float64(t.of.candidates)/float64(t.of.all.Turns))
}
