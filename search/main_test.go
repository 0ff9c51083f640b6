package search_test

import (
	"flag"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// TestMain draws more cases than rapid does by itself: each takes a fraction of a
// millisecond, and some faults need ties and transpositions together.
func TestMain(m *testing.M) {
	flag.Parse()
	checks := "2500"
	if testing.Short() {
		checks = "500"
	}
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", checks); err != nil {
			panic(err)
		}
	}
	sandbox.Main(m)
}
