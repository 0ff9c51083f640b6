package search_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
)

// fakeClock goes on by a step whenever it is asked.
type fakeClock struct {
	mutex sync.Mutex
	now   time.Time
	step  time.Duration
	asked int
}

func (c *fakeClock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.asked++
	c.now = c.now.Add(c.step)
	return c.now
}

// wide is a maze that no search comes to the end of.
var wide = mazeGame{maze{seed: 3, places: 1 << 30, moves: 4, values: 1 << 30}}

func newWide(t *testing.T, o search.Options) *search.Searcher[mazePosition, mazeGame] {
	return testkit.Must(search.New(wide, o))(t)
}

func TestAnswersAtOnce(t *testing.T) {
	for _, limit := range []time.Duration{-1, 1} {
		clock := &fakeClock{step: time.Second}
		s := newWide(t, search.Options{Table: newTable(t, 1<<16), Now: clock.Now})
		r, err := s.Search(context.Background(), mazePosition{}, search.Limits{Time: limit})
		testkit.ErrorIf(t, err != nil || r.Depth != 0 || r.Best < 0 || r.Best >= len(s.Moves()) ||
			r.ID != s.Moves()[r.Best].ID,
			"with no time the search finds %+v, error %v; want a legal move at depth 0", r, err)
		testkit.ErrorIf(t, r.Nodes > 1000, "with no time it visits %d nodes, many", r.Nodes)
	}
}

func TestTimeEndsASearch(t *testing.T) {
	clock := &fakeClock{step: time.Millisecond}
	s := newWide(t, search.Options{Table: newTable(t, 1<<16), Now: clock.Now})
	r, err := s.Search(context.Background(), mazePosition{}, search.Limits{Time: 100 * time.Millisecond})
	testkit.FatalIf(t, err != nil || r.Depth == 0 || r.Best < 0, "result %+v, error %v", r, err)
	// Every look at the clock takes a millisecond of it.
	testkit.ErrorIf(t, clock.asked > 100+5, "looks at the clock %d times after the time is up", clock.asked-100)
	full := lookOnce(t, wide, search.Options{}, search.Limits{Depth: r.Depth})
	testkit.Equal(t, []any{r.Value, r.Best}, []any{full.Value, full.Best}, "at depth %d: value and move", r.Depth)
}

func TestNodesEndASearch(t *testing.T) {
	for _, most := range []uint64{1, 100, 12_345} {
		r := lookOnce(t, wide, search.Options{}, search.Limits{Nodes: most})
		testkit.ErrorIf(t, r.Nodes < most || r.Nodes > most+2 || r.Best < 0, "limit of %d nodes: result %+v", most, r)
	}
}

