package reversi

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// played plays a match that must succeed.
func played(t *testing.T, m Match) Score {
	t.Helper()
	return testkit.Must(m.Play(t.Context()))(t).Scores[0]
}

func TestMatchIsTheSameOnThreads(t *testing.T) {
	m := Match{Players: []string{"level:2", "greedy"}, Pairs: 6, Seed: 5}
	want := played(t, m)
	n := want.Wins + want.Draws + want.Lost
	testkit.ErrorIf(t, n != 12 || len(want.Games) != 12 || int(want.Pairs.N())+want.Repeated != 6, "%d games counted, want 12", n)
	testkit.ErrorIf(t, want.Pairs.Score() < 0.6, "level:2 scores %.2f against greedy", want.Pairs.Score())
	m.Parallel = 3
	got := played(t, m)
	testkit.Equal(t, got, want, "on three threads")
	for i, g := range want.Games {
		testkit.ErrorIf(t, !g.End().Over(), "game %d is not finished", i)
		testkit.ErrorIf(t, i%2 == 1 && !reflect.DeepEqual(g.Moves[:4], want.Games[i-1].Moves[:4]),
			"the games of pair %d begin with different openings", i/2)
	}
}

func TestMatchEndsWhenDecided(t *testing.T) {
	m := Match{Players: []string{"greedy", "random"}, Pairs: 2000, Seed: 1, Parallel: 2, SPRT: &rating.SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}}
	out, err := m.Play(t.Context())
	testkit.ErrorIf(t, err != nil || out.Decision == rating.Undecided || out.Scores[0].Pairs.N() >= 2000,
		"%+v, %v", out.Scores, err)
}

func TestMatchesThatMakeNoSense(t *testing.T) {
	ok := []string{"random", "random"}
	for _, m := range []Match{{Players: ok}, {Players: ok, Pairs: 1, Discs: 50}, {Players: []string{"nobody", "random"}, Pairs: 1}} {
		testkit.WantError(t, testkit.ErrorOf(m.Play(t.Context())), "", "%+v", m)
	}
	out, err := (Match{Players: ok, Pairs: 100}).Play(testkit.CanceledContext())
	testkit.ErrorIf(t, !errors.Is(err, context.Canceled) || out.Games != 0, "a cancelled match: %+v, %v", out, err)
}

// No two players of any two games share their random numbers, also in matches whose seeds differ
// by a multiple of 256 or by one.
func TestPlayerSeeds(t *testing.T) {
	seen := map[uint64][3]uint64{}
	for _, seed := range []uint64{0, 1, 2, 255, 256, 257, 512, 1 << 16, 1 << 32, 1<<64 - 1} {
		for game := range uint64(600) {
			for player := range 2 {
				key := [3]uint64{seed, game, uint64(player)}
				s := playerSeed(seed, game, player)
				other, ok := seen[s]
				testkit.FatalIf(t, ok, "seed, game and player %v and %v share the seed %d", other, key, s)
				seen[s] = key
			}
		}
	}
	games := map[string]bool{}
	for _, seed := range []uint64{1, 257} {
		m := Match{Players: []string{"random", "random"}, Pairs: 300, Seed: seed}
		m.Openings = []board.Record{{From: board.StartPosition()}}
		for _, g := range played(t, m).Games {
			games[g.Text()] = true
		}
	}
	testkit.Equal(t, len(games), 2*600, "different games of two matches of 600 random games")
}

// A score is the same after JSON, and one that is not of whole legal games is refused.
func TestScoreAsJSON(t *testing.T) {
	want := played(t, Match{Players: []string{"greedy", "random"}, Pairs: 20, Seed: 3})
	want.Overruns[1], want.MaxOverrun[1] = 2, 3*time.Millisecond
	text := testkit.Must(json.Marshal(want))(t)
	var got Score
	testkit.NoError(t, json.Unmarshal(text, &got))
	testkit.Equal(t, got, want, "read")
	over := want.Games[0].Text()
	want = Score{}
	want.add([2]board.Record{{From: board.StartPosition()}, got.Games[1]}, [2]loss{{true, false, 1}})
	twice := want.Plus(want)
	testkit.ErrorIf(t, twice.Forfeits[0] != 1 || twice.Forfeits[2] != 1 || twice.ForfeitedGames() != [2]int64{0, 2} || twice.Discs != 2*want.Discs,
		"two forfeited games: %+v", twice)
	resigned := Score{}
	resigned.add([2]board.Record{got.Games[0], {From: board.StartPosition()}}, [2]loss{1: {true, true, 0}})
	twice = twice.Plus(resigned)
	testkit.ErrorIf(t, twice.ResignedGames() != [2]int64{1, 0} || twice.ForfeitedGames() != [2]int64{0, 2} ||
		twice.Resigned[0] != 5, "two forfeited games and a resigned one: %+v", twice)
	text = testkit.Must(json.Marshal(twice))(t)
	testkit.NoError(t, json.Unmarshal(text, &got))
	testkit.Equal(t, got, twice, "read")
	for _, bad := range []string{`{"games":["f5","` + over + `"],"forfeits":{"0":2}}`, `{"games":["f5","` + over + `"],"forfeits":{"1":0}}`,
		`{"games":["f5","` + over + `"],"forfeits":{"0":0,"2":0}}`,
		`{"games":["` + over + `","` + over + `"],"resigned":[0]}`, `{"games":["f5d6"]}`, `{"games":["f5d6","f5d6"]}`, `{"games":["a1","a1"]}`, `[]`} {
		testkit.WantError(t, json.Unmarshal([]byte(bad), &got), "", "%s", bad)
	}
}

