// Package listingtest makes benchmarks without programs, for tests.
package listingtest

import (
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// NewPackage returns a package whose processes take some time beside benchmarks.
func NewPackage(path string, overhead time.Duration) *listing.Package {
	p := &build.TestPackage{Package: &report.Package{Path: path}}
	return &listing.Package{Package: &reach.Package{TestPackage: p}, Overhead: overhead}
}

// Names joins the names of benchmarks.
func Names(benchmarks []*listing.Benchmark) string {
	return strings.Join(text.List(benchmarks, func(b *listing.Benchmark) string { return b.Printed }), "")
}
