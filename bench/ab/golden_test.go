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
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
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
	v := judge.NewTable(o.rules(), nil, true)
	var benchmarks []*listing.Benchmark
	rounds := make(map[*listing.Benchmark][]judge.Pair)
	find := func(full string) *listing.Benchmark {
		i := slices.IndexFunc(benchmarks, func(b *listing.Benchmark) bool { return b.FullName() == full })
		if i < 0 {
			printed := strings.TrimSuffix(strings.TrimPrefix(full, "Benchmark"), "-2")
			b := &listing.Benchmark{Pkg: listingtest.NewPackage("recorded", 0), Printed: printed,
				Name: printed, Procs: 1}
			if strings.HasSuffix(full, "-2") {
				b.Procs = 2
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
			rounds[b] = append(rounds[b], judge.Pair{Benchmark: b,
				Sides: [2]listing.Sample{savedSample(line, clock), savedSample(after[i], clock)}, Clock: clock})
		}
	}
	replayCounts(t, v, r.counts, find)
	for round, more := 0, true; more; round++ {
		var pairs []judge.Pair
		for _, b := range benchmarks {
			if round < len(rounds[b]) {
				pairs = append(pairs, rounds[b][round])
			}
		}
		v.AddTimes(pairs)
		v.Look(benchmarks)
		more = len(pairs) > 0
	}
	result := o.newReport(&frame.Run{Budget: frame.NewBudget(o.Time, false)})
	o.decide(t.Context(), result, v, benchmarks)
	return result
}

// replayCounts gives the recorded counts to the judges.
func replayCounts(t *testing.T, j *judge.Table, lines string, find func(full string) *listing.Benchmark) {
	t.Helper()
	var counted []*listing.Benchmark
	seeds := make(map[*listing.Benchmark]int)
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		b := find(fields[0])
		if j.Of(b).Counts == nil {
			j.Of(b).Counts = &judge.Counts{Result: verdict.Count{Limit: j.LimitOf(b.Name)}}
			counted = append(counted, b)
		}
		p := judge.CountedPair{Seed: uint64(seeds[b])}
		for side := range p.Sides {
			p.Sides[side] = testkit.Must(strconv.ParseFloat(fields[1+side], 64))(t)
		}
		j.Of(b).Counts.Add(p)
		seeds[b]++
	}
	for _, b := range counted {
		j.Of(b).Counts.Judge()
		j.Of(b).Advance(judge.StateCounted)
	}
}

// savedSample parses a line of "--save", whose first time is the judged one.
func savedSample(line string, clock report.Clock) listing.Sample {
	s := listing.ParseSamples([]byte(line), 0)[0]
	if clock == report.CPU {
		s.CPU, s.Wall = s.Figures[listing.TimePrinted]*1e-9, s.Figures["wall-ns/op"]*1e-9
	} else if cpu, ok := s.Figures["cpu-ns/op"]; ok {
		s.CPU = cpu * 1e-9
	}
	delete(s.Figures, "wall-ns/op")
	delete(s.Figures, "cpu-ns/op")
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
