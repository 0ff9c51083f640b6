package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// RankingSchema is the JSON object's schema.
const RankingSchema = "ur.by/1"

// Ranking is the comparison of implementations of one commit: the JSON object in "benchab --by KEY --json".
type Ranking struct {
	Schema   string  `json:"schema"`
	Key      string  `json:"key"`               // "/eval", or "/2" for the second part of names
	Fastest  string  `json:"fastest,omitempty"` // implementation that no other one should beat by the limit
	Commit   string  `json:"commit"`            // "" is the work tree
	Subject  string  `json:"subject,omitempty"`
	WorkTree bool    `json:"work_tree,omitempty"`
	Date     string  `json:"date"`
	Limit    float64 `json:"limit"` // 0.03: implementations within 3 % of the fastest one are equal
	Alpha    float64 `json:"alpha"` // largest rate of runs with a false claim or interval
	Measurement
	Groups      []RankedGroup   `json:"groups"`
	Notes       []string        `json:"notes,omitempty"`
	Interrupted bool            `json:"interrupted,omitempty"`
	Incomplete  bool            `json:"incomplete,omitempty"` // a package or a benchmark outside of the groups fails
	Verdict     verdict.Verdict `json:"verdict"`              // pass, slower (than another one: Fastest), undecided or nothing
}

// RankedGroup is implementations of one thing: benchmarks whose names differ in the key only.
type RankedGroup struct {
	Package  string      `json:"package"`
	Name     string      `json:"name"`     // without the key
	Baseline string      `json:"baseline"` // implementation of ratio 1
	Rows     []RankedRow `json:"rows"`     // by implementation, the fastest first, and unit: the first unit decides

	Samples []SampleSet `json:"-"` // of each implementation, with the key in their names
}

// RankedRow is an implementation in one unit. Numbers that are not known, or not finite, are null in JSON.
type RankedRow struct {
	Value   string             `json:"value"`
	Unit    string             `json:"unit"`
	Clock   Clock              `json:"clock,omitempty"`
	Figure  verdict.Number     `json:"figure"` // median
	Ratio   verdict.Number     `json:"ratio"`  // to the baseline
	Lo      verdict.Number     `json:"lo"`     // ends of its interval: all those of times, memory and custom units hold together
	Hi      verdict.Number     `json:"hi"`     // with 95 %; of counts, it is the range between runs
	N       int                `json:"n"`      // rounds, or counts
	Verdict verdict.Verdict    `json:"verdict"`
	Judge   verdict.Instrument `json:"judge,omitempty"`
	Reason  string             `json:"reason,omitempty"`
}

// NewRankedRow returns a row without figures.
func NewRankedRow(value, unit, reason string) RankedRow {
	nothing := verdict.Number(math.NaN())
	return RankedRow{Value: value, Unit: unit, Figure: nothing, Ratio: nothing, Lo: nothing, Hi: nothing,
		Verdict: verdict.NotJudged, Reason: reason}
}

// Decide gives the verdict on all groups. What a group does not have, or skips, is not judged, and the others are. It is
// no pass if anything else could not be judged, or if no group judged the demanded implementation.
func (r *Ranking) Decide() {
	judged, open, beaten := 0, r.Interrupted || r.Incomplete, false
	met := r.Fastest == ""
	for _, g := range r.Groups {
		for _, row := range g.primary() {
			switch {
			case row.Verdict == verdict.NotJudged:
				open = open || row.Reason != "skips" && row.Reason != "missing"
				continue
			case row.Verdict == verdict.Undecided:
				open = open || r.Fastest == "" || row.Value == r.Fastest
				continue
			}
			judged++
			met = met || row.Value == r.Fastest
			beaten = beaten || row.Value == r.Fastest && row.Verdict == verdict.Slower
		}
	}
	switch {
	case beaten:
		r.Verdict = verdict.Slower
	case judged == 0:
		r.Verdict = verdict.Nothing
	case open || !met:
		r.Verdict = verdict.Undecided
	default:
		r.Verdict = verdict.Pass
	}
}

// primary returns the rows of the unit that decides.
func (g *RankedGroup) primary() []RankedRow {
	return filter(g.Rows, func(row RankedRow) bool { return row.Unit == g.Rows[0].Unit })
}

// units lists the units of a group in order.
func (g *RankedGroup) units() (units []string) {
	for _, row := range g.Rows {
		if !slices.Contains(units, row.Unit) {
			units = append(units, row.Unit)
		}
	}
	return units
}

// RankingFormats are those for [Ranking.Write].
func RankingFormats() []string { return []string{"text", "markdown", "json", "html", "bench"} }

// Write writes the ranking in one of [RankingFormats]. "bench" is Go's benchmark format: each sample a line, with the key
// in its name, for benchstat -col KEY.
func (r *Ranking) Write(w io.Writer, format string) error {
	out := &text.Writer{To: w}
	switch format {
	case "text":
		r.writeText(out)
	case "markdown":
		r.writeMarkdown(out)
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(r)
	case "html":
		return r.page().Write(w)
	case "bench":
		return r.writeSamples(w)
	default:
		return fmt.Errorf("unknown format %q (want one of %s)", format, strings.Join(RankingFormats(), ", "))
	}
	return out.Err
}

// writeSamples writes all samples in Go's benchmark format, round by round.
func (r *Ranking) writeSamples(w io.Writer) error {
	out := NewWriter(w)
	title, _ := r.describe()
	fmt.Fprintf(out, "# benchab: %s, seed %d\n", title, r.Seed)
	for _, g := range r.Groups {
		for _, s := range g.Samples {
			out.Configure(Setting{"goos", runtime.GOOS}, Setting{"goarch", runtime.GOARCH}, Setting{"pkg", s.Package},
				Setting{"cpu", r.CPU}, Setting{"clock", string(s.Clock)})
			for _, result := range s.Results[0] {
				out.Result(result)
			}
		}
	}
	return out.Err
}

// rankings are the files by [Ranking.Save] and their formats.
var rankings = map[string]string{"report.txt": "text", "report.md": "markdown", "report.json": "json", "report.html": "html",
	"samples.txt": "bench"}

// SavedRankings returns the names of the files by [Ranking.Save], in order.
func SavedRankings() []string { return slices.Sorted(maps.Keys(rankings)) }

// Save writes the ranking in all formats to a folder, which it creates if necessary.
func (r *Ranking) Save(dir string) error {
	return saveAll(dir, SavedRankings(), func(w io.Writer, name string) error { return r.Write(w, rankings[name]) })
}