// Pairs whose games are those of an earlier pair, also mirrored, are no evidence: a test does not count them.
func TestRepeatedPairs(t *testing.T) {
	m := Match{Players: []string{"hand", "greedy"}, Pairs: 40, Discs: 4,
		SPRT: &rating.SPRT{Elo0: 0, Elo1: 300, Alpha: 0.05, Beta: 0.05}}
	out := testkit.Must(m.Play(t.Context()))(t)
	s := out.Scores[0]
	testkit.Equal(t, []int{int(s.Pairs.N()), s.Repeated, int(out.Games)}, []int{1, 39, 80}, "pairs, repeated ones, games")
	testkit.Equal(t, out.Decision, rating.Undecided, "the decision by one pair")
	m = Match{Players: []string{"random", "random"}, Pairs: 3, Seed: 1}
	s = played(t, m)
	testkit.Equal(t, s.Repeated, 0, "repeated pairs of random games")
	mirror := [2]board.Record(s.Games[2:4])
	for i, g := range mirror {
		mirror[i] = board.Record{From: board.StartPosition()}
		for _, move := range g.Moves { // mirrored at the diagonal from a1 to h8, which leaves the start as it is
			testkit.NoError(t, mirror[i].Add(move.Symmetric(4)))
		}
	}
	more := s
	more.add(mirror, [2]loss{})
	testkit.Equal(t, []int{more.Repeated, len(more.Games), int(more.Pairs.N())}, []int{1, 8, 3},
		"with a mirrored pair: repeated ones, games, pairs")
	s.add([2]board.Record(s.Games[:2]), [2]loss{{true, false, 0}})
	testkit.Equal(t, s.Repeated, 0, "repeated pairs with another end of a game")
}

// A score is refused that is of another span or of other openings.
func TestCheckOfScores(t *testing.T) {
	m := Match{Players: []string{"greedy", "random"}, Pairs: 3, Seed: 3}
	score := played(t, m)
	testkit.NoError(t, m.Check(match.Span{Pairs: 3}, score))
	negative := score
	negative.Overruns[1] = -1
	forfeited := score
	forfeited.Forfeits = map[int]int{0: 1}
	for name, c := range map[string]struct {
		span  match.Span
		score Score
	}{
		"forfeited":      {match.Span{Pairs: 3}, forfeited},
		"another number": {match.Span{Pairs: 2}, score},
		"other openings": {match.Span{First: 1, Pairs: 3}, score},
		"half a pair":    {match.Span{Pairs: 3, Odd: true}, score},
		"negative":       {match.Span{Pairs: 3}, negative},
	} {
		testkit.WantError(t, m.Check(c.span, c.score), "", "%s", name)
	}
}

func TestPlayersAreNamed(t *testing.T) {
	for _, name := range []string{"random", "greedy", "hand", "level:1", "level:10", "search:depth=3,exact=8,eval=hand", "search:time=5ms,without=probcut", "search:depth=3,without=evaluation+table"} {
		p, err := ParsePlayer(name, Env{})
		testkit.ErrorIf(t, err != nil || p.Name() != name, "%s: %v", name, err)
	}
	for _, name := range []string{"", "level", "level:0", "level:11", "level:x", "search:", "search:depth=0", "search:depth=99", "search:depth=3,luck=1", "search:time=-1s", "search:depth=3,eval=guess", "search:depth=3,without=luck", "search:depth=3,without=", "wizard"} {
		testkit.WantError(t, testkit.ErrorOf(ParsePlayer(name, Env{})), "", "%q", name)
	}
	for name, want := range map[string]string{
		"search:depth=abc": `depth: is "abc" (want 1 to 60)`, "search:depth=0,time=5ms": `depth: is "0" (want 1 to 60)`,
		"search:exact=61,depth=1": `exact: is "61" (want 0 to 60)`, "search:threads=0,depth=1": `threads: is "0" (want 1 or more)`,
		"search:time=0,depth=1": `time: is "0" (want a time as in 100ms or 2s)`, "search:time=x": `time: is "x" (want a time as in`,
	} {
		testkit.WantError(t, testkit.ErrorOf(ParsePlayer(name, Env{})), want, "%q", name)
	}
}

// Every player answers every kind of position, and at once when its context is over.
func TestPlayersAnswer(t *testing.T) {
	must := testkit.Must(board.ParseRecord(board.StartPosition(), "f5f6d3g5h5h4f7h6"))(t)
	over := testkit.Must(board.ParseRecord(board.StartPosition(), "f5f4c3c6c5d6f3c4c7"))(t)
	for _, name := range []string{"random", "greedy", "hand", "level:3", "search:time=5ms,exact=20"} {
		p := testkit.Must(ParsePlayer(name, Env{}))(t)
		c := testkit.Must(p.Choose(context.Background(), must.End(), Limits{}))(t)
		testkit.Equal(t, c.Square, board.Pass, "the answer of %s, which must pass", name)
		err := testkit.ErrorOf(p.Choose(context.Background(), over.End(), Limits{AllMoves: true}))
		testkit.WantErrorIs(t, err, ErrOver, "%s in a finished game", name)
		c, err = p.Choose(testkit.CanceledContext(), board.StartPosition(), Limits{Time: time.Hour})
		testkit.ErrorIf(t, err != nil || board.Start.Moves()&c.Square.Bit() == 0,
			"%s, stopped: %s, %v", name, c.Square, err)
	}
	thinker := testkit.Must(ParsePlayer("level:2", Env{}))(t)
	c, err := thinker.Choose(context.Background(), board.StartPosition(), Limits{AllMoves: true})
	testkit.ErrorIf(t, err != nil || len(c.Moves) != 4, "hints: %+v, %v", c, err)
	testkit.WantError(t, testkit.ErrorOf(NewThinker(Settings{Name: "timeless"})), "timeless", "no end")
}
