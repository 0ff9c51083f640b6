package ab

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// goldenVerdicts holds the verdicts on the runs in testdata/runs, which -update writes.
const goldenVerdicts = "testdata/verdicts.txt"

// recorded is a run on two commits of a public module, with its samples. A file has three parts: the files of "--save"
// of both sides, and the instructions counted with each seed.
type recorded struct {
	sides  [2]string
	counts string // lines "name, old, new"
}

// readRecorded reads a run.
func readRecorded(t *testing.T, name string) recorded {
	t.Helper()
	parts := strings.Split(testkit.ReadText(t, name), "\n--\n")
	testkit.MustEqual(t, len(parts), 3, "parts in %s", name)
	return recorded{[2]string{parts[frame.Old] + "\n", parts[frame.New] + "\n"}, parts[2]}
}

// replay gives the recorded samples to the judges, round by round, as the samplers do.
func (r recorded) replay(t *testing.T) *report.Report {
	t.Helper()
	o := DefaultOptions()
	v := newJudges(&o, nil, true)
	var benchmarks []*benchmark
	rounds := make(map[*benchmark][]Pair)
	find := func(full string) *benchmark {
		i := slices.IndexFunc(benchmarks, func(b *benchmark) bool { return b.fullName() == full })
		if i < 0 {
			printed := strings.TrimSuffix(strings.TrimPrefix(full, "Benchmark"), "-2")
			b := &benchmark{pkg: &testPackage{Package: &report.Package{Path: "recorded"}}, printed: printed,
				name: printed, procs: 1}
			if strings.HasSuffix(full, "-2") {
				b.procs = 2
			}
			i, benchmarks = len(benchmarks), append(benchmarks, b)
		}
		return benchmarks[i]
	}
	before, after := slices.Collect(strings.Lines(r.sides[frame.Old])), slices.Collect(strings.Lines(r.sides[frame.New]))
	clock := report.Wall
	for i, line := range before {
		if of, ok := strings.CutPrefix(line, "clock: "); ok {
			clock = report.Clock(strings.TrimSpace(of))
		}
		if full, _, _ := strings.Cut(line, "\t"); strings.HasPrefix(line, "Benchmark") {
			b := find(full)
			rounds[b] = append(rounds[b], Pair{Benchmark: b,
				sides: [2]sample{savedSample(line, clock), savedSample(after[i], clock)}, clock: clock})
		}
	}
	replayCounts(t, v, r.counts, find)
	for round, more := 0, true; more; round++ {
		var pairs []Pair
		for _, b := range benchmarks {
			if round < len(rounds[b]) {
				pairs = append(pairs, rounds[b][round])
			}
		}
		v.addTimes(pairs)
		v.look(benchmarks)
		more = len(pairs) > 0
	}
	j := &job{Options: o, Run: &frame.Run{Budget: frame.NewBudget(o.Time, false)}}
	result := newResult(j, v, benchmarks)
	result.finish(t.Context(), j)
	return result.Report
}

// replayCounts gives the recorded counts to the judges.
func replayCounts(t *testing.T, j *judges, counts string, find func(full string) *benchmark) {
	t.Helper()
	var counted []*benchmark
	var pairs []Pair
	seeds := make(map[*benchmark]int)
	for line := range strings.Lines(counts) {
		fields := strings.Fields(line)
		b := find(fields[0])
		if j.fileOf(b).counts == nil {
			j.fileOf(b).counts = &countRow{result: verdict.Count{Limit: j.options.limit(b.name)}}
			counted = append(counted, b)
		}
		p := Pair{Benchmark: b, seed: uint64(seeds[b])}
		for side := range p.sides {
			p.sides[side].instructions = testkit.Must(strconv.ParseFloat(fields[1+side], 64))(t)
		}
		pairs, seeds[b] = append(pairs, p), seeds[b]+1
	}
	judgeCounts(j, pairs, counted)
}

// savedSample parses a line of "--save", whose first time is the judged one.
func savedSample(line string, clock report.Clock) sample {
	s := parseSamples([]byte(line), 0)[0]
	if clock == report.CPU {
		s.cpu, s.wall = s.figures[timePrinted]*1e-9, s.figures["wall-ns/op"]*1e-9
	} else if cpu, ok := s.figures["cpu-ns/op"]; ok {
		s.cpu = cpu * 1e-9
	}
	delete(s.figures, "wall-ns/op")
	delete(s.figures, "cpu-ns/op")
	return s
}

// verdictLines lists a verdict and the figures behind it, with all their digits.
func verdictLines(run, instrument string, r *report.Report) (lines []string) {
	lines = append(lines, fmt.Sprintf("%s by %s: %s, %d of %d judged", run, instrument, r.Verdict, r.Benchmarks.Judged,
		r.Benchmarks.Reached))
	for _, row := range r.Rows {
		line := fmt.Sprintf("  %s %s %s", row.Name, row.Unit, row.Verdict)
		if row.Primary {
			line += ", speaks"
		}
		for _, x := range []verdict.Number{row.Delta, row.Lo, row.Hi, row.Family, row.Detectable} {
			line += " " + strconv.FormatFloat(float64(x), 'g', -1, 64)
		}
		lines = append(lines, line)
	}
	if r.Suite != nil {
		lines = append(lines, fmt.Sprint("  all ", r.Suite.Benchmarks, " ", r.Suite.Verdict, " ",
			float64(r.Suite.Delta), " ", float64(r.Suite.Lo), " ", float64(r.Suite.Hi)))
	}
	return lines
}

// isSameLine compares two lines: all words are equal, and figures differ by the rounding of math.Exp at most, which
// depends on the instructions of the CPU.
func isSameLine(a, b string) bool {
	return slices.EqualFunc(strings.Fields(a), strings.Fields(b), func(a, b string) bool {
		x, err := strconv.ParseFloat(a, 64)
		y, other := strconv.ParseFloat(b, 64)
		return a == b || err == nil && other == nil && math.Abs(x-y) <= 1e-12*math.Abs(x)
	})
}

// TestRecordedRuns judges the recorded runs as pairs of files, and as rounds with counts. Every verdict and its
// figures must stay the same.
func TestRecordedRuns(t *testing.T) {
	names, err := filepath.Glob("testdata/runs/*.txt")
	testkit.FatalIf(t, err != nil || len(names) < 20, "%d runs (want 20 or more), %v", len(names), err)
	var lines []string
	for _, name := range names {
		r := readRecorded(t, name)
		run := strings.TrimSuffix(filepath.Base(name), ".txt")
		files, err := judgeTexts(r.sides[frame.Old], r.sides[frame.New], nil)
		testkit.FatalIf(t, err != nil, "%s: %v", name, err)
		lines = append(lines, verdictLines(run, "files", files)...)
		lines = append(lines, verdictLines(run, "rounds", r.replay(t))...)
	}
	if *testkit.Update {
		testkit.WriteText(t, goldenVerdicts, strings.Join(lines, "\n")+"\n")
	}
	want := strings.Split(strings.TrimSuffix(testkit.ReadText(t, goldenVerdicts), "\n"), "\n")
	testkit.Equal(t, len(lines), len(want), "number of lines")
	for i := range min(len(lines), len(want)) {
		testkit.ErrorIf(t, !isSameLine(lines[i], want[i]), "line %d:\n%s\nwant\n%s", i+1, lines[i], want[i])
	}
}
