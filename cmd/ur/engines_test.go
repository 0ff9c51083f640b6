package main

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/fleetcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
)

func TestSelectEngines(t *testing.T) {
	names := func(patterns ...string) string {
		engines, skipped, err := pick.SelectEngines(patterns)
		if err != nil {
			return err.Error()
		}
		var names []string
		for _, e := range engines {
			names = append(names, e.Name())
		}
		for _, s := range skipped {
			names = append(names, "-"+s.Engine)
		}
		return strings.Join(names, " ")
	}
	t.Setenv("UR_DISABLE", "avx512,avx2")
	for _, test := range []struct{ patterns, want string }{
		{"rows/scalar,bits/scalar", "rows/scalar bits/scalar"},
		{"array*/scalar", "array16/scalar array8/scalar"},
		{"rows*", "rows/scalar"},
		{"zero*", "array16/zeroskip"},
		{"*/z*,bits/[st]*", "array16/zeroskip bits/scalar bits/table"},
		{"*/abacus", `--engine: no engine matches "*/abacus" (want one of array16/scalar, `},
	} {
		if got := names(strings.Split(test.patterns, ",")...); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s selects %q, want %q", test.patterns, got, test.want)
		}
	}
	if _, err := engine.Lookup("array16/avx2"); err != nil {
		return // built without it
	}
	if got := names("array16*"); !strings.Contains(got, "-array16/avx2") {
		t.Errorf("array16* selects %q, want array16/avx2 skipped", got)
	}
	if got, want := names("*avx2"), `--engine: no engine matching "*avx2" runs on this CPU: `; !strings.HasPrefix(got,
		want) {
		t.Errorf("*avx2 selects %q, want %q", got, want)
	}
}

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
	if err := fleetcmd.VerifyEngine(t.Context(), engine.Oracle()); err != nil {
		t.Error(err)
	}
	if err := fleetcmd.VerifyEngine(t.Context(), falseEngine{engine.Oracle()}); err == nil {
		t.Error("an engine that miscounts turns is let in")
	}
}
