package reversi

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/engine"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

func TestParseClock(t *testing.T) {
	for text, want := range map[string]Clock{
		"5m+0": {Left: 5 * time.Minute}, "5m": {Left: 5 * time.Minute}, "1m30s+2": {90 * time.Second, 2 * time.Second},
		"10s+0.5": {10 * time.Second, 500 * time.Millisecond}, "1s+20ms": {time.Second, 20 * time.Millisecond},
	} {
		testkit.Equal(t, testkit.Must(ParseClock(text))(t), want, "%s", text)
		testkit.Equal(t, testkit.Must(ParseClock(want.String()))(t), want, "%s", want)
	}
	for _, text := range []string{"", "5", "0", "0s+1", "-5m+0", "5m+", "5m+-1", "5m+x", "5m+1+1", "5m+1e300", "5m+NaN"} {
		testkit.WantError(t, testkit.ErrorOf(ParseClock(text)), "", "%q", text)
	}
}

// A share is never more than half of the rest, and the rest of a clock is never nothing.
func TestClockShare(t *testing.T) {
	for _, left := range []time.Duration{time.Millisecond, time.Second, time.Hour} {
		for empties := range 61 {
			c := Clock{Left: left, Increment: time.Second}
			s := c.share(empties)
			testkit.ErrorIf(t, s < time.Millisecond || s > max(time.Millisecond, left/2),
				"%v with %d empty: %v", c, empties, s)
		}
	}
	testkit.Equal(t, (Clock{}).share(30), 0, "the share of no clock")
	late := Clock{Left: time.Second, Increment: time.Minute}.After(time.Hour)
	testkit.Equal(t, late.Left, time.Minute+time.Millisecond, "the rest of a clock that ran out")
}

// A move's limit is the least of the player's, the move's and a part of the clock.
func TestTimekeeperLimits(t *testing.T) {
	var k timekeeper
	for want, c := range map[time.Duration]struct {
		own time.Duration
		l   Limits
	}{
		0:                {},
		time.Second:      {time.Second, Limits{Time: time.Minute}},
		2 * time.Second:  {time.Minute, Limits{Time: 2 * time.Second}},
		3 * time.Second:  {3 * time.Second, Limits{Clock: Clock{Left: time.Hour}}},
		60 * time.Second: {0, Limits{Clock: Clock{Left: 4 * time.Minute}}}, // 11 moves behind this one, three shares
		time.Millisecond: {0, Limits{Clock: Clock{Left: time.Millisecond}}},
	} {
		testkit.Equal(t, k.start(c.l, c.own, 30), want, "own %v, %+v", c.own, c.l)
	}
}

// A stable move ends a search earlier than one that changes, and without a clock nothing ends.
func TestTimekeeperStops(t *testing.T) {
	spent := func(moves ...board.Square) time.Duration {
		k := timekeeper{share: time.Second, best: board.None, begin: time.Now()}
		for _, m := range moves {
			k.goOn(engine.Result{Best: m})
		}
		return k.enough()
	}
	a, b, c := spent(1, 1, 1, 1, 1, 1), spent(1, 2, 2, 2), spent(1, 1, 1, 1, 1, 2)
	testkit.ErrorIf(t, !(a < b && b < c && c <= time.Second),
		"a stable move ends a search after %v, a newer one after %v, a new one after %v", a, b, c)
	for name, c := range map[string]struct {
		limits Limits
		goOn   bool
	}{"with a clock": {Limits{Clock: Clock{Left: time.Second}}, false}, "without a clock": {Limits{Time: time.Nanosecond}, true}} {
		var k timekeeper
		k.start(c.limits, 0, 30)
		k.begin = k.begin.Add(-time.Hour)
		testkit.Equal(t, k.goOn(engine.Result{Best: 1}), c.goOn, "%s: a late search goes on", name)
	}
}

// A thinker on a clock ends in time, and chooses from a finished search.
func TestThinkerOnAClock(t *testing.T) {
	p := testkit.Must(ParsePlayer("search:depth=60,exact=10", Env{}))(t)
	c, err := p.Choose(t.Context(), board.StartPosition(), Limits{Clock: Clock{Left: 5 * time.Second}})
	testkit.ErrorIf(t, err != nil || c.Depth == 0 || c.Depth == 60 || c.Elapsed > 100*time.Second, "%+v, %v", c, err)
}

// clocked notes its clocks, and takes a time for every move.
type clocked struct {
	greedy
	clocks []Clock
	games  int
}

func (c *clocked) NewGame(uint64) { c.games++ }

func (c *clocked) Choose(ctx context.Context, p board.Position, l Limits) (Choice, error) {
	c.clocks = append(c.clocks, l.Clock)
	time.Sleep(3 * time.Millisecond / 2)
	return c.greedy.Choose(ctx, p, l)
}

// The clocks of a match go down, begin again with every game, and overruns are moves behind
// their end, or behind the time of a move. The time is simulated.
func TestClocksOfAMatch(t *testing.T) { synctest.Test(t, testClocksOfAMatch) }

