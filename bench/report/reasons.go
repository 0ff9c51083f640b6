package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

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

// describeNoCause is the cause of an undecided run without a benchmark that has one: failures, which a note names.
func describeNoCause(r *Report) string {
	if r.Benchmarks.Judged > 0 {
		return "the new side reports failures"
	}
	return "nothing was judged"
}

// countReasons counts the benchmarks of a pass that are not judged by their reasons, and the packages that do not build.
func countReasons(r *Report) (counts []string) {
	shortReason := func(b Unjudged) string {
		reason, _, _ := strings.Cut(cmp.Or(b.Reason, "undecided"), ":")
		return reason
	}
	for _, open := range text.Groups(r.Benchmarks.NotJudged, shortReason) {
		reason := shortReason(open[0])
		if strings.HasPrefix(reason, "the ") || strings.HasPrefix(reason, "too ") {
			reason = map[bool]string{true: "was", false: "were"}[len(open) == 1] + " not: " + reason
		}
		counts = append(counts, fmt.Sprintf("; %d %s", len(open), putIntoPlural(len(open), reason)))
	}
	if n := len(filter(r.InState(Failed), func(p *Package) bool { return p.Neither })); n > 0 {
		counts = append(counts, fmt.Sprintf("; %s %s", text.Plural(n, "package"), putIntoPlural(n, "builds on neither side")))
	}
	return counts
}

// putIntoPlural puts a reason's verb into the plural for several benchmarks.
func putIntoPlural(n int, reason string) string {
	verb, rest, _ := strings.Cut(reason, " ")
	if verb == "has" && n > 1 {
		return "have " + rest
	}
	if singular, ok := strings.CutSuffix(verb, "s"); ok && n > 1 {
		return singular + " " + rest
	}
	return reason
}

// listReasons groups the rows by their verdict's reason, without those that the verdict names: see [listCauses].
func listReasons(r *Report) []string {
	rows := filter(withoutUnmeasured(r.Rows), func(row Row) bool {
		isNamed := r.Verdict == verdict.Undecided && !r.Interrupted &&
			slices.Contains(r.Benchmarks.NotJudged, Unjudged{row.Name, row.Reason})
		return row.Reason != "" && (!row.isQuiet() || row.Verdict == verdict.New) && !isNamed
	})
	reason := func(row Row) string {
		if row.Verdict == verdict.Undecided && !row.Primary { // the benchmark may be decided by another row
			return fmt.Sprintf("%s in %s: %s", row.Verdict, row.Unit, row.Reason)
		}
		return fmt.Sprintf("%s: %s", row.Verdict, row.Reason)
	}
	return text.List(text.Groups(rows, reason), func(group []Row) string {
		why := reason(group[0])
		return fmt.Sprintf("%s (%s).", strings.ToUpper(why[:1])+why[1:], someOf(slices.Compact(rowNames(group))))
	})
}
