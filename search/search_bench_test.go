package search_test

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/bench/searching"
	"github.com/seed-09dcdc84/ur/internal/gobench"
)

// BenchmarkSearch measures every algorithm and technique, under the names of the record.
func BenchmarkSearch(b *testing.B) {
	subjects, err := searching.Subjects(20)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range subjects {
		b.Run(s.Name()[len("Search/"):], func(b *testing.B) {
			b.ReportAllocs()
			if _, err := s.Pass(); err != nil { // the first search makes room for all others
				b.Fatal(err)
			}
			gobench.Run(b, s)
		})
	}
}
