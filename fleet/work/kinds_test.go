package work

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/train"
)

// A match of Reversi on a fleet is the match on one machine, also with weights of a file.
func TestReversiIsThatOfOneMachine(t *testing.T) {
	t.Parallel()
	weights := testkit.Must(eval.Learned())(t)
	file := filepath.Join(t.TempDir(), "weights.bin")
	testkit.NoError(t, safefile.Write(file, weights.Write))
	opening := testkit.Must(board.ParseRecord(board.StartPosition(), "f5d6c3"))(t)
	conn := newFleet(t, 2)
	m := reversi.Match{Players: [2]string{"search:depth=1,exact=2", "random"}, Pairs: 6, Seed: 3, Parallel: 4}
	for weights, openings := range map[string][]board.Record{"learned": nil, file: {opening}} {
		m := m
		m.Openings = openings
		m.New = func(name string) (reversi.Player, error) {
			return reversi.ParsePlayer(name, reversi.Env{OpenWeights: eval.Open})
		}
		want := testkit.Must(m.Play(t.Context()))(t)
		backend := NewReversi(conn)
		backend.Verify = 1
		m.Players[0] = "search:depth=1,exact=2,eval=" + weights
		m.Backend = backend
		got := testkit.Must(m.Play(t.Context()))(t)
		testkit.Equal(t, got.Scores, want.Scores, "openings %v, weights %q: scores on the fleet", openings, weights)
		testkit.NoError(t, backend.Close(t.Context()))
	}
}

// A worker opens no file of its machine by its name, and an error quotes none.
func TestReversiOpensNoLocalFiles(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	testkit.WriteText(t, secret, "password")
	fetch := func(string) (string, error) { return secret, nil }
	for _, spec := range []reversiSpec{
		{Players: [2]string{"random", "search:depth=1,book=" + secret}},
		{Players: [2]string{"random", "search:depth=1,book=" + fileMark + "00"}},
		{Players: [2]string{"random", "search:depth=1,eval=" + secret}},
		{Players: [2]string{"random", "search:depth=1,eval=" + fileMark + "00"}},
		{Players: [2]string{"random", "nobody"}},
		{Players: [2]string{"random", "random"}, Discs: 99},
		{Players: [2]string{"random", "random"}, Openings: []string{"a1"}},
	} {
		_, err := reversiKind{}.Open(t.Context(), testkit.Must(json.Marshal(spec))(t), fetch)
		testkit.WantErrorAs[*fleet.Failure](t, err, "", "%+v", spec)
		testkit.ErrorIf(t, err != nil && strings.Contains(err.Error(), "password"), "%+v: %v", spec, err)
	}
}

// A result of another task, or with games that no match has, is refused.
func TestReversiResults(t *testing.T) {
	m := reversi.Match{Players: [2]string{"random", "random"}, Pairs: 4, Seed: 1}
	runner := testkit.Must(m.Runner())(t)
	span := match.Span{First: 2, Pairs: 1}
	score := testkit.Must(runner.Play(t.Context(), span))(t)
	output := testkit.Must(json.Marshal(score))(t)
	check := func(m reversi.Match, s match.Span, output []byte) error {
		return checkWith(m.Check)(testkit.Must(json.Marshal(s))(t), output)
	}
	testkit.NoError(t, check(m, span, output))
	other := m
	other.Seed = 2
	short := strings.Replace(string(output), score.Games[0].Text(), score.Games[0].Text()[:20], 1)
	for name, err := range map[string]error{
		"another task":       check(m, match.Span{First: 3, Pairs: 1}, output),
		"another match":      check(other, span, output),
		"an unfinished game": check(m, span, []byte(short)),
		"no JSON":            check(m, span, []byte("{")),
	} {
		testkit.WantError(t, err, "", "%s", name)
	}
}

// An evolution whose games are played on a fleet learns the same brain.
func TestEvolutionIsThatOfOneMachine(t *testing.T) {
	t.Parallel()
	evolve := func(backend match.Backend[play.MatchConfig, play.Score]) *ur.Brain {
		c := train.EvolveConfig{Pairs: 4, Games: 64}
		c.Seed, c.Pieces = 3, 2
		if backend != nil {
			c.PlayAt(backend, 8)
		}
		e := testkit.Must(c.Learner(t.Context()))(t)
		for range 3 {
			testkit.Must(e.Step(t.Context()))(t)
		}
		return e.(interface{ Brain() *ur.Brain }).Brain()
	}
	duels := testkit.Must(NewDuels(t.Context(), newFleet(t, 2)))(t)
	got, want := evolve(duels), evolve(nil)
	testkit.ErrorIf(t, *got != *want || *want == (ur.Brain{}), "on the fleet %v, alone %v", got, want)
}

// A duel that cannot be is not fought, and a score that it cannot have is not believed.
func TestDuelsThatCannotBe(t *testing.T) {
	t.Parallel()
	runner := duelKind{engine.Fastest()}
	w := duelWork{
		matchSpec: matchSpec{Seed: 1, Pieces: 3, TurnLimit: 1000}, Span: match.Span{Pairs: 10},
		Weights: [2][]int16{ur.DefaultBrain()[:], ur.ClassicBrain()[:]},
	}
	run := func(w duelWork) (any, error) { return runner.Run(t.Context(), testkit.Must(json.Marshal(w))(t)) }
	got := testkit.Must(run(w))(t)
	want := testkit.Must(play.Match(t.Context(), play.MatchConfig{
		Players: players(t, "brain", "brain:classic"), Seed: 1, Games: 20, Pieces: 3, Engine: engine.Oracle(),
	}))(t)
	testkit.Equal(t, got, any(want.Score), "the score of the duel")
	testkit.NoError(t, w.check(w.Span, want.Score))
	for name, change := range map[string]func(w *duelWork){
		"a short brain": func(w *duelWork) { w.Weights[0] = w.Weights[0][1:] },
		"no brain":      func(w *duelWork) { w.Weights[1] = nil },
		"eight pieces":  func(w *duelWork) { w.Pieces = 8 },
		"no turns":      func(w *duelWork) { w.TurnLimit = 0 },
		"fewer pairs":   func(w *duelWork) { w.Span.Pairs = -1 },
	} {
		changed := w
		change(&changed)
		_, err := run(changed)
		testkit.ErrorIf(t, !isFailure(err), "%s: the duel is fought, or tried again: %v", name, err)
	}
	short := w
	short.Span.Pairs--
	testkit.WantError(t, short.check(short.Span, want.Score), "", "more games than the duel has are believed")
}
