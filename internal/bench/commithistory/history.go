// Package commithistory follows benchmarks along a chain of commits, from the results of each
// pair stored by "ur bench ab --store".
package commithistory

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchfmt"
)

// Step is a stored pair of commits.
type Step struct {
	Base    string   `json:"base"`    // commit of the old side
	Head    string   `json:"head"`    // commit of the new side
	Date    string   `json:"date"`    // date of the head
	Changes []Change `json:"changes"` // sorted by the benchmarks
}

// Change is a benchmark in a step.
type Change struct {
	Benchmark string          `json:"benchmark"`
	Delta     float64         `json:"delta"`
	Lo        float64         `json:"lo"`
	Hi        float64         `json:"hi"`
	N         int             `json:"n"`
	Verdict   verdict.Verdict `json:"verdict"` // [verdict.Slower] and [verdict.Faster] are change points
}

// Read reads the files of "ur bench ab --store" and judges the benchmarks of each step
// together; runs of the same two commits are one step. Steps follow one another by their commits
// where these are a chain, otherwise by their dates.
func Read(dir string, rule verdict.Rule) ([]Step, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: no such folder (want that of ur bench ab --store)", dir)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []*stored
	for _, name := range names {
		read, err := readFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		same := slices.IndexFunc(all, func(s *stored) bool { return s.Base == read.Base && s.Head == read.Head })
		if same < 0 {
			all = append(all, read)
			continue
		}
		for benchmark, sides := range read.times {
			all[same].add(benchmark, sides)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no stored results (want files of ur bench ab --store)", dir)
	}
	var steps []Step
	for _, s := range all {
		if err := s.judge(s.times, rule); err != nil {
			return nil, err
		}
		steps = append(steps, s.Step)
	}
	return chain(steps), nil
}

// stored is a pair of commits with the samples of both sides, by benchmark. It has none where no
// code differed.
type stored struct {
	Step
	times map[string]*[2][]float64
}

// add adds the rounds of another run.
func (s *stored) add(benchmark string, sides *[2][]float64) {
	if s.times[benchmark] == nil {
		s.times[benchmark] = new([2][]float64)
	}
	rounds := min(len(sides[0]), len(sides[1]))
	for side := range sides {
		s.times[benchmark][side] = append(s.times[benchmark][side], sides[side][:rounds]...)
	}
}

// readFile reads a stored file.
func readFile(name string) (*stored, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	header := make(map[string]string)
	for line := range strings.Lines(string(content)) {
		key, value, ok := strings.Cut(line, ": ")
		if !ok || key == "side" {
			break
		}
		header[key] = strings.TrimSpace(value)
	}
	s := &stored{Step{Base: header["base"], Head: header["head"], Date: header["date"], Changes: []Change{}}, make(map[string]*[2][]float64)}
	if s.Base == "" || s.Head == "" {
		return nil, errors.New("not a stored result (want lines base, head, and the benchmarks of two sides)")
	}
	reader := benchfmt.NewReader(bytes.NewReader(content), name)
	times := make(map[string]*[2][]float64)
	for reader.Scan() {
		if wrong, ok := reader.Result().(*benchfmt.SyntaxError); ok {
			return nil, fmt.Errorf("line %d: %s (want a line of a benchmark)", wrong.Line, wrong.Msg)
		}
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		side := slices.Index([]string{"old", "new"}, result.GetConfig("side"))
		seconds, timed := result.Value("sec/op")
		if side < 0 || !timed {
			continue
		}
		benchmark := strings.TrimPrefix(result.GetConfig("pkg")+"."+result.Name.String(), ".")
		if times[benchmark] == nil {
			times[benchmark] = new([2][]float64)
		}
		times[benchmark][side] = append(times[benchmark][side], seconds)
	}
	for benchmark, sides := range times {
		s.add(benchmark, sides)
	}
	return s, reader.Err()
}

// judge adds the changes of all benchmarks present on both sides.
func (s *Step) judge(times map[string]*[2][]float64, rule verdict.Rule) error {
	family := verdict.Family{Rule: rule}
	rows := make(map[string]*verdict.Row)
	for benchmark, sides := range times {
		row := family.Add(false)
		for k := range min(len(sides[0]), len(sides[1])) {
			if err := row.Add(sides[0][k], sides[1][k]); err != nil {
				return fmt.Errorf("%s: %w", benchmark, err)
			}
		}
		rows[benchmark] = row
	}
	family.Look(true)
	for _, benchmark := range slices.Sorted(maps.Keys(rows)) {
		if row := rows[benchmark]; row.Rounds() > 0 {
			s.Changes = append(s.Changes, Change{benchmark, row.Delta, row.Lo, row.Hi, row.Rounds(), row.Verdict})
		}
	}
	return nil
}

// chain orders steps.
func chain(steps []Step) []Step {
	slices.SortFunc(steps, func(a, b Step) int { return cmp.Compare(a.Date, b.Date) })
	heads := make(map[string]bool)
	for _, s := range steps {
		heads[s.Head] = true
	}
	var ordered []Step
	for len(steps) > 0 {
		next := -1
		if len(ordered) > 0 {
			last := ordered[len(ordered)-1].Head
			next = slices.IndexFunc(steps, func(s Step) bool { return s.Base == last })
		}
		if next < 0 { // the beginning of a chain
			next = max(0, slices.IndexFunc(steps, func(s Step) bool { return !heads[s.Base] }))
		}
		ordered = append(ordered, steps[next])
		steps = slices.Delete(steps, next, next+1)
	}
	return ordered
}

// Series is the time of a benchmark along a history, relative to the first commit. A step
// without the benchmark changes nothing.
type Series struct {
	Benchmark string    `json:"benchmark"`
	Relative  []float64 `json:"relative"` // after each step
	Points    []Point   `json:"points"`   // of change
}

// Point is a step at which a benchmark became significantly slower or faster.
type Point struct {
	Step int `json:"step"` // number of the step
	Change
}

// Follow follows every benchmark along the steps.
func Follow(steps []Step) []Series {
	byName := make(map[string]*Series)
	for i, step := range steps {
		for _, c := range step.Changes {
			s := byName[c.Benchmark]
			if s == nil {
				s = &Series{Benchmark: c.Benchmark}
				byName[c.Benchmark] = s
			}
			for len(s.Relative) <= i {
				last := 1.0
				if n := len(s.Relative); n > 0 {
					last = s.Relative[n-1]
				}
				s.Relative = append(s.Relative, last)
			}
			s.Relative[i] *= 1 + c.Delta
			if c.Verdict == verdict.Slower || c.Verdict == verdict.Faster {
				s.Points = append(s.Points, Point{i, c})
			}
		}
	}
	var all []Series
	for _, s := range byName {
		for len(s.Relative) < len(steps) {
			s.Relative = append(s.Relative, s.Relative[len(s.Relative)-1])
		}
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Series) int { return cmp.Compare(a.Benchmark, b.Benchmark) })
	return all
}

