package search_test

import (
	"fmt"

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
	if flag("table") {
		bytes := rapid.SampledFrom([]int{64, 1 << 10, 1 << 16}).Draw(t, "bytes")
		o.Table = newTable(t, bytes)
	}
	return o
}

func newTable(t rapid.TB, bytes int) *search.Table {
	table, err := search.NewTable(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

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
	first, err := look()
	if err != nil {
		t.Fatal(err)
	}
	want := outcomeOf(first)
	second, err := look()
	if err != nil || outcomeOf(second) != want {
		t.Fatalf("the same search again finds %+v, not %+v (error %v)", outcomeOf(second), want, err)
	}
	return second
}
