package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Summary is the last line: the verdict with its losses and gains, and the benchmarks behind it.
func (r *Report) Summary() string { return strings.Join(r.sentences(), " ") }

// sentences are those of the summary, the verdict first.
func (r *Report) sentences() []string {
	parts := []string{describeVerdict(r), describeGains(r.Rows)}
	if r.Benchmarks.Reached > 0 {
		parts = append(parts, describeJudges(r))
	}
	switch added := areOf(len(r.New), "benchmark", "is", "are"); {
	case len(r.New) > mostShown:
		parts = append(parts, fmt.Sprintf("%s new: %s.", added, someOf(r.New)))
	case len(r.New) > 0: // the table has them
		parts = append(parts, added+" new.")
	}
	if r.Verdict != verdict.Slower && r.Verdict != verdict.MoreWork {
		parts = append(parts, describeDetectable(r.Rows))
	}
	var spent []string
	if r.Seeds > 0 {
		spent = append(spent, text.Plural(r.Seeds, "count"))
	}
	if r.Rounds > 0 {
		spent = append(spent, text.Plural(r.Rounds, "round"))
	}
	if len(spent) > 0 && r.Seconds > 0 {
		parts = append(parts, fmt.Sprintf("The run took %s and %v.", strings.Join(spent, ", "),
			time.Duration(r.Seconds*1e9).Round(time.Second)))
	}
	if len(spent) > 0 {
		parts = append(parts, fmt.Sprintf("At most %.3g %% of runs give a false alarm.", 100*r.Alpha))
	}
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
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
		return fmt.Sprintf("Undecided: %s.", cmp.Or(strings.Join(listCauses(r), "; "), describeNoCause(r)))
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
		if IsMemory(row.Unit) {
			return 1
		}
		return 0
	}
	losses := filter(rows, func(row Row) bool {
		return row.Verdict == verdict.Slower || row.Primary && row.Verdict == verdict.MoreWork
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
		return symbol.Short(r.Functions[i].Name)
	case len(r.Places) == 1:
		return symbol.Short(r.Places[0].Function)
	case len(r.Functions) > 0 && r.Functions[0].More > 0:
		return symbol.Short(r.Functions[0].Name)
	case len(r.Parts) > 0 && r.Parts[0].Delta > 0:
		return symbol.Short(r.Parts[0].Function)
	case len(r.Places) > 0:
		return symbol.Short(r.Places[0].Function)
	}
	return ""
}

// describeGains names the faster benchmarks, and those with less work. It is "" without any.
func describeGains(rows []Row) string {
	gains := filter(rows, func(row Row) bool {
		return row.Primary && (row.Verdict == verdict.Faster || row.Verdict == verdict.LessWork)
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
		return row.Primary && row.Code != SameCode && row.Judge == verdict.ByCount && !isOpen
	})
	noun := "reached benchmark"
	if r.Named {
		noun = "benchmark"
	}
	line := fmt.Sprintf("%d of %s judged", r.Benchmarks.Judged, areOf(r.Benchmarks.Reached, noun, "was", "were"))
	if len(counted) > 0 {
		line += fmt.Sprintf(" (%d by count)", len(counted))
	}
	if r.Horizon > 0 && r.Benchmarks.Judged > 0 {
		line += fmt.Sprintf(" within %.3g s of work of each", r.Horizon)
	}
	if r.Verdict == verdict.Undecided || r.Verdict == verdict.Nothing {
		return line + "." // describeVerdict has the reasons
	}
	return line + strings.Join(countReasons(r), "") + "."
}

// areOf counts a noun with its verb: "1 benchmark is", "2 benchmarks are".
func areOf(n int, noun, singular, plural string) string {
	if n == 1 {
		plural = singular
	}
	return text.Plural(n, noun) + " " + plural
}

// describeDetectable names the smallest detectable slowdown in nine tenths of the benchmarks judged by time. It is
// "" without any.
func describeDetectable(rows []Row) string {
	worst := make(map[string]float64) // by benchmark
	for _, row := range rows {
		if row.Primary && row.Judge == verdict.ByTime && row.Rounds > 0 && row.Verdict != verdict.NotJudged && row.Detectable <= 10 {
			worst[row.Name] = max(worst[row.Name], float64(row.Detectable))
		}
	}
	if len(worst) == 0 {
		return ""
	}
	detectable := slices.Sorted(maps.Values(worst))
	seen := detectable[min(len(detectable)-1, (9*len(detectable)+9)/10-1)]
	n, _ := slices.BinarySearch(detectable, math.Nextafter(seen, math.Inf(1)))
	return fmt.Sprintf("A slowdown of %.0f %% or more would have been seen in %d of %s.", math.Ceil(100*seen), n,
		text.Plural(len(detectable), "benchmark"))
}
