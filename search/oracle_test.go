package search_test

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/mix"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"pgregory.net/rapid"
)

// drawMaze draws a maze: sometimes of so few places that everything transposes, and of
// so few values that everything ties.
func drawMaze(t *rapid.T) maze {
	return maze{
		seed:   rapid.Uint64().Draw(t, "seed"),
		places: rapid.SampledFrom([]uint64{2, 5, 20, 1 << 20}).Draw(t, "places"),
		moves:  rapid.Uint64Range(1, 4).Draw(t, "moves"),
		values: rapid.SampledFrom([]uint64{1, 2, 5, 1000, 1 << 40}).Draw(t, "values"),
		rolls:  rapid.SampledFrom([]int{3, 5}).Draw(t, "rolls"),
	}
}

// drawOptions draws every switch that keeps the value.
func drawOptions(t *rapid.T, algorithms []search.Algorithm) search.Options {
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	o := search.Options{
		Algorithm: rapid.SampledFrom(algorithms).Draw(t, "algorithm"),
		Static:    flag("static"), TableMove: flag("table move"), Killers: flag("killers"), History: flag("history"),
		ETC: flag("etc"), NoLast: flag("no last"), NoScout: flag("no scout"), Bounds: flag("bounds"),
		TableDepth: rapid.IntRange(0, 3).Draw(t, "table depth"),
		Threads:    rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "threads"),
	}
	o.Window = rapid.SampledFrom([]search.Value{0, 1, 3, 1000, search.MaxValue}).Draw(t, "window")
	if flag("table") {
		o.Table = testkit.Must(search.NewTableOf(search.TableOptions{
			Bytes:       rapid.SampledFrom([]int{64, 1 << 10, 1 << 16}).Draw(t, "bytes"),
			Bucket:      rapid.SampledFrom([]int{0, 2, 4}).Draw(t, "bucket"),
			Replacement: rapid.SampledFrom(search.Replacements()).Draw(t, "replacement"),
		}))(t)
	}
	return o
}

func newTable(t rapid.TB, bytes int) *search.Table { return testkit.Must(search.NewTable(bytes))(t) }

func algorithms(dice bool) (list []search.Algorithm) {
	for _, a := range search.Algorithms() {
		if a.Dice() == dice {
			list = append(list, a)
		}
	}
	return list
}

// outcome is what must not depend on the algorithm.
type outcome struct {
	depth int
	value search.Value
	best  int
	moves string
}

func outcomeOf(r search.Result) outcome {
	return outcome{r.Depth, r.Value, r.Best, fmt.Sprint(r.Moves)}
}

// twice searches twice, which must find the same, and returns the second result.
func twice(t *rapid.T, look func() (search.Result, error)) search.Result {
	want := outcomeOf(testkit.Must(look())(t))
	second := testkit.Must(look())(t)
	testkit.MustEqual(t, outcomeOf(second), want, "the same search again finds")
	return second
}

// maze is a game without rules: where moves lead, what positions are worth and where
// the game ends follow from a seed. Its few places make transpositions and ties come up
// everywhere, and some moves let the same side move again.
type maze struct {
	seed   uint64
	places uint64 // positions are 0..places-1, at any time
	moves  uint64 // of a position, at most
	values uint64 // static values are that many different ones, draws among them
	rolls  int    // 0 for no dice
	edge   bool   // values are as high or as low as values may be

	// polite lets another thread go on at every question, so that threads take turns on machines with one
	// processor too. untimed has positions come again at other distances from the root, and searches deeper
	// behind many moves.
	polite, untimed bool
}

type mazePosition struct{ place, time uint32 }

func (g maze) hash(p *mazePosition, salt uint64) uint64 {
	return mix.Mix(mix.Mix(g.seed^uint64(p.place)<<32^uint64(p.time)) + salt)
}

func (g maze) Key(p *mazePosition) search.Key {
	return search.KeyOf(uint64(p.time)<<32 | uint64(p.place))
}

func (g maze) Value(p *mazePosition) search.Value {
	v := search.Value(g.hash(p, 1)%g.values) - search.Value(g.values/2)
	switch {
	case !g.edge:
		return v
	case v < 0:
		return -search.MaxValue - v - 1
	}
	return search.MaxValue - v
}

// over tells whether the game ends at p: one place in sixteen.
func (g maze) over(p *mazePosition) bool { return g.hash(p, 2)%16 == 0 }

func (g maze) moveOn(p *mazePosition, roll int, list *search.List[mazePosition]) search.Value {
	if g.polite {
		runtime.Gosched()
	}
	if g.over(p) {
		return g.Value(p)
	}
	salt := uint64(roll+1) << 16
	n := 1 + g.hash(p, salt)%g.moves
	for i := range n {
		h := g.hash(p, salt+i+1)
		m := list.Add()
		m.ID = uint8(3 * i)
		m.Next = mazePosition{uint32(h % g.places), p.time + 1}
		m.Extend = uint8(h >> 40 % 8 / 7)
		if g.untimed {
			m.Next.time, m.Extend = 0, uint8(m.Next.place&1)
		}
		m.Key = g.Key(&m.Next)
		m.Again = h>>32%4 == 0
		m.Order = int32(g.Value(&m.Next))
		if !m.Again {
			m.Order = -m.Order
		}
	}
	return 0
}

// mazeGame is a maze without dice.
type mazeGame struct{ maze }

func (g mazeGame) Moves(p *mazePosition, list *search.List[mazePosition]) search.Value {
	return g.moveOn(p, 0, list)
}

func (g mazeGame) Quiet(p *mazePosition) bool { return g.hash(p, 3)%4 != 0 }

// Bounds are those of all places, and the result of a finished game.
func (g mazeGame) Bounds(p *mazePosition) (low, high search.Value) {
	half := search.Value(g.values / 2)
	switch {
	case g.over(p):
		return g.Value(p), g.Value(p)
	case g.edge:
		return -search.MaxValue, search.MaxValue
	}
	return -half, max(half, search.Value(g.values)-half-1)
}

// mazeDice is a maze with dice, of weights 1, 4, 6, 4, 1 or, for three rolls, 1, 2, 3.
type mazeDice struct{ maze }

func (g mazeDice) Weights() []search.Value {
	if g.rolls == 5 {
		return []search.Value{1, 4, 6, 4, 1}
	}
	return []search.Value{1, 2, 3}
}

func (g mazeDice) Moves(p *mazePosition, roll int, list *search.List[mazePosition]) search.Value {
	return g.moveOn(p, roll, list)
}

// TestMain draws more cases than rapid does by itself: each takes a fraction of a
// millisecond, and some faults need ties and transpositions together.
func TestMain(m *testing.M) {
	flag.Parse()
	checks := testkit.Trials(700, 2500)
	if testing.Short() {
		checks = 500
	}
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", strconv.Itoa(checks)); err != nil {
			panic(err)
		}
	}
	testkit.Main(m)
}
