package ab_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/ab"
)

// Options start from the defaults: the work tree against the merge base, a limit of 3 %.
func ExampleDefaultOptions() {
	o := ab.DefaultOptions()
	o.Bench = "Delete|Insert"
	fmt.Println(o.Time, o.Limit)
	// Output: 1m0s 0.03
}
