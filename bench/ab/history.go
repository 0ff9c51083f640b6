package ab

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// storeTime is the layout of the times in stored files and their names.
const storeTime = "20060102T150405Z"

// Store adds a file with the rounds of a pair of commits to a folder, in Go's benchmark
// format: "benchstat -col side FILE" reads it, and [ReadHistory] the folder.
func (r *Report) Store(dir string) error {
	if r.WorkTree || r.Head == "" || len(r.printed[oldSide]) > 0 {
		return inputError("only pairs of commits can be stored (want BASE and HEAD)")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	at := r.started.UTC().Format(storeTime)
	name := fmt.Sprintf("%s-%s-%s.txt", at, short(r.Base), short(r.Head))
	return safefile.Write(filepath.Join(dir, name), func(w io.Writer) error {
		out := &text.Writer{To: w}
		fmt.Fprintf(out, "base: %s\nhead: %s\ndate: %s\ngo: %s\ncpu: %s\n", r.Base, r.Head, at, r.Go, r.CPU)
		for side := range sideNames {
			fmt.Fprintf(out, "side: %s\n", sideNames[side])
			if err := r.writeSide(out, side); err != nil {
				return err
			}
		}
		return out.Err
	})
}

// History follows benchmarks along a chain of commits: the JSON object of "benchab --history
// FOLDER --json".
type History struct {
	Schema string   `json:"schema"` // ur.history/1
	Steps  []Step   `json:"steps"`  // one for each pair of commits
	Series []Series `json:"series"` // one for each benchmark
}

// Step is a stored pair of commits.
type Step struct {
	Base    string   `json:"base"`    // commit of the old side
	Head    string   `json:"head"`    // commit of the new side
	Date    string   `json:"date"`    // of the measurement
	Changes []Change `json:"changes"` // sorted by the benchmarks
}

// Change is a benchmark in a step.
type Change struct {
	Benchmark string          `json:"benchmark"`
	Delta     float64         `json:"delta"`
	Lo        float64         `json:"lo"`
	Hi        float64         `json:"hi"`
	N         int             `json:"n"`
	Verdict   verdict.Verdict `json:"verdict"` // slower and faster are change points
}

// Series is the time of a benchmark along a history, relative to the first commit. A step
// without the benchmark changes nothing.
type Series struct {
	Benchmark string    `json:"benchmark"`
	Relative  []float64 `json:"relative"` // after each step
	Points    []int     `json:"points"`   // numbers of the steps where it became significantly slower or faster
}

// ReadHistory reads a folder of [Report.Store], and judges the benchmarks of each step together.
// Steps follow one another by their commits where these are a chain, otherwise by their dates.
func ReadHistory(dir string) (*History, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("%s: no stored results (want a folder of benchab --store)", dir)
	}
	h := &History{Schema: "ur.history/1"}
	for _, name := range names {
		step, err := readStep(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		h.Steps = append(h.Steps, step)
	}
	h.chain()
	h.follow()
	return h, nil
}

// readStep reads a stored file.
func readStep(name string) (Step, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return Step{}, err
	}
	head, rest, ok := strings.Cut(string(content), "side: old\n")
	before, after, also := strings.Cut(rest, "side: new\n")
	s := Step{Changes: []Change{}}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "base":
			s.Base = value
		case "head":
			s.Head = value
		case "date":
			s.Date = value
		}
	}
	if !ok || !also || s.Base == "" || s.Head == "" {
		return s, errors.New("not a stored result (want lines base and head, and the benchmarks of two sides)")
	}
	times := make(map[string]*[2][]float64)
	var order []string
	for side, text := range []string{before, after} {
		for _, l := range parseLines(text) {
			benchmark := strings.TrimPrefix(l.pkg+"."+l.name, ".")
			if times[benchmark] == nil {
				times[benchmark] = new([2][]float64)
				order = append(order, benchmark)
			}
			if ns, ok := l.figure("ns/op"); ok {
				times[benchmark][side] = append(times[benchmark][side], ns)
			}
		}
	}
	family := verdict.Family{Rule: verdict.DefaultRule()}
	slices.Sort(order)
	rows := make(map[string]*verdict.Row)
	for _, benchmark := range order {
		sides := times[benchmark]
		rows[benchmark] = family.Add(false)
		for k := range min(len(sides[oldSide]), len(sides[newSide])) {
			if err := rows[benchmark].Add(sides[oldSide][k], sides[newSide][k]); err != nil {
				return s, fmt.Errorf("%s: %w", benchmark, err)
			}
		}
	}
	family.Look(true)
	for _, benchmark := range order {
		if row := rows[benchmark]; row.Rounds() > 0 {
			s.Changes = append(s.Changes, Change{benchmark, row.Delta, row.Lo, row.Hi, row.Rounds(), row.Verdict})
		}
	}
	return s, nil
}

