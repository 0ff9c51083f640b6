package ab

import (
	"testing"
	"time"
)

func TestRepeatedLongRunsHaveEqualOperations(t *testing.T) {
	run := func(operations int, each time.Duration) sample {
		return sample{iterations: operations, wall: each.Seconds()}
	}
	for _, test := range []struct {
		name     string
		old, new sample
		want     int
	}{
		{"package testing found two and one", run(2, 90*time.Millisecond), run(1, 100*time.Millisecond), 1},
		{"as many", run(1000, 100*time.Microsecond), run(1000, 100*time.Microsecond), 1000},
		{"the new side is eight times slower", run(1000, 100*time.Microsecond), run(1000, 800*time.Microsecond), 137},
		{"no timed work", run(5, 0), run(7, 0), 5},
	} {
		z := sizing{long: 100 * time.Millisecond}
		z.repeatLong(&Pair{sides: [2]sample{test.old, test.new}})
		if z.each != test.want {
			t.Errorf("%s: %d operations, want %d", test.name, z.each, test.want)
		}
	}
}
