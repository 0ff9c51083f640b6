package search_test

import (
	"testing"

	"github.com/seed-09dcdc84/ur/bench/benchtest"
)

// BenchmarkSearch measures every algorithm and technique, under the names of the record.
func BenchmarkSearch(b *testing.B) { benchtest.Suite(b, "search", "Search") }
