package timing

import (
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
)

func TestRepeatedLongRunsHaveEqualOperations(t *testing.T) {
	run := func(operations int, each time.Duration) listing.Sample {
		return listing.Sample{Iterations: operations, Wall: each.Seconds()}
	}
	for _, test := range []struct {
		name     string
		old, new listing.Sample
		want     int
	}{
		{"package testing found two and one", run(2, 90*time.Millisecond), run(1, 100*time.Millisecond), 1},
		{"as many", run(1000, 100*time.Microsecond), run(1000, 100*time.Microsecond), 1000},
		{"the new side is eight times slower", run(1000, 100*time.Microsecond), run(1000, 800*time.Microsecond), 137},
		{"no timed work", run(5, 0), run(7, 0), 5},
	} {
		z := sizing{long: 100 * time.Millisecond}
		z.repeatLong(&judge.Pair{Sides: [2]listing.Sample{test.old, test.new}})
		if z.each != test.want {
			t.Errorf("%s: %d operations, want %d", test.name, z.each, test.want)
		}
	}
}
