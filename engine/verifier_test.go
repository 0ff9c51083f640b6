package engine

import (
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A verifier that finds no fault in a faulty engine is worth nothing, and one that does
// not say which little.
func TestVerifierFindsFaults(t *testing.T) {
	v := testkit.Must(NewVerifier(t.Context(), VerifyOptions{Positions: 5, Games: 8}))(t)
	err := testkit.ErrorOf(v.Verify(t.Context(), &faulty{Engine: Fastest()}))
	testkit.MustEqual(t, err, nil, "an engine without a fault")
	for _, row := range testkit.Rows(t, "testdata/faults.txt", 2) {
		fault, want := row[0], row[1]
		testkit.WantError(t, testkit.ErrorOf(v.Verify(t.Context(), &faulty{Fastest(), fault})), want, "%s", fault)
	}
}

// faulty is an engine with one planted fault.
type faulty struct {
	ur.Engine
	fault string
}

type startError struct{}

func (startError) Error() string { return "does not start" }

func (e *faulty) New(s ur.Setup) (ur.Game, error) {
	switch e.fault {
	case "brains exchanged":
		s.Light, s.Dark = s.Dark, s.Light
	case "turn limit a turn too early":
		s.TurnLimit = max(0, s.TurnLimit-1)
	case "does not start":
		return nil, startError{}
	}
	g, err := e.Engine.New(s)
	return &faultyGame{Game: g, fault: e.fault}, err
}

type faultyGame struct {
	ur.Game
	fault  string
	loaded int
	at     board.Position
	waste  []byte
}

func (g *faultyGame) Load(positions []board.Position) {
	g.Game.Load(positions)
	g.loaded = len(positions)
}

func (g *faultyGame) Values(dst []int32, by board.Side) {
	switch g.fault {
	case "values of all loaded":
		g.Game.Values(dst[:min(cap(dst), g.loaded)], by)
		return
	case "values allocate":
		g.waste = make([]byte, 10)
	}
	g.Game.Values(dst, by)
	if len(dst) > 0 && g.fault == "wrong last value" || len(dst) == g.loaded && g.fault == "wrong value" {
		dst[len(dst)-1]++
	}
}

func (g *faultyGame) Set(p board.Position) {
	g.Game.Set(p)
	g.at = p
}

func (g *faultyGame) Futures(dst []ur.Future, roll int) []ur.Future {
	if g.fault == "futures overwrite" {
		dst = dst[:0]
	}
	before := len(dst)
	dst = g.Game.Futures(dst, roll)
	n := len(dst)
	switch {
	case g.fault == "futures in another order" && n > before+1:
		dst[n-1], dst[n-2] = dst[n-2], dst[n-1]
	case g.fault == "futures without a value" && n > before:
		dst[n-1].Value = 0
	case g.fault == "futures of a finished game" && n == before:
		dst = append(dst, ur.Future{Position: g.at, Pass: true})
	}
	return dst
}

func (g *faultyGame) Play(roll int) (board.Move, bool) {
	move, moved := g.Game.Play(roll)
	switch {
	case g.fault == "moves differ" && move.Capture:
		move.Capture = false
	case g.fault == "stays where it is":
		g.Game.Set(g.at)
	}
	return move, moved
}

func (g *faultyGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	switch g.fault {
	case "step ignored":
		s.Step = 1
	case "winners not told":
		winners = nil
	case "games allocate":
		g.waste = make([]byte, 10)
	}
	t, err := g.Game.Games(winners, s)
	limit, limited := err.(*ur.TurnLimitError)
	switch {
	case g.fault == "tally" && t.Captures > 0:
		t.Captures--
	case g.fault == "winners" && len(winners) > 1:
		winners[s.N-1] = winners[s.N-1].Other()
	case g.fault == "winners beyond the series" && len(winners) > s.N:
		winners[s.N] = board.Light
	case g.fault == "turn limit swallowed":
		err = nil
	case g.fault == "turn limit of another game" && limited:
		limit.Game++
	}
	return t, err
}

func (g *faultyGame) Bytes() int {
	if g.fault == "negative bytes" {
		return -1
	}
	return g.Game.Bytes()
}