// chain orders the steps.
func (h *History) chain() {
	rest := slices.SortedFunc(slices.Values(h.Steps), func(a, b Step) int { return cmp.Compare(a.Date, b.Date) })
	isHead := func(commit string) bool {
		return slices.ContainsFunc(h.Steps, func(s Step) bool { return s.Head == commit })
	}
	var ordered []Step
	for len(rest) > 0 {
		next := -1
		if len(ordered) > 0 {
			next = slices.IndexFunc(rest, func(s Step) bool { return s.Base == ordered[len(ordered)-1].Head })
		}
		if next < 0 { // the beginning of a chain
			next = max(0, slices.IndexFunc(rest, func(s Step) bool { return !isHead(s.Base) }))
		}
		ordered, rest = append(ordered, rest[next]), slices.Delete(rest, next, next+1)
	}
	h.Steps = ordered
}

// follow follows every benchmark along the steps.
func (h *History) follow() {
	h.Series = []Series{}
	for i, step := range h.Steps {
		for _, c := range step.Changes {
			at := slices.IndexFunc(h.Series, func(s Series) bool { return s.Benchmark == c.Benchmark })
			if at < 0 {
				at = len(h.Series)
				h.Series = append(h.Series, Series{Benchmark: c.Benchmark, Relative: slices.Repeat([]float64{1}, len(h.Steps)), Points: []int{}})
			}
			s := &h.Series[at]
			for k := i; k < len(h.Steps); k++ {
				s.Relative[k] *= 1 + c.Delta
			}
			if c.Verdict == verdict.Slower || c.Verdict == verdict.Faster {
				s.Points = append(s.Points, i)
			}
		}
	}
	slices.SortFunc(h.Series, func(a, b Series) int { return cmp.Compare(a.Benchmark, b.Benchmark) })
}

// Write writes a row for each benchmark, its change over all steps and where it changed, as text,
// markdown or json; or a chart as svg.
func (h *History) Write(w io.Writer, format string) error {
	t := text.Table{Header: []string{"benchmark", "change", "points of change"}}
	for _, s := range h.Series {
		var points []string
		for _, k := range s.Points {
			step := h.Steps[k]
			at := slices.IndexFunc(step.Changes, func(c Change) bool { return c.Benchmark == s.Benchmark })
			points = append(points, short(step.Head)+" "+percent(step.Changes[at].Delta))
		}
		t.Add(text.Plain(s.Benchmark), percent(s.Relative[len(s.Relative)-1]-1), strings.Join(points, ", "))
	}
	switch format {
	case "json":
		return json.NewEncoder(w).Encode(h)
	case "markdown":
		return t.WriteMarkdown(w)
	case "svg":
		_, err := w.Write(h.chart())
		return err
	case "text":
		out := &text.Writer{To: w}
		fmt.Fprintf(out, "%s, from %s to %s\n\n", text.Plural(len(h.Steps), "step"), short(h.Steps[0].Base), short(h.Steps[len(h.Steps)-1].Head))
		return cmp.Or(t.WriteText(out), out.Err)
	}
	return fmt.Errorf("--history has no format %q (want text, markdown, json or svg)", format)
}

// chart draws the time of the benchmarks that change most, relative to the first commit.
func (h *History) chart() []byte {
	const most = 8
	drawn := slices.Clone(h.Series)
	swing := func(s Series) float64 { return slices.Max(append(s.Relative, 1)) / slices.Min(append(s.Relative, 1)) }
	slices.SortStableFunc(drawn, func(a, b Series) int { return cmp.Compare(swing(b), swing(a)) })
	x := []string{short(h.Steps[0].Base)}
	for _, s := range h.Steps {
		x = append(x, short(s.Head))
	}
	var lines []plot.Line
	for _, s := range drawn[:min(most, len(drawn))] {
		line := plot.Line{Name: s.Benchmark[strings.LastIndexByte(s.Benchmark, '/')+1:]}
		for i, relative := range append([]float64{1}, s.Relative...) {
			line.Points = append(line.Points, plot.Point{X: float64(i), Interval: plot.Exactly(relative, fmt.Sprintf("%.3f", relative))})
		}
		lines = append(lines, line)
	}
	return plot.Chart{Text: plot.Text{Title: "Time along the commits", Subtitle: "relative to the first commit", Label: "Lines of the time of benchmarks after each commit"},
		X: plot.Axis{Names: x}, Y: plot.Axis{Label: "time, relative"}, Lines: lines}.SVG(true)
}
