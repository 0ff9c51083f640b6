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

// NoClock is the CPU clock in reports with wall-clock times only.
const NoClock = "none"

// Summary is the last line: the verdict with its losses and gains, and the benchmarks behind it.
func (r *Report) Summary() string {
	parts := []string{r.conclusion()}
	if gains := r.gains(); gains != "" {
		parts = append(parts, gains)
	}
	if r.Benchmarks.Reached > 0 {
		parts = append(parts, r.tally())
	}
	if len(r.New) > 0 {
		parts = append(parts, fmt.Sprintf("%d new: %s.", len(r.New), someOf(r.New)))
	}
	if sight := r.detectable(); sight != "" {
		parts = append(parts, sight)
	}
	if r.Rounds > 0 || r.Seeds > 0 {
		var spent []string
		if r.Seeds > 0 {
			spent = append(spent, text.Plural(r.Seeds, "count"))
		}
		if r.Rounds > 0 {
			spent = append(spent, text.Plural(r.Rounds, "round"))
		}
		parts = append(parts, fmt.Sprintf("%s, %v. False alarms: at most %.3g %% of runs.", strings.Join(spent, ", "),
			time.Duration(r.Seconds*1e9).Round(time.Second), 100*r.Alpha))
	}
	return strings.Join(parts, " ")
}

// conclusion is the verdict in words.
func (r *Report) conclusion() string {
	var losses []string
	for _, row := range r.losses() {
		loss := fmt.Sprintf("%s %s %s", row.Name, row.change(), row.Unit)
		if name := row.culprit(); name != "" {
			loss += " (" + name + ")"
		}
		losses = append(losses, loss)
	}
	word := map[verdict.Verdict]string{verdict.Slower: "Slower", verdict.MoreWork: "More work"}[r.Verdict]
	switch {
	case word != "" && len(losses) > 0:
		return fmt.Sprintf("%s: %s.", word, someOf(losses))
	case word != "" && r.Suite != nil:
		return fmt.Sprintf("Slower: all benchmarks together, by %s.", Percent(r.Suite.Delta))
	case r.Interrupted:
		return "Interrupted."
	case r.Verdict == verdict.Undecided || r.Verdict == verdict.Nothing:
		return fmt.Sprintf("Undecided: %s.", cmp.Or(strings.Join(r.causes(), "; "), "nothing was judged"))
	case r.Benchmarks.Reached == 0:
		if len(r.New) > 0 {
			return "Pass: the change reaches no benchmark of both sides."
		}
		return fmt.Sprintf("Pass: the change reaches no benchmark in %s.", text.Plural(len(r.Packages), "package"))
	}
	return "Pass: nothing is slower."
}

// losses returns the failing rows, the largest loss first. Memory comes last, where one allocation may be any
// percentage, and a time before its count.
func (r *Report) losses() []Row {
	memory := func(row Row) int {
		if row.Unit == BytesUnit || row.Unit == AllocsUnit {
			return 1
		}
		return 0
	}
	rows := slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool {
		return row.Verdict != verdict.Slower && !(row.Speaks && row.Verdict == verdict.MoreWork)
	})
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(memory(a), memory(b)), cmp.Compare(math.Abs(float64(b.Delta)), math.Abs(float64(a.Delta))))
	})
	return rows
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

