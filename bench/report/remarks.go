package report

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// NoClock is the CPU clock in reports with wall-clock times only.
const NoClock = "none"

// describeSides is the title: both sides.
func describeSides(r *Report) string {
	base, head := shortCommit(r.Base), shortCommit(r.Head)
	switch {
	case r.WorkTree:
		head = "the work tree"
	case r.Named:
		base, head = r.Base, r.Head
	}
	return fmt.Sprintf("%s, compared with %s", head, base)
}

// describe describes the machine and the settings behind the figures. It is "" without a machine.
func (m *Measurement) describe() string {
	if m.CPU == "" {
		return ""
	}
	parts := []string{fmt.Sprintf("%s %s/%s", cmp.Or(m.Go, "Go"), runtime.GOOS, runtime.GOARCH), m.CPU,
		fmt.Sprintf("GOMAXPROCS %d", m.GOMAXPROCS)}
	if n := len(m.Load); n > 0 {
		parts = append(parts, fmt.Sprintf("load %.1f to %.1f on %s", slices.Min(m.Load), slices.Max(m.Load),
			text.Plural(runtime.NumCPU(), "core")))
	}
	switch m.CPUClock {
	case "":
	case NoClock:
		parts = append(parts, "wall-clock times only")
	default:
		parts = append(parts, "CPU times by "+m.CPUClock)
	}
	if m.Seeds > 0 {
		parts = append(parts, "counts by "+m.Counter)
	}
	if len(m.Flags) > 0 {
		parts = append(parts, "flags "+strings.Join(m.Flags, " "))
	}
	return strings.Join(append(parts, fmt.Sprintf("seed %d", m.Seed), "this program was built with "+m.BuiltWith), ", ")
}

// listRemarks returns the information outside the table: packages, the geometric mean, reasons, and notes.
func listRemarks(r *Report) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	same := filter(r.Rows, func(row Row) bool { return row.Code == SameCode })
	if unchanged := r.InState(Identical); len(unchanged) > 0 {
		add("The change reaches no benchmark of %s.", someOf(packagePaths(unchanged)))
	} else if len(same) > 0 {
		add("The change does not reach %s: %s.", text.Plural(len(same), "benchmark"), someOf(rowNames(same)))
	}
	for _, p := range r.InState(Failed) {
		add("%s failed: %s", p.Path, p.Error)
	}
	if gone := r.InState(Gone); len(gone) > 0 {
		add("Without benchmarks on the new side: %s.", someOf(packagePaths(gone)))
	}
	if added := r.InState(New); len(added) > 0 {
		add("Without benchmarks on the old side: %s.", someOf(packagePaths(added)))
	}
	lines = append(lines, listReasons(r)...)
	lines = append(lines, explainRows(r.Rows)...)
	if s := r.Suite; s != nil {
		add("All together, the geometric mean of %d: %s [%s, %s], %s.", s.Benchmarks, Percent(s.Delta), Percent(s.Lo),
			Percent(s.Hi), s.Verdict)
	}
	if len(r.Reused) > 0 {
		add("Reused from the cache: %s.", strings.Join(r.Reused, ", "))
	}
	for _, note := range r.Notes {
		add("Note: %s.", strings.TrimSuffix(note, "."))
	}
	return lines
}

// explainRows describes the new allocations and the functions behind the failing rows.
func explainRows(rows []Row) []string {
	var memory, times []string
	for _, row := range rows {
		parts := strings.Join(text.List(row.Parts, Part.describe), ", ")
		switch {
		case parts == "":
		case IsMemory(row.Unit):
			memory = append(memory, fmt.Sprintf("%s has more %s in %s.", row.Name, row.Unit, parts))
		default:
			times = append(times, fmt.Sprintf("%s changed by %s: %s.", row.Name, signed(row.New-row.Old), parts))
		}
	}
	return slices.Concat(memory, explainWork(rows), times)
}

// mostExplained bounds the benchmarks whose functions a text lists, and the functions of each.
const mostExplained = 5

// explainWork describes the functions with additional instructions of a few benchmarks, of the largest losses first.
func explainWork(rows []Row) (lines []string) {
	for _, row := range slices.Concat(listLosses(rows), rows) {
		if len(row.Functions) > 0 && (row.Verdict == verdict.MoreWork || row.Verdict == verdict.Slower) {
			line := fmt.Sprintf("%s: %s.", row.Name, strings.Join(text.List(row.Functions[:min(mostExplained, len(row.Functions))], Function.describe), "; "))
			if !slices.Contains(lines, line) { // both judges' rows have the same functions
				lines = append(lines, line)
			}
		}
	}
	if further := len(lines) - mostExplained; further > 0 {
		lines = append(lines[:mostExplained], fmt.Sprintf("The functions of %s are in the JSON only.",
			text.Plural(further, "further benchmark")))
	}
	return lines
}

// describe gives a function's, or a line's, difference.
func (p Part) describe() string {
	if p.Place != "" {
		return fmt.Sprintf("%s (%s)", symbol.Short(p.Function), p.Place)
	}
	return fmt.Sprintf("%s %s [%s, %s]", symbol.Short(p.Function), signed(p.Delta), signed(p.Delta-p.Error),
		signed(p.Delta+p.Error))
}

// describe gives a function's additional work in words.
func (f Function) describe() string {
	word := "more"
	if f.More < 0 {
		word = "fewer"
	}
	more := fmt.Sprintf("%s %s %s instructions an operation", symbol.Short(f.Name),
		Figure(math.Abs(f.More), CountUnit), word)
	before, after := f.Calls[0], f.Calls[1]
	calls := fmt.Sprintf(", called %s times", Figure(after, CountUnit))
	if calls == ", called 1 times" {
		calls = ", called once"
	}
	const seldom = 0.005 // calls by set-up and scheduling
	switch {
	case math.Abs(after-before) <= seldom*max(1, before):
		return more
	case before < seldom:
		return more + calls + ", and not before"
	case after < seldom:
		return more + ", no longer called"
	default:
		return more + calls + " instead of " + Figure(before, CountUnit)
	}
}

// signed prints a time difference.
func signed[N ~float64](seconds N) string {
	if seconds < 0 {
		return "-" + Figure(-seconds, TimeUnit)
	}
	return "+" + Figure(seconds, TimeUnit)
}
