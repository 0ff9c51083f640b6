package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Store adds a report on a pair of commits to a folder, for [ReadHistory].
func (r *Report) Store(dir string) error {
	if r.WorkTree || r.Head == "" || r.Named {
		return fmt.Errorf("only pairs of commits can be stored (want BASE and HEAD)")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := fmt.Sprintf("%s-%s-%s.json", r.Date, shortCommit(r.Base), shortCommit(r.Head))
	return safefile.Write(filepath.Join(dir, name), func(w io.Writer) error { return r.Write(w, "json") })
}

// History follows benchmarks along a chain of commits: the JSON object of "benchab --history
// FOLDER --json".
type History struct {
	Schema string   `json:"schema"` // ur.history/2
	Steps  []Step   `json:"steps"`  // one for each pair of commits
	Series []Series `json:"series"` // one for each benchmark
}

// Step is the part in a [Report] that a history follows.
type Step struct {
	Base    string `json:"base"`              // commit of the old side
	Head    string `json:"head"`              // commit of the new side
	Subject string `json:"subject,omitempty"` // subject of that commit
	Date    string `json:"date"`              // date when it was measured
	Rows    []Row  `json:"rows"`              // rows of times, counts and allocations
}

// Series is a benchmark's time, instructions or allocations along a history, relative to the first commit. A
// step without the benchmark changes nothing.
type Series struct {
	Benchmark string           `json:"benchmark"`
	Unit      string           `json:"unit"`     // [TimeUnit], [CountUnit] or [AllocsUnit]
	Relative  []verdict.Number `json:"relative"` // figure after each step; infinite if the first one is 0
	Points    []int            `json:"points"`   // numbers of the steps where it became significantly more or less
}

// ReadHistory reads a folder by [Report.Store]. Steps follow one another by their commits where these
// are a chain, otherwise by their dates.
func ReadHistory(dir string) (*History, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("%s: no stored results (want a folder of benchab --store)", dir)
	}
	h := &History{Schema: "ur.history/2"}
	for _, name := range names {
		var step Step
		content, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(content, &step)
		}
		if err == nil && (step.Base == "" || step.Head == "") {
			err = errors.New("not a stored result (want commits base and head)")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		step.Rows = filter(step.Rows, func(row Row) bool {
			return row.Rounds > 0 && slices.Contains([]string{TimeUnit, CountUnit, AllocsUnit}, row.Unit)
		})
		for i := range step.Rows {
			row := &step.Rows[i]
			hasBoth := !slices.Contains([]verdict.Verdict{verdict.New, verdict.Missing, verdict.NotJudged}, row.Verdict)
			if hasBoth && row.Old == 0 && row.New > 0 {
				row.Delta = verdict.Number(math.Inf(1)) // null in JSON
			}
		}
		h.Steps = append(h.Steps, step)
	}
	h.chain()
	h.follow()
	return h, nil
}

// chain orders the steps.
func (h *History) chain() {
	rest := slices.SortedFunc(slices.Values(h.Steps), func(a, b Step) int { return cmp.Compare(a.Date, b.Date) })
	isHead := func(commit string) bool {
		return slices.ContainsFunc(h.Steps, func(s Step) bool { return s.Head == commit })
	}
	var ordered []Step
	for end := ""; len(rest) > 0; end = ordered[len(ordered)-1].Head {
		next := slices.IndexFunc(rest, func(s Step) bool { return s.Base == end })
		if next < 0 { // the beginning of a chain
			next = max(0, slices.IndexFunc(rest, func(s Step) bool { return !isHead(s.Base) }))
		}
		ordered, rest = append(ordered, rest[next]), slices.Delete(rest, next, next+1)
	}
	h.Steps = ordered
}

// follow follows every benchmark along the steps. A step continues from its base where the commit is known, so
// that commit ranges with a common end are not multiplied.
func (h *History) follow() {
	h.Series = []Series{}
	var all []Row
	for _, step := range h.Steps {
		all = append(all, step.Rows...)
	}
	slices.SortStableFunc(all, compareRows)
	for _, first := range slices.CompactFunc(all, func(a, b Row) bool { return compareRows(a, b) == 0 }) {
		s, now := Series{Benchmark: first.Name, Unit: first.Unit, Points: []int{}}, 1.0
		known := make(map[string]float64) // figure after a commit
		beginning := verdict.Number(math.NaN())
		for i, step := range h.Steps {
			at := step.find(s)
			if _, again := known[step.Head]; at >= 0 && !again { // or it is a range with another beginning
				if _, ok := known[step.Base]; !ok {
					known[step.Base] = now
				}
				row := step.Rows[at]
				if math.IsNaN(float64(beginning)) {
					beginning = row.Old
				}
				now = known[step.Base] * (1 + float64(row.Delta))
				switch {
				case math.IsNaN(now) && row.New == beginning: // from 0 to more, or back
					now = 1
				case math.IsNaN(now):
					now = float64(row.New / beginning)
				}
				known[step.Head] = now
				switch row.Verdict {
				case verdict.Slower, verdict.Faster, verdict.MoreWork, verdict.LessWork:
					s.Points = append(s.Points, i)
				}
			}
			s.Relative = append(s.Relative, verdict.Number(now))
		}
		isChanged := slices.Max(s.Relative) != slices.Min(append(s.Relative, 1))
		if s.Unit == TimeUnit || s.Unit == AllocsUnit && isChanged || len(s.Points) > 0 {
			h.Series = append(h.Series, s) // allocations only where they change, and instructions at points of change
		}
	}
}

