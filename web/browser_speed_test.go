package web_test

import (
	"testing"

	"github.com/seed-09dcdc84/ur/web"
)

// BenchmarkPage measures how long a browser takes to paint the page for the first time, from a
// server on the same machine and without a cache.
func BenchmarkPage(b *testing.B) {
	s := newServer(b, web.Config{})
	sum := 0.0
	for range b.N {
		p := newTab(b)
		p.look(1280, 800, "light")
		p.goTo(s.http.URL + "/")
		p.wait(`performance.getEntriesByName("first-contentful-paint").length > 0`)
		sum += eval[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`)
	}
	b.ReportMetric(sum/float64(b.N), "ms/first-paint")
	b.ReportMetric(0, "ns/op")
}