// Write writes a row for each benchmark: its change over all steps, and where it
// changed.
func Write(w io.Writer, steps []Step, series []Series) error {
	out := &text.Writer{To: w}
	fmt.Fprintf(out, "%s, from %s to %s\n\n", text.Plural(len(steps), "step"), short(steps[0].Base), short(steps[len(steps)-1].Head))
	t := text.Table{Header: []string{"benchmark", "change", "points of change"}}
	for _, s := range series {
		var points []string
		for _, p := range s.Points {
			points = append(points, fmt.Sprintf("%s %s", short(steps[p.Step].Head), text.Percent(p.Delta)))
		}
		t.Add(text.Plain(s.Benchmark), text.Percent(s.Relative[len(s.Relative)-1]-1), strings.Join(points, ", "))
	}
	if err := t.WriteText(out); err != nil {
		return err
	}
	return out.Err
}

// short is the beginning of a commit's hash.
func short(commit string) string { return commit[:min(10, len(commit))] }

// mostLines bounds the lines of a chart: those that change most are drawn.
const mostLines = 8

// Chart draws the time of benchmarks relative to the first commit.
func Chart(steps []Step, series []Series) []byte {
	x := []string{short(steps[0].Base)}
	for _, s := range steps {
		x = append(x, short(s.Head))
	}
	drawn := slices.Clone(series)
	slices.SortStableFunc(drawn, func(a, b Series) int { return cmp.Compare(b.swing(), a.swing()) })
	var lines []plot.Line
	for _, s := range drawn[:min(mostLines, len(drawn))] {
		line := plot.Line{Name: s.Benchmark[strings.LastIndexByte(s.Benchmark, '/')+1:], Values: []plot.Interval{figure(1)}}
		for _, relative := range s.Relative {
			line.Values = append(line.Values, figure(relative))
		}
		lines = append(lines, line)
	}
	return plot.Lines{Text: plot.Text{Title: "Time along the commits", Subtitle: "relative to the first commit", Label: "Lines of the time of benchmarks after each commit"},
		X: x, Y: "time, relative", Lines: lines}.SVG(true)
}

// swing is the largest distance of a series from its beginning.
func (s Series) swing() float64 {
	return max(slices.Max(s.Relative)-1, 1-slices.Min(s.Relative))
}

// figure is a point without an interval.
func figure(x float64) plot.Interval {
	return plot.Interval{Middle: x, Lo: x, Hi: x, Text: fmt.Sprintf("%.3f", x)}
}
