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

var (
	classic = Brain{Spec: "brain", Weights: ur.DefaultBrain()}.Player()
	zero    = Brain{Spec: "zero", Weights: new(ur.Brain)}.Player()
	small   = Brain{Spec: "small", Weights: SquareValues{1, 2, 3, 6, 4, 5, 6, 12, 7, 8, 9, 10, 11, 14, 15}.Brain()}.Player()

	// slowBrain is a brain that Match does not know for one, so that it plays turn by turn.
	slowBrain = Player{Spec: classic.Spec, New: classic.New}
)

// Games 2k and 2k+1 of a match have the dice of game k, the first player being Light in the one and
// Dark in the other: the definition, played one game after another, for an even and an odd number
// of games, on any number of threads, and in an engine, which plays two brains.
func TestMatchByDefinition(t *testing.T) {
	for _, games := range []int{1, 2, 40, 301} {
		for _, pieces := range []int{1, 7} {
			for _, p := range [][]Player{{Greedy, Random}, {classic, small}, {classic, classic}, {zero, First}} {
				want := outcome(byDefinition(t, MatchConfig{Players: p, Seed: 11, Games: games, Pieces: pieces}))
				for _, threads := range []int{1, 2, 8} {
					got := outcome(mustMatch(t, MatchConfig{Players: p, Seed: 11, Games: games, Pieces: pieces, Parallel: threads}))
					if got != want {
						t.Errorf("%s against %s on %d threads: match %s, by definition %s", p[0].Spec, p[1].Spec, threads, got, want)
					}
				}
			}
		}
	}
}

// byDefinition plays a match one game after another.
func byDefinition(t *testing.T, c MatchConfig) (r MatchResult) {
	t.Helper()
	r.Decision = rating.Undecided
	instances := sit(t, c.Players[0], c.Players[1])
	points := 0 // of the first player in the pair
	for number := range c.Games {
		g := Game{Seed: c.Seed, Number: uint64(number / 2), Pieces: c.Pieces, Instances: instances}
		light := number % 2
		if light == 1 {
			g.Instances = [2]Instance{instances[1], instances[0]}
		}
		tally, err := g.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.Tally.Add(tally)
		r.Wins[light] += tally.Wins[board.Light]
		r.Wins[1-light] += tally.Wins[board.Dark]
		won := int(tally.Wins[light]) // by the first player, who is on side light
		if light == 0 {
			points = won
			continue
		}
		r.Pairs[2*(points+won)]++
		r.LightPairs[2*(points+1-won)]++
	}
	return r
}

func TestMatchStopsWithItsContext(t *testing.T) {
	for _, p := range []Player{classic, slowBrain} {
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
			g := Game{Seed: 1, Number: number, TurnLimit: limitTurns, Instances: sit(t, First, First)}
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
