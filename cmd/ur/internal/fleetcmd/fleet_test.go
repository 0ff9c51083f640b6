package fleetcmd

import (
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// falseEngine miscounts the turns of its games.
type falseEngine struct{ ur.Engine }

func (falseEngine) Name() string { return "false/scalar" }

func (e falseEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := e.Engine.New(s)
	return falseGame{g}, err
}

type falseGame struct{ ur.Game }

func (g falseGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	tally, err := g.Game.Games(winners, s)
	tally.Turns++
	return tally, err
}

// A worker whose engine differs from the oracle does not begin.
func TestVerify(t *testing.T) {
	if err := verify(t.Context(), engine.Oracle()); err != nil {
		t.Error(err)
	}
	if err := verify(t.Context(), falseEngine{engine.Oracle()}); err == nil {
		t.Error("an engine that miscounts turns is let in")
	}
}