func TestCancelEndsASearchAndItsThreads(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	var asked atomic.Int64
	s := newWide(t, search.Options{Table: newTable(t, 1<<16), Threads: 3, Now: func() time.Time {
		if asked.Add(1) == 1000 {
			cancel()
		}
		return time.Now()
	}})
	r, err := s.Search(ctx, mazePosition{}, search.Limits{Time: time.Hour})
	testkit.ErrorIf(t, err != nil || r.Depth < 1 || r.Best < 0 || asked.Load() < 1000,
		"cancelled after %d looks at the clock: result %+v, error %v", asked.Load(), r, err)
	r, err = s.Search(ctx, mazePosition{}, search.Limits{})
	testkit.ErrorIf(t, err != nil || r.Depth != 0 || r.Best < 0,
		"a search with a cancelled context finds %+v, error %v; want a legal move", r, err)
	for range 30_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// leaving is a game that ends a search from within, and counts how often it is asked since. A
// thread may be kept waiting in the midst of leave: what others ask until it is done is before.
type leaving struct {
	mazeDice
	asked, since *atomic.Int64
	left         *atomic.Bool
	leave        func()
}

// leaveAt is the question at which the search is told to end: in the midst of it.
const leaveAt = 5000

func (g leaving) ask() {
	if g.left.Load() {
		g.since.Add(1)
	}
	if g.asked.Add(1) == leaveAt {
		g.leave()
		g.left.Store(true)
	}
}

func (g leaving) Moves(p *mazePosition, roll int, list *search.List[mazePosition]) search.Value {
	g.ask()
	return g.mazeDice.Moves(p, roll, list)
}

// leavingGame is the same without dice.
type leavingGame struct{ leaving }

func (g leavingGame) Moves(p *mazePosition, list *search.List[mazePosition]) search.Value {
	g.ask()
	return g.moveOn(p, 0, list)
}

// A cancelled search stops within the nodes between two looks of each thread and a line from there,
// however long they take: some ten microseconds where a node takes a tenth of one.
func TestCancelStopsWithinALook(t *testing.T) {
	const depth = 40
	const between = 128 + depth + 1
	l := search.Limits{Depth: depth, First: depth}
	for threads := 1; threads <= 3; threads++ {
		for _, rolls := range []int{3, 0} {
			ctx, cancel := context.WithCancel(t.Context())
			g := leaving{mazeDice(wide), new(atomic.Int64), new(atomic.Int64), new(atomic.Bool), cancel}
			g.rolls = rolls
			o := search.Options{Table: newTable(t, 1<<20), Threads: threads}
			var r search.Result
			if rolls > 0 {
				r = testkit.Must(testkit.Must(search.NewDice(g, o))(t).Search(ctx, mazePosition{}, 1, l))(t)
			} else {
				r = testkit.Must(testkit.Must(search.New(leavingGame{g}, o))(t).Search(ctx, mazePosition{}, l))(t)
			}
			testkit.Equal(t, r.Depth, 0, "the depth of a search that is cancelled")
			n, most := g.since.Load(), int64(threads*between*max(1, rolls))
			testkit.ErrorIf(t, !g.left.Load() || n > most,
				"%d threads, %d rolls: after they were cancelled they ask %d times, want up to %d", threads, rolls, n,
				most)
		}
	}
}

// The table of an earlier search, which ran out of time, saves nodes of the next.
func TestTableServesTheNextSearch(t *testing.T) {
	clock := &fakeClock{step: time.Millisecond}
	s := newWide(t, search.Options{Table: newTable(t, 1<<20), Now: clock.Now})
	r, err := s.Search(context.Background(), mazePosition{}, search.Limits{Time: 50 * time.Millisecond})
	testkit.ErrorIf(t, err != nil || r.Depth == 0 || r.Best < 0, "a search of 50 ms: %+v, error %v", r, err)
	warm, err := s.Search(context.Background(), mazePosition{}, search.Limits{Depth: r.Depth, First: r.Depth})
	testkit.ErrorIf(t, err != nil || warm.Value != r.Value || warm.Nodes >= r.Nodes, "the next search: %+v, error %v",
		warm, err)
}

func TestBadInput(t *testing.T) {
	for _, o := range []search.Options{
		{Algorithm: "alpha"}, {Algorithm: "star1"}, {Threads: -1}, {Threads: 1000}, {TableDepth: -1}, {TableDepth: 65},
		{Quiescence: -1}, {Quiescence: 65}, {ProbCut: -1},
	} {
		testkit.WantError(t, testkit.ErrorOf(search.New(wide, o)), "", "options %+v", o)
	}
	testkit.WantError(t, testkit.ErrorOf(search.NewDice(mazeDice{}, search.Options{Algorithm: "pvs"})), "",
		"pvs is accepted for a game with dice")
	s := newWide(t, search.Options{})
	for _, l := range []search.Limits{{Depth: -1}, {Depth: 65}, {First: -1}, {Depth: 3, First: 4}, {First: 65}} {
		testkit.WantError(t, testkit.ErrorOf(s.Search(context.Background(), mazePosition{}, l)), "", "limits %+v", l)
	}
	dice := testkit.Must(search.NewDice(mazeDice{maze{seed: 1, places: 9, moves: 2, values: 9, rolls: 5}}, search.Options{}))(t)
	for _, roll := range []int{-2, 5} {
		err := testkit.ErrorOf(dice.Search(t.Context(), mazePosition{}, roll, search.Limits{Depth: 1}))
		testkit.WantError(t, err, "", "roll %d", roll)
	}
	for _, bytes := range []int{-1, 0, 63, search.MaxTableBytes + 1} {
		testkit.WantError(t, testkit.ErrorOf(search.NewTable(bytes)), "", "a table of %d bytes", bytes)
	}
}

// Threads are started anew for each depth, but what they need is kept.
func TestNothingAllocatesAfterTheFirstSearch(t *testing.T) {
	for threads := 1; threads <= 3; threads += 2 {
		o := search.Options{
			Table: newTable(t, 1<<16), Static: true, TableMove: true, Killers: true, History: true,
			ETC: true, Threads: threads,
		}
		s := newWide(t, o)
		dice := testkit.Must(search.NewDice(mazeDice{maze{seed: 3, places: 1 << 30, moves: 4, values: 1 << 30, rolls: 5}}, o))(t)
		look := func() {
			testkit.Must(s.Search(context.Background(), mazePosition{}, search.Limits{Depth: 6}))(t)
			testkit.Must(dice.Search(context.Background(), mazePosition{}, 1, search.Limits{Depth: 3}))(t)
		}
		look()
		testkit.Equal(t, testing.AllocsPerRun(20, look), 0, "searches on %d threads allocate", threads)
	}
}
