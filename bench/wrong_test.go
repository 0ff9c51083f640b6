package bench

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// wrongEngine is the oracle with one wrong answer at every level.
type wrongEngine struct{ ur.Engine }

func (wrongEngine) Name() string { return "array16/wrong" }

func (e wrongEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := e.Engine.New(s)
	return wrongGame{g}, err
}

type wrongGame struct{ ur.Game }

func (g wrongGame) Values(dst []int32, by board.Side) {
	g.Game.Values(dst, by)
	dst[len(dst)-1]++
}

func (g wrongGame) Play(roll int) (board.Move, bool) {
	move, moved := g.Game.Play(roll)
	move.Capture = !move.Capture
	return move, moved
}

func (g wrongGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	t, err := g.Game.Games(winners, s)
	t.Captures++
	return t, err
}

func TestWrongAnswersAreFound(t *testing.T) {
	w := testWorkload(t)
	for _, scope := range Scopes() {
		b := testkit.Must(w.Benchmark(wrongEngine{engine.Oracle()}, scope))(t)
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), "want ") {
			t.Errorf("scope %s: %v, want an error", scope, err)
		}
	}
}