// compareRows orders rows by their names, and a time before its allocations.
func compareRows(a, b Row) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(b.Unit, a.Unit))
}

// find returns the index of the row of a series, -1 without it.
func (step *Step) find(s Series) int {
	return slices.IndexFunc(step.Rows, func(row Row) bool { return row.Name == s.Benchmark && row.Unit == s.Unit })
}

// Write writes a row for each benchmark, its change over all steps and where it changed, as text,
// markdown or json; a chart as svg; or a page with a chart for each benchmark as html.
func (h *History) Write(w io.Writer, format string) error {
	t := text.Table{Header: []string{"benchmark", "unit", "change", "points of change"}}
	for i := range h.Series {
		s := &h.Series[i]
		t.Add(text.Plain(s.Benchmark), s.Unit, Percent(s.last()-1), strings.Join(h.points(s), ", "))
	}
	switch format {
	case "json":
		return json.NewEncoder(w).Encode(h)
	case "markdown":
		return t.WriteMarkdown(w)
	case "svg":
		_, err := w.Write(h.chart())
		return err
	case "html":
		return h.page().Write(w)
	case "text":
		out := &text.Writer{To: w}
		fmt.Fprintf(out, "%s\n\n", h.describe())
		return cmp.Or(t.WriteText(out), out.Err)
	}
	return fmt.Errorf("--history has no format %q (want text, markdown, json, svg or html)", format)
}

// describe names the ends of the history.
func (h *History) describe() string {
	return fmt.Sprintf("%s, from %s to %s", text.Plural(len(h.Steps), "step"), shortCommit(h.Steps[0].Base),
		shortCommit(h.Steps[len(h.Steps)-1].Head))
}

// last is the figure after the last step.
func (s *Series) last() verdict.Number { return s.Relative[len(s.Relative)-1] }

// points lists the steps where a benchmark changed.
func (h *History) points(s *Series) []string {
	return text.List(s.Points, func(k int) string {
		step := h.Steps[k]
		point := shortCommit(step.Head) + " " + Percent(step.Rows[step.find(*s)].Delta)
		if step.Subject != "" {
			point += " (" + text.Clip(step.Subject) + ")"
		}
		return point
	})
}

// chart draws the time for the benchmarks that change most, relative to the first commit.
func (h *History) chart() []byte {
	const most = 8
	drawn := filter(h.Series, func(s Series) bool { return s.Unit == TimeUnit })
	slices.SortStableFunc(drawn, func(a, b Series) int { return cmp.Compare(b.swing(), a.swing()) })
	return h.draw("Time along the commits", "time, relative", drawn[:min(most, len(drawn))])
}

// swing is the largest ratio between two commits.
func (s *Series) swing() verdict.Number {
	return slices.Max(append(s.Relative, 1)) / slices.Min(append(s.Relative, 1))
}

// draw draws series.
func (h *History) draw(title, label string, drawn []Series) []byte {
	x := []string{shortCommit(h.Steps[0].Base)}
	for _, s := range h.Steps {
		x = append(x, shortCommit(s.Head))
	}
	var lines []plot.Line
	for _, s := range drawn {
		line := plot.Line{Name: s.Benchmark[strings.LastIndexByte(s.Benchmark, '/')+1:]}
		for i, relative := range append([]verdict.Number{1}, s.Relative...) {
			if figure := float64(relative); !math.IsInf(figure, 0) {
				line.Points = append(line.Points,
					plot.Point{X: float64(i), Interval: plot.Exactly(figure, fmt.Sprintf("%.3f", figure))})
			}
		}
		lines = append(lines, line)
	}
	return plot.Chart{Text: plot.Text{Title: title, Subtitle: "relative to the first commit",
		Label: "Lines of benchmarks after each commit"},
		X: plot.Axis{Names: x}, Y: plot.Axis{Label: label, Reference: 1}, Lines: lines}.SVG()
}

// page returns a page with a chart for each series, those that change most first, and where they changed.
func (h *History) page() *Page {
	p := &Page{Title: "Benchmarks along the commits", Sentences: []string{h.describe() + "."}}
	all := slices.Clone(h.Series)
	slices.SortStableFunc(all, func(a, b Series) int { return cmp.Compare(b.swing(), a.swing()) })
	changed := 0
	for _, s := range all {
		if len(s.Points) > 0 {
			changed++
			p.Sentences = append(p.Sentences, text.Plain(fmt.Sprintf("%s, %s, changed by %s: %s.", s.Benchmark, s.Unit,
				Percent(s.last()-1), strings.Join(h.points(&s), ", "))))
		}
		p.Charts = append(p.Charts, h.draw(s.Benchmark, s.Unit+", relative", []Series{s}))
	}
	p.Sentences[0] += fmt.Sprintf(" %d of %s changed significantly.", changed, text.Plural(len(all), "figure"))
	return p
}
