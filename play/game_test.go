package play

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play/record"
)

// sit returns instances of two players for a game.
func sit(t testing.TB, light, dark Player) [2]Instance {
	t.Helper()
	var instances [2]Instance
	for side, p := range [2]Player{light, dark} {
		instances[side] = testkit.Must(p.New(engine.Oracle()))(t)
	}
	return instances
}

// Every turn of a game must follow from the dice and the rules, and begin where the
// last one ended; the tally must count what was observed.
func TestGameFollowsTheRules(t *testing.T) {
	const seed = 5
	for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
		var seen ur.Tally
		position := board.StartPosition(pieces)
		g := Game{Seed: seed, Number: 9, Pieces: pieces, Instances: sit(t, Random, Greedy)}
		g.Observe = func(turn *Turn) {
			testkit.FatalIf(t, turn.Position != position || turn.Number != int(seen.Turns),
				"turn %d is at %s, want turn %d at %s", turn.Number, board.Finkel().FormatPosition(turn.Position),
				seen.Turns, board.Finkel().FormatPosition(position))
			testkit.MustEqual(t, turn.Roll, board.Finkel().Roll(seed, 9, uint64(seen.Turns)),
				"turn %d: roll", turn.Number)
			testkit.FatalIf(t, !slices.Contains(board.Finkel().Futures(nil, position, turn.Roll), turn.Next),
				"turn %d: %s does not follow from %s by a roll of %d", turn.Number,
				board.Finkel().FormatPosition(turn.Next), board.Finkel().FormatPosition(position), turn.Roll)
			position = turn.Next
			if seen.Turns++; turn.Passed() {
				seen.Passes++
				return
			}
			seen.Moves++
			if turn.Move().Capture {
				seen.Captures++
			}
			if board.IsRosette(int(turn.Move().To)) {
				seen.Rosettes++
			}
		}
		tally := testkit.Must(g.Play(context.Background()))(t)
		winner, over := position.Winner()
		testkit.MustEqual(t, over, true, "somebody has won at %s", board.Finkel().FormatPosition(position))
		seen.Games, seen.Wins[winner] = 1, 1
		testkit.Equal(t, tally, seen, "%d pieces: tally", pieces)
	}
}

// instanceFunc is an instance for tests.
type instanceFunc func(*Turn) (int, error)

func (f instanceFunc) Choose(_ context.Context, t *Turn) (int, error) { return f(t) }

func TestGameStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	tired, first := errors.New("tired"), sit(t, First, First)[0]
	cancelling := instanceFunc(func(*Turn) (int, error) { cancel(); return 0, nil })
	for _, test := range []struct {
		name string
		game Game
		ok   func(error) bool
	}{
		{"error of an instance",
			Game{Instances: [2]Instance{first, instanceFunc(func(*Turn) (int, error) { return 0, tired })}},
			func(err error) bool { return errors.Is(err, tired) }},
		{"move that is not there",
			Game{Instances: [2]Instance{first,
				instanceFunc(func(turn *Turn) (int, error) { return len(turn.Moves), nil })}},
			func(err error) bool { return err != nil }},
		{"turn limit", Game{Seed: 3, Number: 4, TurnLimit: 20, Instances: [2]Instance{first, first}},
			func(err error) bool {
				var limit *ur.TurnLimitError
				return errors.As(err, &limit) && *limit == ur.TurnLimitError{Seed: 3, Game: 4, Limit: 20}
			}},
		{"pieces", Game{Pieces: 8}, func(err error) bool { return strings.Contains(err.Error(), "must be 1 to 7") }},
		{"context", Game{Instances: [2]Instance{first, cancelling}},
			func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		tally, err := test.game.Play(ctx)
		testkit.Equal(t, test.ok(err), true, "%s: the error %v is that one", test.name, err)
		testkit.Equal(t, tally.Games, 0, "%s: the games of the tally", test.name)
	}
}

// A match that is recorded is the match that is not, and played again from its record, read
// from text, it has the same tally and wins; on any number of threads the same bytes.
func TestMatchReplays(t *testing.T) {
	for _, players := range [][]Player{{classic, small}, {Greedy, Random}} {
		c := MatchConfig{Players: players, Games: 301, Seed: 5, Pieces: 3}
		want := mustMatch(t, c)
		var first []byte
		for _, threads := range []int{1, 3} {
			var text bytes.Buffer
			w := record.NewWriter(&text, record.Formats()[0])
			c.Parallel, c.Record = threads, w.Write
			testkit.Equal(t, mustMatch(t, c).Score, want.Score, "recorded")
			testkit.NoError(t, w.Close())
			if first == nil {
				first = text.Bytes()
			}
			testkit.Equal(t, text.String(), string(first), "the record of %d threads", threads)
		}
		var tally ur.Tally
		var wins [2]int64
		r := record.NewReader(bytes.NewReader(first), record.Formats()[0])
		for n := 0; ; n++ {
			g, err := r.Next()
			if err == io.EOF {
				break
			}
			testkit.NoError(t, err)
			_, err = g.Replay(func(s *record.Step) { s.Count(&tally) })
			testkit.FatalIf(t, err != nil || g.Players[n%2] != players[0].Spec, "game %d: %v, players %v", n, err,
				g.Players)
			winner, _ := g.Result.Winner()
			tally.Games++
			tally.Wins[winner]++
			wins[(int(winner)+n)%2]++
		}
		testkit.Equal(t, tally, want.Tally, "played again")
		testkit.Equal(t, wins, want.Wins, "wins, played again")
	}
}

// A record that cannot be written ends the match with its error.
func TestMatchCannotBeRecorded(t *testing.T) {
	broken := errors.New("broken")
	c := MatchConfig{Players: []Player{Greedy, Random}, Games: 10_000, Pieces: 2,
		Record: func(*record.Game) error { return broken }}
	r, err := Match(t.Context(), c)
	testkit.ErrorIf(t, !errors.Is(err, broken) || r.Tally.Games >= 10_000, "%d games, error %v", r.Tally.Games, err)
}
