package fleetcmd_test

import (
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/scripttest"
	"github.com/seed-09dcdc84/ur/engine"
)

func TestMain(m *testing.M) {
	scripttest.Main(m, map[string]func(){"ur-false": mainFalse})
}

func TestScripts(t *testing.T) { scripttest.Run(t) }

// mainFalse is a program whose engine false/scalar miscounts the turns of its games.
func mainFalse() { cli.Main(falseEngine{engine.Oracle()}) }

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
