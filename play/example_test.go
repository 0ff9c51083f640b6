package play_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
)

// A match has the same result on any machine and any number of goroutines.
func ExampleMatch() {
	brain := play.Brain{Spec: "classic", Weights: ur.ClassicBrain()}.Player()
	result, err := play.Match(context.Background(), play.MatchConfig{
		Players: []play.Player{brain, play.Greedy},
		Seed:    1,
		Games:   1000,
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s %d, greedy %d\n", brain.Spec, result.Wins[0], result.Wins[1])
	// Output: classic 893, greedy 107
}

// A tournament rates its players.
func ExampleMatch_tournament() {
	config := play.MatchConfig{Players: []play.Player{play.Greedy, play.First, play.Random}, Games: 1000, Seed: 1}
	result, err := play.Match(context.Background(), config)
	if err != nil {
		panic(err)
	}
	sheet, err := match.RateOutcome(config.Schedule(), result.Outcome)
	if err != nil {
		panic(err)
	}
	for _, p := range sheet.Players {
		fmt.Printf("%d %s %.0f\n", p.Rank, p.Name, p.Elo)
	}
	// Output:
	// 1 greedy 622
	// 2 random 102
	// 3 first -724
}

// last is an instance of one's own: it moves the piece that is farthest ahead.
type last struct{}

func (last) Choose(_ context.Context, t *play.Turn) (int, error) { return len(t.Moves) - 1, nil }

// A player of one's own can play against all others.
func ExamplePlayer() {
	farthest := play.Player{Spec: "last", New: func(ur.Engine) (play.Instance, error) { return last{}, nil }}
	result, err := play.Match(context.Background(), play.MatchConfig{
		Players: []play.Player{farthest, play.Random},
		Seed:    1,
		Games:   1000,
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("last %d, random %d\n", result.Wins[0], result.Wins[1])
	// Output: last 889, random 111
}

// A game tells an observer of every turn.
func ExampleGame() {
	g := play.Game{Seed: 1, Pieces: 1}
	for side, p := range []play.Player{play.Greedy, play.First} {
		instance, err := p.New(engine.Oracle())
		if err != nil {
			panic(err)
		}
		g.Instances[side] = instance
	}
	g.Observe = func(t *play.Turn) {
		if !t.Passed() && t.Number < 6 {
			fmt.Printf("%s rolls %d: %s\n", t.Side(), t.Roll, board.Finkel().Notation(t.Side(), t.Move()))
		}
	}
	tally, err := g.Play(context.Background())
	if err != nil {
		panic(err)
	}
	winner := board.Light
	if tally.Wins[board.Dark] > 0 {
		winner = board.Dark
	}
	fmt.Printf("%s wins after %d turns\n", winner, tally.Turns)
	// Output:
	// light rolls 3: in-A2
	// dark rolls 1: in-C4
	// light rolls 1: A2-A1*
	// light rolls 2: A1-B2
	// dark rolls 2: C4-C2
	// light rolls 2: B2-B4*
	// dark wins after 19 turns
}
