package report

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Summary is the last line: the verdict with its losses and gains, and the benchmarks behind it.
func (r *Report) Summary() string {
	parts := []string{describeVerdict(r), describeGains(r.Rows)}
	if r.Benchmarks.Reached > 0 {
		parts = append(parts, describeJudges(r))
	}
	if len(r.New) > 0 {
		parts = append(parts, fmt.Sprintf("%d new: %s.", len(r.New), someOf(r.New)))
	}
	if r.Verdict != verdict.Slower && r.Verdict != verdict.MoreWork {
		parts = append(parts, describeSight(r.Rows))
	}
	var spent []string
	if r.Seeds > 0 {
		spent = append(spent, text.Plural(r.Seeds, "count"))
	}
	if r.Rounds > 0 {
		spent = append(spent, text.Plural(r.Rounds, "round"))
	}
	if len(spent) > 0 {
		parts = append(parts, fmt.Sprintf("%s, %v. False alarms: at most %.3g %% of runs.", strings.Join(spent, ", "),
			time.Duration(r.Seconds*1e9).Round(time.Second), 100*r.Alpha))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// describeVerdict is the verdict in words.
func describeVerdict(r *Report) string {
	losses := text.List(listLosses(r.Rows), func(row Row) string {
		loss := fmt.Sprintf("%s %s %s", row.Name, row.change(), row.Unit)
		if name := row.culprit(); name != "" {
			loss += " (" + name + ")"
		}
		return loss
	})
	word := map[verdict.Verdict]string{verdict.Slower: "Slower", verdict.MoreWork: "More work"}[r.Verdict]
	switch {
	case word != "" && len(losses) > 0:
		return fmt.Sprintf("%s: %s.", word, someOf(losses))
	case word != "" && r.Suite != nil:
		return fmt.Sprintf("Slower: all benchmarks together, by %s.", Percent(r.Suite.Delta))
	case r.Interrupted:
		return "Interrupted."
	case r.Verdict == verdict.Undecided || r.Verdict == verdict.Nothing:
		return fmt.Sprintf("Undecided: %s.", cmp.Or(strings.Join(listCauses(r), "; "), "nothing was judged"))
	case r.Benchmarks.Reached == 0:
		if len(r.New) > 0 {
			return "Pass: the change reaches no benchmark of both sides."
		}
		return fmt.Sprintf("Pass: the change reaches no benchmark in %s.", text.Plural(len(r.Packages), "package"))
	}
	return "Pass: nothing is slower."
}

// listLosses returns the failing rows, the largest loss first. Memory comes last, where one allocation may be any
// percentage, and a time before its count.
func listLosses(rows []Row) []Row {
	memory := func(row Row) int {
		if row.Unit == BytesUnit || row.Unit == AllocsUnit {
			return 1
		}
		return 0
	}
	losses := filter(rows, func(row Row) bool {
		return row.Verdict == verdict.Slower || row.Speaks && row.Verdict == verdict.MoreWork
	})
	slices.SortStableFunc(losses, func(a, b Row) int {
		return cmp.Or(cmp.Compare(memory(a), memory(b)),
			cmp.Compare(math.Abs(float64(b.Delta)), math.Abs(float64(a.Delta))))
	})
	return losses
}

// culprit names the function behind a failing row: the one with the most additional instructions among those that
// differ, or among all, otherwise the first that differs.
func (r *Row) culprit() string {
	differs := func(name string) bool {
		return slices.ContainsFunc(r.Places, func(p Place) bool { return p.Function == name })
	}
	i := slices.IndexFunc(r.Functions, func(f Function) bool { return f.More > 0 && differs(f.Name) })
	switch {
	case i >= 0:
		return shortFunction(r.Functions[i].Name)
	case len(r.Places) == 1:
		return shortFunction(r.Places[0].Function)
	case len(r.Functions) > 0 && r.Functions[0].More > 0:
		return shortFunction(r.Functions[0].Name)
	case len(r.Parts) > 0 && r.Parts[0].Delta > 0:
		return shortFunction(r.Parts[0].Function)
	case len(r.Places) > 0:
		return shortFunction(r.Places[0].Function)
	}
	return ""
}

// describeGains names the faster benchmarks, and those with less work. It is "" without any.
func describeGains(rows []Row) string {
	gains := filter(rows, func(row Row) bool {
		return row.Speaks && (row.Verdict == verdict.Faster || row.Verdict == verdict.LessWork)
	})
	if len(gains) == 0 {
		return ""
	}
	slices.SortStableFunc(gains, func(a, b Row) int { return cmp.Compare(a.Delta, b.Delta) })
	names := text.List(gains, func(row Row) string { return fmt.Sprintf("%s %s %s", row.Name, row.change(), row.Unit) })
	return fmt.Sprintf("Faster: %s.", text.Some(names, 3))
}

// describeJudges counts the judged benchmarks, by their judge, and gives the others' reasons.
func describeJudges(r *Report) string {
	counted := filter(r.Rows, func(row Row) bool {
		isOpen := slices.ContainsFunc(r.Benchmarks.NotJudged, func(b Unjudged) bool { return b.Name == row.Name })
		return row.Speaks && row.Code != SameCode && row.Judge == verdict.ByCount && !isOpen
	})
	noun := "reached benchmark"
	if r.Named {
		noun = "benchmark"
	}
	line := fmt.Sprintf("%d of %s judged", r.Benchmarks.Judged, text.Plural(r.Benchmarks.Reached, noun))
	if len(counted) > 0 {
		line += fmt.Sprintf(" (%d by count)", len(counted))
	}
	if r.Verdict == verdict.Undecided || r.Verdict == verdict.Nothing {
		return line + "." // describeVerdict has the reasons
	}
	shortReason := func(b Unjudged) string {
		reason, _, _ := strings.Cut(cmp.Or(b.Reason, "undecided"), ":")
		return reason
	}
	for _, open := range text.Groups(r.Benchmarks.NotJudged, shortReason) {
		line += fmt.Sprintf("; %d %s", len(open), putIntoPlural(len(open), shortReason(open[0])))
	}
	if n := len(filter(r.InState(Failed), func(p *Package) bool { return p.Neither })); n > 0 {
		line += fmt.Sprintf("; %s %s", text.Plural(n, "package"), putIntoPlural(n, "builds on neither side"))
	}
	return line + "."
}

// putIntoPlural puts a reason's verb into the plural for several benchmarks.
func putIntoPlural(n int, reason string) string {
	verb, rest, _ := strings.Cut(reason, " ")
	if singular, ok := strings.CutSuffix(verb, "s"); ok && n > 1 {
		return singular + " " + rest
	}
	return reason
}

// describeSight names the smallest detectable slowdown in nine tenths of the benchmarks judged by time. It is
// "" without any.
func describeSight(rows []Row) string {
	var sights []float64
	for _, row := range rows {
		if row.Speaks && row.Judge == verdict.ByTime && row.Rounds > 0 && row.Verdict != verdict.Advisory &&
			row.Sight <= 10 {
			sights = append(sights, float64(row.Sight))
		}
	}
	if len(sights) == 0 {
		return ""
	}
	slices.Sort(sights)
	seen := sights[min(len(sights)-1, (9*len(sights)+9)/10-1)]
	n, _ := slices.BinarySearch(sights, math.Nextafter(seen, math.Inf(1)))
	return fmt.Sprintf("A slowdown of %.0f %% or more would have been seen in %d of %s.", math.Ceil(100*seen), n,
		text.Plural(len(sights), "benchmark"))
}

// listCauses returns the reasons for an undecided run.
func listCauses(r *Report) []string {
	causes := slices.Clone(r.Benchmarks.NotJudged)
	for _, p := range r.InState(Failed) {
		causes = append(causes, Unjudged{p.Path, "packages that do not build or run"})
	}
	reason := func(b Unjudged) string { return cmp.Or(b.Reason, "neither judge can decide") }
	return text.List(text.Groups(causes, reason), func(group []Unjudged) string {
		names := text.List(group, func(b Unjudged) string { return b.Name })
		return fmt.Sprintf("%s (%s)", reason(group[0]), text.Some(names, 3))
	})
}

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

// describeMachine describes the machine and the settings behind the figures. It is "" without a machine.
func describeMachine(r *Report) string {
	if r.CPU == "" {
		return ""
	}
	parts := []string{fmt.Sprintf("%s %s/%s", cmp.Or(r.Go, "Go"), runtime.GOOS, runtime.GOARCH), r.CPU,
		fmt.Sprintf("GOMAXPROCS %d", r.GOMAXPROCS)}
	if n := len(r.Load); n > 0 {
		parts = append(parts, fmt.Sprintf("load %.1f to %.1f on %s", slices.Min(r.Load), slices.Max(r.Load),
			text.Plural(runtime.NumCPU(), "core")))
	}
	switch r.CPUClock {
	case "":
	case NoClock:
		parts = append(parts, "wall-clock times only")
	default:
		parts = append(parts, "CPU times by "+r.CPUClock)
	}
	if r.Seeds > 0 {
		parts = append(parts, "counts by "+r.Counter)
	}
	if len(r.Flags) > 0 {
		parts = append(parts, "flags "+strings.Join(r.Flags, " "))
	}
	return strings.Join(append(parts, fmt.Sprintf("seed %d", r.Seed), "this program was built with "+r.BuiltWith), ", ")
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

// listReasons groups the rows by their verdict's reason, without those that the verdict names: see [listCauses].
func listReasons(r *Report) []string {
	rows := filter(r.Rows, func(row Row) bool {
		isNamed := r.Verdict == verdict.Undecided && !r.Interrupted &&
			slices.Contains(r.Benchmarks.NotJudged, Unjudged{row.Name, row.Reason})
		return row.Reason != "" && (!row.isQuiet() || row.Verdict == verdict.Advisory) && !isNamed
	})
	reason := func(row Row) string { return fmt.Sprintf("%s: %s", row.Verdict, row.Reason) }
	return text.List(text.Groups(rows, reason), func(group []Row) string {
		why := reason(group[0])
		return fmt.Sprintf("%s (%s).", strings.ToUpper(why[:1])+why[1:], someOf(slices.Compact(rowNames(group))))
	})
}

// explainRows describes the functions behind the failing rows.
func explainRows(rows []Row) (lines []string) {
	for _, row := range rows {
		parts := strings.Join(text.List(row.Parts, Part.describe), ", ")
		switch {
		case parts == "":
		case row.Unit == AllocsUnit || row.Unit == BytesUnit:
			lines = append(lines, fmt.Sprintf("%s has more %s in %s.", row.Name, row.Unit, parts))
		default:
			lines = append(lines, fmt.Sprintf("%s changed by %s: %s.", row.Name, signed(row.New-row.Old), parts))
		}
		if len(row.Functions) > 0 && (row.Verdict == verdict.MoreWork || row.Verdict == verdict.Slower) {
			line := fmt.Sprintf("%s: %s.", row.Name, strings.Join(text.List(row.Functions, Function.describe), "; "))
			if !slices.Contains(lines, line) { // both judges' rows have the same functions
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// describe gives a function's, or a line's, difference.
func (p Part) describe() string {
	if p.Place != "" {
		return fmt.Sprintf("%s (%s)", shortFunction(p.Function), p.Place)
	}
	return fmt.Sprintf("%s %s±%s", shortFunction(p.Function), signed(p.Delta), Figure(p.Error, TimeUnit))
}

// describe gives a function's additional work in words.
func (f Function) describe() string {
	word := "more"
	if f.More < 0 {
		word = "fewer"
	}
	more := fmt.Sprintf("%s %s %s instructions an operation", shortFunction(f.Name),
		text.GroupedFigure(math.Abs(f.More)), word)
	before, after := f.Calls[0], f.Calls[1]
	calls := fmt.Sprintf(", called %s times", text.GroupedFigure(after))
	if calls == ", called 1 times" {
		calls = ", called once"
	}
	const few = 0.005 // calls by set-up and scheduling
	switch {
	case math.Abs(after-before) <= few*max(1, before):
		return more
	case before < few:
		return more + calls + ", and not before"
	case after < few:
		return more + ", no longer called"
	default:
		return more + calls + " instead of " + text.GroupedFigure(before)
	}
}

// shortFunction is a function's name without its package's folders, and without type arguments.
func shortFunction(name string) string {
	name = WithoutTypeArguments(name)
	return name[strings.LastIndexByte(name, '/')+1:]
}

// WithoutTypeArguments returns a function's name as its source has it: the compiler adds "[...]".
func WithoutTypeArguments(name string) string {
	if begin, end := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); begin >= 0 && end > begin {
		return name[:begin] + name[end+1:]
	}
	return name
}

// signed prints a time difference.
func signed[N ~float64](seconds N) string {
	if seconds < 0 {
		return "-" + Figure(-seconds, TimeUnit)
	}
	return "+" + Figure(seconds, TimeUnit)
}
