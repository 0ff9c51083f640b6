package play

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/rating"
)

// mustMatch plays a match that must succeed.
func mustMatch(t *testing.T, c MatchConfig) MatchResult {
	t.Helper()
	r, err := Match(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Tally.Games != int64(c.Games) || r.Wins[0]+r.Wins[1] != r.Tally.Games {
		t.Fatalf("%d games: result %+v", c.Games, r)
	}
	return r
}

// outcome is what of a result must not depend on threads or engines.
func outcome(r MatchResult) string { return fmt.Sprint(r.Score, r.Decision) }

// slowBrain is a brain that Match does not know for one, so that it plays turn by turn.
type slowBrain struct{ Brain }

var (
	classic = Brain{Spec: "brain", Weights: ur.DefaultBrain()}
	zero    = Brain{Spec: "zero", Weights: new(ur.Brain)}
	small   = Brain{Spec: "small", Weights: SquareValues{1, 2, 3, 6, 4, 5, 6, 12, 7, 8, 9, 10, 11, 14, 15}.Brain()}
)

func TestMatchIsTheSameOnAnyNumberOfThreads(t *testing.T) {
	pairs := [][]Player{{classic, Random}, {classic, zero}, {Random, Random}, {Greedy, First}}
	for _, players := range pairs {
		for _, games := range []int{1, 2, 3, 701} {
			var want string
			for _, threads := range []int{1, 2, 3, 8} {
				got := outcome(mustMatch(t, MatchConfig{Players: players, Seed: 7, Games: games, Parallel: threads}))
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s against %s, %d games: %s on %d threads, %s on one",
						players[0].Name(), players[1].Name(), games, got, threads, want)
				}
			}
		}
	}
}

// A match in an engine must equal the match turn by turn, and the sides must change
// as documented: the wins of one order are the other's exchanged.
func TestEnginePathEqualsTurnByTurn(t *testing.T) {
	for _, pieces := range []int{1, 3, 7} {
		for _, pair := range [][2]Brain{{classic, zero}, {classic, small}, {classic, classic}} {
			c := MatchConfig{Players: []Player{pair[0], pair[1]}, Seed: 3, Games: 301, Pieces: pieces, Parallel: 2}
			inEngine := outcome(mustMatch(t, c))
			c.Players = []Player{slowBrain{pair[0]}, slowBrain{pair[1]}}
			if byTurns := outcome(mustMatch(t, c)); inEngine != byTurns {
				t.Errorf("%s against %s, %d pieces: %s in the engine, %s turn by turn",
					pair[0].Spec, pair[1].Spec, pieces, inEngine, byTurns)
			}
		}
	}
}

// Games 2k and 2k+1 of a match have the dice of game k, the first player being Light
// in the one and Dark in the other: the definition, played one game after another,
// for an even and an odd number of games.
func TestMatchByDefinition(t *testing.T) {
	for _, games := range []int{40, 41} {
		for _, p := range [][]Player{{Greedy, Random}, {classic, small}} {
			var want MatchResult
			want.Decision = rating.Undecided
			instances := sit(t, p[0], p[1])
			points := 0 // of the first player in the pair
			for number := range games {
				g := Game{Seed: 11, Number: uint64(number / 2), Instances: instances}
				light := number % 2
				if light == 1 {
					g.Instances = [2]Instance{instances[1], instances[0]}
				}
				tally, err := g.Play(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				want.Tally.Add(tally)
				want.Wins[light] += tally.Wins[board.Light]
				want.Wins[1-light] += tally.Wins[board.Dark]
				won := int(tally.Wins[light]) // by the first player, who is on side light
				if light == 0 {
					points = won
					continue
				}
				want.Pairs[2*(points+won)]++
				want.LightPairs[2*(points+1-won)]++
			}
			got := mustMatch(t, MatchConfig{Players: p, Seed: 11, Games: games})
			if outcome(got) != outcome(want) {
				t.Errorf("%s against %s: match %s, by definition %s", p[0].Name(), p[1].Name(), outcome(got), outcome(want))
			}
		}
	}
}

func TestStrength(t *testing.T) {
	tests := []struct {
		strong, weak Player
		percent      int64 // that the strong player wins at least
	}{
		{classic, First, 95},
		{classic, Random, 95},
		{classic, Greedy, 80},
		{Greedy, Random, 90},
	}
	for _, test := range tests {
		r := mustMatch(t, MatchConfig{Players: []Player{test.strong, test.weak}, Seed: 1, Games: 2000})
		t.Logf("%s beats %s in %.1f %%", test.strong.Name(), test.weak.Name(), float64(r.Wins[0])/20)
		if r.Wins[0] < 20*test.percent {
			t.Errorf("%s beats %s in %d games of 2000, want at least %d %%",
				test.strong.Name(), test.weak.Name(), r.Wins[0], test.percent)
		}
	}
}

func TestMatchStopsWithItsContext(t *testing.T) {
	for _, p := range []Player{classic, slowBrain{classic}} {
		ctx, cancel := context.WithCancel(context.Background())
		var games atomic.Int64
		c := MatchConfig{Players: []Player{p, p}, Games: math.MaxInt, Engine: engine.Oracle(), Parallel: 2}
		c.Pieces = 1
		c.Progress = func(n int) {
			games.Add(int64(n))
			cancel()
		}
		r, err := Match(ctx, c)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v, want that of the context", err)
		}
		if r.Tally.Games == 0 || r.Tally.Games != games.Load() || r.Wins[0]+r.Wins[1] != r.Tally.Games {
			t.Errorf("%d games of progress, result %+v", games.Load(), r)
		}
	}
}

// A match that ends before its first game has no time of a game.
func TestMatchWithoutGames(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Match(ctx, MatchConfig{Players: []Player{classic, classic}, Games: 10})
	r.Elapsed = time.Second
	if err == nil || r.Tally.Games != 0 || r.NsPerGame() != 0 || r.NsPerTurn() != 0 {
		t.Errorf("%v; %d games, %v ns each, %v ns a turn", err, r.Tally.Games, r.NsPerGame(), r.NsPerTurn())
	}
}

func TestMatchNamesTheLowestGameOverTheLimit(t *testing.T) {
	const limitTurns = 650 // passed by few games
	for _, threads := range []int{1, 4} {
		c := MatchConfig{Players: []Player{First, First}, Seed: 1, Games: 500, TurnLimit: limitTurns, Parallel: threads}
		_, err := Match(context.Background(), c)
		var limit *ur.TurnLimitError
		if !errors.As(err, &limit) {
			t.Fatalf("error %v, want a turn limit", err)
		}
		t.Log(err)
		for number := range limit.Game {
			g := Game{Seed: 1, Number: number, TurnLimit: limitTurns, Instances: [2]Instance{First, First}}
			if _, err := g.Play(context.Background()); err != nil {
				t.Fatalf("%d threads name game %d, but game %d passes the limit", threads, limit.Game, number)
			}
		}
	}
}

func BenchmarkTurnByTurn(b *testing.B) {
	g := Game{Seed: 1, Instances: sit(b, Greedy, Random)}
	for b.Loop() {
		if _, err := g.Play(context.Background()); err != nil {
			b.Fatal(err)
		}
		g.Number++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "us/game")
}
