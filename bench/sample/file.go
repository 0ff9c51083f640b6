package sample

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// The file is in Go's benchmark format. Facts that make figures incomparable, such as different work or
// another machine, are settings, by which benchstat separates figures. Facts that may differ in a
// comparison, such as two commits, are comments.

// Heading is the part of a file above a run's samples.
type Heading struct {
	Environment record.Environment
	Suite       string           // name of the suite
	Package     string           // package of the benchmarks
	Settings    []report.Setting // settings of all benchmarks
}

// Write writes a run's samples in Go's benchmark format, under their names in "go test
// -bench". Sample k of every benchmark is of round k. The last line is a comment with a
// checksum of the lines above, by which readers recognise a damaged file.
func (r *Run) Write(w io.Writer, h Heading) error {
	var content bytes.Buffer // does not fail
	out := report.NewWriter(&content)
	r.writeComments(out, h)
	var metrics []report.Metric
	for _, s := range r.Series {
		metrics = append(metrics, s.metrics(1)...)
	}
	for _, same := range text.Groups(metrics, func(m report.Metric) string { return m.Unit }) {
		out.Unit(same[0].Unit)
	}
	series := slices.Clone(r.Series) // neighbours share their settings
	slices.SortStableFunc(series, func(a, b Series) int { return cmp.Compare(a.Work, b.Work) })
	e, procs := h.Environment, runtime.GOMAXPROCS(0)
	for _, s := range series {
		out.Configure(slices.Concat([]report.Setting{{Key: "goos", Value: e.OS}, {Key: "goarch", Value: e.Arch},
			{Key: "pkg", Value: h.Package}, {Key: "cpu", Value: e.CPU}},
			h.Settings, []report.Setting{{Key: "signature", Value: s.Work}})...)
		for _, x := range s.Times {
			metrics := s.metrics(x)
			for i := range metrics {
				metrics[i].Value = report.Significant(metrics[i].Value)
			}
			out.Result(report.Result{BenchmarkID: report.BenchmarkID{Name: report.FullName(s.Name, procs)}, Iterations: s.Passes,
				Metrics: metrics})
		}
	}
	content.WriteString(report.Checksum(content.Bytes()))
	_, err := w.Write(content.Bytes())
	return err
}

// Clock is the clock of the run's first benchmark, and of most others.
func (r *Run) Clock() report.Clock {
	if len(r.Series) == 0 {
		return DefaultClock()
	}
	return cmp.Or(r.Series[0].Clock, DefaultClock())
}

// writeComments writes the facts that do not separate figures.
func (r *Run) writeComments(w io.Writer, h Heading) {
	rounds := fmt.Sprint(r.Rounds)
	if r.Rounds < r.Options.Count {
		rounds = fmt.Sprintf("%d of %d", r.Rounds, r.Options.Count)
	}
	e := h.Environment
	fmt.Fprintf(w, "%s%s interleaved samples of %v, seed %d\n# commit %s, %s, %s\n# clock %s\n# GOMAXPROCS %d\n# suite %s\n", report.RunComment,
		rounds, r.Options.BenchTime, r.Options.Seed, cmp.Or(e.Commit, "unknown"), e.Go, e.Date, r.Clock(),
		runtime.GOMAXPROCS(0), h.Suite)
}