// placesBehind returns the places of the functions with additional instructions, or all places: a benchmark may
// reach more functions that differ than it calls.
func (r *Row) placesBehind() []Place {
	hasMore := func(p Place) bool {
		return slices.ContainsFunc(r.Functions, func(f Function) bool { return f.More > 0 && f.Name == p.Function })
	}
	if !slices.ContainsFunc(r.Places, hasMore) {
		return r.Places
	}
	return slices.DeleteFunc(slices.Clone(r.Places), func(p Place) bool { return !hasMore(p) })
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

// gains describes the faster benchmarks, and those with less work.
func (r *Report) gains() string {
	var gains []Row
	for _, row := range r.Rows {
		if row.Speaks && (row.Verdict == verdict.Faster || row.Verdict == verdict.LessWork) {
			gains = append(gains, row)
		}
	}
	if len(gains) == 0 {
		return ""
	}
	slices.SortStableFunc(gains, func(a, b Row) int { return cmp.Compare(a.Delta, b.Delta) })
	names := text.List(gains, func(row Row) string { return fmt.Sprintf("%s %s %s", row.Name, row.change(), row.Unit) })
	return fmt.Sprintf("Faster: %s.", text.Some(names, 3))
}

// tally counts the judged benchmarks, by their judge, and gives the others' reasons.
func (r *Report) tally() string {
	judged := make(map[verdict.Instrument]int)
	for _, row := range r.Rows {
		isOpen := slices.ContainsFunc(r.Benchmarks.NotJudged, func(b Unjudged) bool { return b.Name == row.Name })
		if row.Speaks && row.Code != SameCode && !isOpen {
			judged[row.Judge]++
		}
	}
	noun := "reached benchmark"
	if r.Named {
		noun = "benchmark"
	}
	line := fmt.Sprintf("%d of %s judged", r.Benchmarks.Judged, text.Plural(r.Benchmarks.Reached, noun))
	if judged[verdict.ByCount] > 0 {
		line += fmt.Sprintf(" (%d by count)", judged[verdict.ByCount])
	}
	if r.Verdict == verdict.Undecided || r.Verdict == verdict.Nothing {
		return line + "." // the conclusion has the reasons
	}
	reasons, order := make(map[string]int), []string(nil)
	for _, b := range r.Benchmarks.NotJudged {
		reason, _, _ := strings.Cut(cmp.Or(b.Reason, "undecided"), ":")
		if reasons[reason]++; reasons[reason] == 1 {
			order = append(order, reason)
		}
	}
	for _, reason := range order {
		line += fmt.Sprintf("; %d %s", reasons[reason], agreeing(reasons[reason], reason))
	}
	return line + "."
}

// agreeing puts a reason's verb into the plural for several benchmarks.
func agreeing(n int, reason string) string {
	verb, rest, _ := strings.Cut(reason, " ")
	if singular, ok := strings.CutSuffix(verb, "s"); ok && n > 1 {
		return singular + " " + rest
	}
	return reason
}

// detectable describes the detectable slowdowns: the smallest one in nine tenths of
// the benchmarks judged by time.
func (r *Report) detectable() string {
	var sights []float64
	for _, row := range r.Rows {
		if row.Speaks && row.Judge == verdict.ByTime && row.Rounds > 0 && row.Verdict != verdict.Advisory && row.Sight <= 10 {
			sights = append(sights, float64(row.Sight))
		}
	}
	if len(sights) == 0 || r.Verdict == verdict.Slower || r.Verdict == verdict.MoreWork {
		return ""
	}
	slices.Sort(sights)
	seen := sights[min(len(sights)-1, (9*len(sights)+9)/10-1)]
	n, _ := slices.BinarySearch(sights, math.Nextafter(seen, math.Inf(1)))
	return fmt.Sprintf("A slowdown of %.0f %% or more would have been seen in %d of %s.", math.Ceil(100*seen), n, text.Plural(len(sights), "benchmark"))
}

// causes lists the reasons for an undecided run.
func (r *Report) causes() []string {
	var causes []string
	add := func(names []string, reason string) {
		if len(names) > 0 {
			causes = append(causes, fmt.Sprintf("%s (%s)", reason, text.Some(names, 3)))
		}
	}
	byReason, order := make(map[string][]string), []string(nil)
	for _, b := range r.Benchmarks.NotJudged {
		reason := cmp.Or(b.Reason, "neither judge can decide")
		if byReason[reason] == nil {
			order = append(order, reason)
		}
		byReason[reason] = append(byReason[reason], b.Name)
	}
	for _, reason := range order {
		add(byReason[reason], reason)
	}
	add(packagePaths(r.InState(Failed)), "packages that do not build or run")
	return causes
}

// provenance describes the machine and the settings behind the figures.
func (r *Report) provenance() string {
	parts := []string{fmt.Sprintf("%s %s/%s", cmp.Or(r.Go, "Go"), runtime.GOOS, runtime.GOARCH), r.CPU, fmt.Sprintf("GOMAXPROCS %d", r.GOMAXPROCS)}
	if n := len(r.Load); n > 0 {
		parts = append(parts, fmt.Sprintf("load %.1f to %.1f on %s", slices.Min(r.Load), slices.Max(r.Load), text.Plural(runtime.NumCPU(), "core")))
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

// title names the sides.
func (r *Report) title() string {
	base, head := shortCommit(r.Base), shortCommit(r.Head)
	switch {
	case r.WorkTree:
		head = "the work tree"
	case r.Named:
		base, head = r.Base, r.Head
	}
	return fmt.Sprintf("%s, compared with %s", head, base)
}

// remarks returns the information outside the table: packages, the geometric mean, reasons, and notes.
func (r *Report) remarks() []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	var same []string
	for _, row := range r.Rows {
		if row.Code == SameCode {
			same = append(same, row.Name)
		}
	}
	if unchanged := r.InState(Identical); len(unchanged) > 0 {
		add("The change reaches no benchmark of %s.", someOf(packagePaths(unchanged)))
	} else if len(same) > 0 {
		add("The change does not reach %s: %s.", text.Plural(len(same), "benchmark"), someOf(same))
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
	lines = append(lines, r.reasons()...)
	lines = append(lines, r.explanations()...)
	if s := r.Suite; s != nil {
		add("All together, the geometric mean of %d: %s [%s, %s], %s.", s.Benchmarks, Percent(s.Delta), Percent(s.Lo), Percent(s.Hi), s.Verdict)
	}
	if len(r.Reused) > 0 {
		add("Reused from the cache: %s.", strings.Join(r.Reused, ", "))
	}
	for _, note := range r.Notes {
		add("Note: %s.", strings.TrimSuffix(note, "."))
	}
	return lines
}

// reasons groups the rows by their verdict's reason.
func (r *Report) reasons() []string {
	names, order := make(map[string][]string), []string(nil)
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Reason == "" || row.isQuiet() && row.Verdict != verdict.Advisory {
			continue
		}
		reason := fmt.Sprintf("%s: %s", row.Verdict, row.Reason)
		if names[reason] == nil {
			order = append(order, reason)
		}
		names[reason] = append(names[reason], row.Name)
	}
	return text.List(order, func(reason string) string {
		return fmt.Sprintf("%s (%s).", strings.ToUpper(reason[:1])+reason[1:], someOf(slices.Compact(names[reason])))
	})
}

// explanations describes the functions behind the failing rows.
func (r *Report) explanations() []string {
	var lines []string
	for i := range r.Rows {
		row := &r.Rows[i]
		if len(row.Parts) > 0 {
			parts := strings.Join(text.List(row.Parts, Part.describe), ", ")
			if row.Unit == AllocsUnit || row.Unit == BytesUnit {
				lines = append(lines, fmt.Sprintf("%s has more %s in %s.", row.Name, row.Unit, parts))
			} else {
				lines = append(lines, fmt.Sprintf("%s changed by %s: %s.", row.Name, signed(row.New-row.Old), parts))
			}
		}
		if len(row.Functions) > 0 && (row.Verdict == verdict.MoreWork || row.Verdict == verdict.Slower) {
			lines = append(lines, fmt.Sprintf("%s: %s.", row.Name, strings.Join(text.List(row.Functions, Function.describe), "; ")))
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
	more := fmt.Sprintf("%s %s more instructions an operation", shortFunction(f.Name), text.GroupedFigure(f.More))
	if f.More < 0 {
		more = fmt.Sprintf("%s %s fewer instructions an operation", shortFunction(f.Name), text.GroupedFigure(-f.More))
	}
	const few = 0.005 // calls by set-up and scheduling
	switch before, after := f.Calls[0], f.Calls[1]; {
	case math.Abs(after-before) <= few*max(1, before):
		return more
	case before < few:
		return more + fmt.Sprintf(", called %s times, and not before", text.GroupedFigure(after))
	case after < few:
		return more + ", no longer called"
	default:
		return more + fmt.Sprintf(", called %s times instead of %s", text.GroupedFigure(after), text.GroupedFigure(before))
	}
}

// signed prints a time difference.
func signed[N ~float64](seconds N) string {
	if seconds < 0 {
		return "-" + Figure(-seconds, TimeUnit)
	}
	return "+" + Figure(seconds, TimeUnit)
}