func testClocksOfAMatch(t *testing.T) {
	player := new(clocked)
	m := Match{Players: []string{"clocked", "random"}, Pairs: 1, Seed: 1, Limits: Limits{Clock: Clock{Left: 10 * time.Millisecond}}}
	m.New = func(name string) (Player, error) {
		if name == "clocked" {
			return player, nil
		}
		return ParsePlayer(name, Env{})
	}
	s := played(t, m)
	full := 0
	for i, c := range player.clocks {
		switch {
		case c.Left == 10*time.Millisecond:
			full++
		case c.Left > player.clocks[i-1].Left:
			t.Errorf("move %d: the clock goes up to %v", i, c.Left)
		}
	}
	testkit.Equal(t, full, 2, "games that begin with a full clock")
	testkit.ErrorIf(t, s.Overruns[0] < 2 || s.Overruns[1] > 0, "%v moves over the time", s.Overruns)
	m.Limits = Limits{Time: time.Microsecond}
	s = played(t, m)
	testkit.ErrorIf(t, s.Overruns[0] < 20 || s.MaxOverrun[0] <= 0, "%d moves over the time, by %v at most",
		s.Overruns[0], s.MaxOverrun[0])
	m.Limits = Limits{}
	testkit.Equal(t, played(t, m).Overruns, [2]int{}, "moves over the time without a limit")
}

// ponderHit lets a player think on the opponent's time to the end, and returns what it
// answers to the expected reply, warm and cold.
func ponderHit(t *testing.T, s Settings, line string) (warm, cold Choice) {
	t.Helper()
	record := testkit.Must(board.ParseRecord(board.StartPosition(), line))(t)
	player := testkit.Must(NewThinker(s))(t)
	ctx := context.Background()
	own := testkit.Must(player.Choose(ctx, record.End(), Limits{}))(t)
	p := testkit.Must(record.End().Play(own.Square))(t)
	reply := board.None
	if len(own.Line) > 1 {
		reply = own.Line[1]
	}
	player.NewGame(0)
	Ponder(ctx, player, record.End(), own)
	player.pondering.Wait()
	if reply == board.None {
		reply = board.First(p.Moves())
	}
	p = testkit.Must(p.Play(reply))(t)
	warm = testkit.Must(player.Choose(ctx, p, Limits{}))(t)
	player.NewGame(0)
	cold = testkit.Must(player.Choose(ctx, p, Limits{}))(t)
	return warm, cold
}

// After the expected move a player that pondered searches fewer positions, in the midgame
// and where it solves.
func TestPonderHitSearchesLess(t *testing.T) {
	w := testkit.Must(eval.Learned())(t)
	late := board.Record{From: board.StartPosition()}
	for p := late.End(); p.Empties() > 16; p = late.End() {
		move := board.Pass
		if p.Moves() != 0 {
			move = board.First(p.Moves())
		}
		testkit.NoError(t, late.Add(move))
	}
	for name, line := range map[string]string{"midgame": "f5d6c3", "endgame": late.Text()} {
		warm, cold := ponderHit(t, Settings{Name: name, Weights: w, Depth: 8, Exact: 16}, line)
		testkit.ErrorIf(t, warm.Nodes >= cold.Nodes/2 || warm.Score != cold.Score && name == "endgame",
			"%s: %+v after pondering, %+v without", name, warm, cold)
		t.Logf("%s: %d nodes after pondering, %d without", name, warm.Nodes, cold.Nodes)
	}
}

// A move's time begins when pondering has ended, and a move without any time is searched one ply.
func TestTimeBeginsBehindPondering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player := testkit.Must(NewThinker(Settings{Name: "p", Depth: 2, Time: 5 * time.Millisecond}))(t)
		player.cancel = func() {}
		player.pondering.Go(func() { time.Sleep(time.Second) })
		c := testkit.Must(player.Choose(t.Context(), board.StartPosition(), Limits{}))(t)
		testkit.Equal(t, c.Depth, 2, "plies behind a second of pondering")
	})
	late := testkit.Must(ParsePlayer("search:time=1ns", Env{}))(t)
	ply := testkit.Must(ParsePlayer("search:depth=1,exact=0", Env{}))(t)
	at := testkit.Must(board.ParseRecord(board.StartPosition(), "f5d6c3d3c4f4c5"))(t).End()
	want := testkit.Must(ply.Choose(t.Context(), at, Limits{}))(t)
	testkit.FatalIf(t, want.Square == board.First(at.Moves()), "%s is the first legal move, too", want.Square)
	got := testkit.Must(late.Choose(t.Context(), at, Limits{}))(t)
	testkit.ErrorIf(t, got.Square != want.Square || got.Depth != 1, "without time %s after %d plies (want %s after 1)",
		got.Square, got.Depth, want.Square)
	hints := testkit.Must(late.Choose(t.Context(), at, Limits{AllMoves: true}))(t)
	testkit.Equal(t, len(hints.Moves), len(board.Squares(at.Moves())), "values of moves without time")
}

// Choose and NewGame end a search in the background that has no limit.
func TestPonderingEnds(t *testing.T) {
	player := testkit.Must(NewThinker(Settings{Name: "p", Time: time.Millisecond, Exact: 4}))(t)
	first := board.Square(19)
	Ponder(context.Background(), player, board.StartPosition(), Choice{Square: first})
	c, err := player.Choose(context.Background(), board.StartPosition(), Limits{})
	testkit.ErrorIf(t, err != nil || c.Square == board.None, "%+v, %v", c, err)
	Ponder(context.Background(), player, board.StartPosition(), Choice{Square: first, Line: []board.Square{first, 18}})
	player.NewGame(0)
	testkit.ErrorIf(t, player.cancel != nil, "a new game does not end the search")
}
