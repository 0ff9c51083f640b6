package web

import (
	"bytes"
	"net/http"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/bench/record"
)

// Ladder is the content of the records, for the page.
type Ladder struct {
	Schema  string         `json:"schema"`  // ur.web-ladder/1
	Records []ladderRecord `json:"records"` // one for each kind of processor
}

// ladderRecord is the ladder of one kind of processor.
type ladderRecord struct {
	Name     string       `json:"name"`     // of the processor
	Made     string       `json:"made"`     // the program and its commit
	Date     string       `json:"date"`     // RFC 3339, UTC
	Baseline string       `json:"baseline"` // the engine with speedup 1
	Rows     []ladderRow  `json:"rows"`     // in the order of the ladder
	Plots    []ladderPlot `json:"plots"`    // pictures of the record
}

// ladderRow is the speed of an engine in whole games.
type ladderRow struct {
	Engine string  `json:"engine"`
	Value  float64 `json:"value"` // ns to value a position; 0 when it was not measured
	Median float64 `json:"game"`  // us for a game
	Lo     float64 `json:"lo"`    // 95 % confidence interval
	Hi     float64 `json:"hi"`
	Faster float64 `json:"faster"` // how many times as fast as the baseline
}

// ladderPlot is a plot of a record.
type ladderPlot struct {
	Name string `json:"name"`
	Alt  string `json:"alt"`  // description
	File string `json:"file"` // behind /api/plots/
}

// ladderOf returns the ladder of records.
func ladderOf(records []record.Record) Ladder {
	l := Ladder{Schema: "ur.web-ladder/1", Records: []ladderRecord{}}
	for _, r := range records {
		entry := ladderRecord{
			Name: r.Machine(), Baseline: bench.Baseline, Rows: []ladderRow{}, Plots: []ladderPlot{},
		}
		for _, engine := range r.Engines() {
			if row, ok := r.Find(engine, bench.Game); ok {
				entry.Made, entry.Date = row.Provenance.Built(), row.Provenance.Date
				value, _ := r.Find(engine, bench.Value)
				entry.Rows = append(entry.Rows, ladderRow{engine, value.Median, row.Median, row.Lo, row.Hi, 1 / row.Ratio})
			}
		}
		if len(entry.Rows) == 0 {
			continue // a machine that measured other suites
		}
		for _, p := range r.Plots() {
			entry.Plots = append(entry.Plots, ladderPlot{p.Name, p.Alt, p.File(r)})
		}
		l.Records = append(l.Records, entry)
	}
	return l
}

// ladder answers with the records.
func (s *Server) ladder(w http.ResponseWriter, _ *http.Request) {
	write(w, http.StatusOK, ladderOf(s.config.Records))
}

// plot answers with a plot. It contains styles but nothing executable.
func (s *Server) plot(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("slug") + "/" + r.PathValue("file")
	for _, record := range s.config.Records {
		for _, p := range record.Plots() {
			if p.File(record) != file {
				continue
			}
			var svg bytes.Buffer
			if err := p.WriteSVG(&svg); err != nil {
				fail(w, http.StatusInternalServerError, "the plot cannot be drawn: %v", err)
				return
			}
			h := w.Header()
			h.Set("Content-Type", "image/svg+xml")
			h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
			w.Write(svg.Bytes()) //nolint:errcheck // the client is gone: there is no one to report to
			return
		}
	}
	fail(w, http.StatusNotFound, "no record has a plot %q", clip(file))
}
