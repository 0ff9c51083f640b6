package play

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// mustMatch plays a match that must succeed.
func mustMatch(t *testing.T, c MatchConfig) MatchResult {
	t.Helper()
	r := testkit.Must(Match(context.Background(), c))(t)
	testkit.FatalIf(t, r.Tally.Games != int64(c.Games) || r.Wins[0]+r.Wins[1] != r.Tally.Games, "%d games: result %+v",
		c.Games, r)
	return r
}

// outcome is what of a result must not depend on threads or engines.
func outcome(r MatchResult) string { return fmt.Sprint(r.Score, r.Decision) }

var (
	classic = Brain{Spec: "brain", Weights: ur.DefaultBrain()}.Player()
	zero    = Brain{Spec: "zero", Weights: new(ur.Brain)}.Player()
	small   = Brain{Spec: "small",
		Weights: SquareValues{1, 2, 3, 6, 4, 5, 6, 12, 7, 8, 9, 10, 11, 14, 15}.Brain()}.Player()

	// slowBrain is a brain that Match does not know for one, so that it plays turn by turn.
	slowBrain = Player{Spec: classic.Spec, New: classic.New}
)

// Games 2k and 2k+1 of a match have the dice of game k, the first player being Light in the one and
// Dark in the other: the definition, played one game after another, for an even and an odd number
// of games, on any number of threads, and in an engine, which plays two brains.
func TestMatchByDefinition(t *testing.T) {
	for _, games := range []int{1, 2, 40, testkit.Trials(101, 301)} {
		for _, pieces := range []int{1, 7} {
			for _, p := range [][]Player{{Greedy, Random}, {classic, small}, {classic, classic}, {zero, First}} {
				want := outcome(byDefinition(t, MatchConfig{Players: p, Seed: 11, Games: games, Pieces: pieces}))
				for _, threads := range []int{1, 2, 8} {
					c := MatchConfig{Players: p, Seed: 11, Games: games, Pieces: pieces, Parallel: threads}
					testkit.Equal(t, outcome(mustMatch(t, c)), want, "%s against %s on %d threads: match", p[0].Spec,
						p[1].Spec, threads)
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
		tally := testkit.Must(g.Play(t.Context()))(t)
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
		c := MatchConfig{Players: []Player{p, p}, Games: math.MaxInt, Engine: engine.Oracle(), Parallel: 2, Pieces: 1}
		c.Progress = func(n int) {
			games.Add(int64(n))
			cancel()
		}
		r, err := Match(ctx, c)
		testkit.WantErrorIs(t, err, context.Canceled, "the match")
		testkit.ErrorIf(t, r.Tally.Games == 0 || r.Tally.Games != games.Load() || r.Wins[0]+r.Wins[1] != r.Tally.Games,
			"%d games of progress, result %+v", games.Load(), r)
	}
}

// A match that ends before its first game has no time of a game.
func TestMatchWithoutGames(t *testing.T) {
	r, err := Match(testkit.CanceledContext(), MatchConfig{Players: []Player{classic, classic}, Games: 10})
	r.Elapsed = time.Second
	testkit.ErrorIf(t, err == nil || r.Tally.Games != 0 || r.NsPerGame() != 0 || r.NsPerTurn() != 0,
		"%v; %d games, %v ns each, %v ns a turn", err, r.Tally.Games, r.NsPerGame(), r.NsPerTurn())
}

// The time of a game is that of the games played now, not of those in the log.
func TestTimeOfResumedMatch(t *testing.T) {
	var r MatchResult
	r.Tally.Games, r.Tally.Turns, r.Games, r.Played, r.Elapsed = 100, 5000, 100, 10, time.Second
	testkit.Equal(t, [2]float64{r.NsPerGame(), r.NsPerTurn()}, [2]float64{1e8, 2e6}, "ns a game and a turn")
}

func TestMatchNamesTheLowestGameOverTheLimit(t *testing.T) {
	const limitTurns = 650 // passed by few games
	for _, threads := range []int{1, 4} {
		c := MatchConfig{Players: []Player{First, First}, Seed: 1, Games: 500, TurnLimit: limitTurns, Parallel: threads}
		_, err := Match(context.Background(), c)
		limit, ok := errors.AsType[*ur.TurnLimitError](err)
		testkit.MustEqual(t, ok, true, "%v is a turn limit", err)
		for number := range limit.Game {
			g := Game{Seed: 1, Number: number, TurnLimit: limitTurns, Instances: sit(t, First, First)}
			testkit.MustEqual(t, testkit.ErrorOf(g.Play(context.Background())), nil,
				"%d threads name game %d: game %d", threads, limit.Game, number)
		}
	}
}

func BenchmarkTurnByTurn(b *testing.B) {
	g := Game{Seed: 1, Instances: sit(b, Greedy, Random)}
	for b.Loop() {
		testkit.Must(g.Play(context.Background()))(b)
		g.Number++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "us/game")
}

func mustTournament(t *testing.T, c MatchConfig) MatchResult {
	t.Helper()
	r := testkit.Must(Match(context.Background(), c))(t)
	testkit.MustEqual(t, sheetOf(t, c, r).Complete, true, "the sheet is complete")
	testkit.MustEqual(t, r.Games, int64(c.Schedule().TotalGames()), "games")
	return r
}

// sheetOf rates the players of a result.
func sheetOf(t *testing.T, c MatchConfig, r MatchResult) match.Sheet {
	t.Helper()
	return testkit.Must(match.RateOutcome(c.Schedule(), r.Outcome))(t)
}

// Each pairing must be the match of its players with its seed, on any number of
// threads, and the ranking the order of strength.
func TestTournament(t *testing.T) {
	for _, gauntlet := range []bool{false, true} {
		// The strengths of the players are far apart, and two are brains.
		c := MatchConfig{Players: []Player{small, classic, Random}, Games: 400, Seed: 9, Gauntlet: gauntlet}
		var want []Score
		for _, threads := range []int{1, 2, 5} {
			var told atomic.Int64
			c.Parallel, c.Progress = threads, func(games int) { told.Add(int64(games)) }
			r := mustTournament(t, c)
			if want == nil {
				want = r.Scores
			}
			testkit.Equal(t, r.Scores, want, "%d threads: scores", threads)
			testkit.Equal(t, []int64{told.Load(), r.Played}, []int64{r.Games, r.Games},
				"%d threads: games told, played", threads)
		}
		r := mustTournament(t, c)
		pairings := [][2]int{{0, 1}, {0, 2}, {1, 2}}
		if gauntlet {
			pairings = pairings[:2]
		}
		testkit.MustEqual(t, len(r.Scores), len(pairings), "pairings")
		for k, p := range sheetOf(t, c, r).Pairings {
			players := []Player{c.Players[pairings[k][0]], c.Players[pairings[k][1]]}
			m := mustMatch(t, MatchConfig{Players: players, Seed: 9 + uint64(k), Games: 400})
			testkit.Equal(t, p.Players, [2]string{players[0].Spec, players[1].Spec}, "players of pairing %d", k)
			testkit.Equal(t, r.Scores[k], m.Score, "score of pairing %d", k)
		}
		mean := 0.0
		for _, p := range sheetOf(t, c, r).Players {
			mean += p.Elo / 3
			first := p.Name == c.Players[0].Spec
			testkit.ErrorIf(t, gauntlet && first && (p.Elo != 0 || p.EloLow != 0 || p.EloHigh != 0),
				"the first player of a gauntlet has %+v", p)
		}
		if !gauntlet {
			testkit.Near(t, mean, 0, 1e-9, "mean of a round robin")
		}
		testkit.Equal(t, ranking(sheetOf(t, c, r)), "brain small random", "ranking")
	}
}

// ranking returns the names of the players by rank.
func ranking(s match.Sheet) string {
	var names []string
	for i, p := range s.Players {
		if p.Rank != i+1 {
			return "ranks out of order"
		}
		names = append(names, p.Name)
	}
	return strings.Join(names, " ")
}

func TestMatchRefuses(t *testing.T) {
	two := []Player{classic, small}
	for want, c := range map[string]MatchConfig{
		"Players must be two at least": {Players: two[:1], Games: 2},
		"even number":                  {Players: []Player{classic, small, First}, Games: 3},
		"at least 1":                   {Players: two},
		"SPRT needs two players":       {Players: []Player{classic, small, First}, Games: 2, SPRT: new(rating.SPRT)},
		"SPRT: ":                       {Players: two, Games: 1, SPRT: new(rating.SPRT)},
		"is there twice":               {Players: []Player{classic, small, classic}, Games: 2},
		"must not be empty, number 1":  {Players: []Player{classic, {}}, Games: 2},
		"must be 1 to 7, got 9":        {Players: two, Games: 2, Pieces: 9},
		"Parallel must be at least 1":  {Players: two, Games: 2, Parallel: -1},
		"and at most 4096":             {Players: two, Games: 2, Parallel: MaxParallel + 1},
		"TurnLimit must be 1 ":         {Players: two, Games: 2, TurnLimit: -1},
		"by a table of 7 pieces":       {Players: two, Games: 2, Luck: solvetest.Table(t, 2)},
	} {
		testkit.WantError(t, testkit.ErrorOf(Match(context.Background(), c)), want, "Match")
	}
	c := MatchConfig{Players: []Player{First, Random, classic}, Games: 200, TurnLimit: 100}
	testkit.WantErrorAs[*ur.TurnLimitError](t, testkit.ErrorOf(Match(t.Context(), c)), "first against random: ",
		"games over the limit")
}

// playLogged plays a tournament with a log, whose file is opened and closed.
func playLogged(t *testing.T, c MatchConfig, name string) (MatchResult, error) {
	t.Helper()
	log := testkit.Must(match.OpenLog(name))(t)
	defer log.Close()
	c.Log = log
	return Match(context.Background(), c)
}

// The log of another match is refused, whatever differs.
func TestLogOfOthers(t *testing.T) {
	c := MatchConfig{Players: []Player{Greedy, First}, Games: 4, Pieces: 1, Seed: 4}
	name := filepath.Join(t.TempDir(), "log.jsonl")
	testkit.Must(playLogged(t, c, name))(t)
	for want, change := range map[string]func(*MatchConfig){
		"player 2 is \"first\" (want \"random\")": func(c *MatchConfig) { c.Players = []Player{Greedy, Random} },
		"gauntlet is false (want true)":           func(c *MatchConfig) { c.Gauntlet = true },
		"games is 4 (want 6)":                     func(c *MatchConfig) { c.Games = 6 },
		"seed is 4 (want 5)":                      func(c *MatchConfig) { c.Seed = 5 },
		"pieces is 1 (want 7)":                    func(c *MatchConfig) { c.Pieces = 0 },
		"turn limit is ":                          func(c *MatchConfig) { c.TurnLimit = 5000 },
	} {
		other := c
		change(&other)
		testkit.WantError(t, testkit.ErrorOf(playLogged(t, other, name)), want, "playLogged")
	}
}

func TestSPRTStopsAMatch(t *testing.T) {
	for _, test := range []struct {
		first, second Player
		want          rating.TestDecision
	}{{classic, small, rating.AcceptedH1}, {small, classic, rating.AcceptedH0}, {slowBrain, First, rating.AcceptedH1}} {
		var want string
		for _, threads := range []int{1, 2, 5} {
			sprt := rating.DefaultSPRT()
			c := MatchConfig{
				Players: []Player{test.first, test.second}, Seed: 3, Games: 1_000_000, Parallel: threads, SPRT: &sprt,
			}
			r := testkit.Must(Match(context.Background(), c))(t)
			testkit.MustEqual(t, r.Decision, test.want, "%s against %s", test.first.Spec, test.second.Spec)
			told := r.Tally.Games
			if want == "" {
				want = outcome(r)
			}
			testkit.ErrorIf(t, told == 0 || told >= 1_000_000 || outcome(r) != want,
				"%d threads: %s, one %s", threads, outcome(r), want)
			// What counts is what a match of that many games without a test is.
			c.SPRT, c.Games = nil, int(told)
			testkit.Equal(t, mustMatch(t, c).Score, r.Score, "the score of %d games without a test", told)
		}
	}
}

// A runner plays a match of two: a tournament has one runner for each pairing.
func TestRunnerNeedsTwoPlayers(t *testing.T) {
	for _, players := range [][]Player{nil, {First}, {First, Random, First}} {
		_, err := NewRunner(t.Context(), MatchConfig{Players: players})
		testkit.WantError(t, err, "must be two for a runner", "%d players", len(players))
	}
}
