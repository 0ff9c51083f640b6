package ab

import (
	"math"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// figure is a number of a benchmark line, in the unit it was printed in.
type figure struct {
	value float64
	unit  string
}

// line is a printed result of one benchmark.
type line struct {
	name       string // as printed, without "Benchmark", with the number of processors
	pkg        string // by the last line "pkg: ..."; "" without
	procs      int    // GOMAXPROCS of the run, if known
	iterations int
	figures    []figure
}

// figure returns the value of a unit.
func (l line) figure(unit string) (float64, bool) {
	for _, f := range l.figures {
		if f.unit == unit {
			return f.value, true
		}
	}
	return 0, false
}

// resultBegin is where the figures of a benchmark begin: a number of iterations and the
// first figure.
var resultBegin = text.Regexp(`(?:^|\s)([1-9][0-9]*)\s+([0-9][^\s]*) ([^\s]+)`)

// parseLines parses the output of a benchmark program. Go prints the name of a benchmark, runs
// it, and then prints the figures. The benchmark's own output comes between the two, so figures
// belong to the last name before them.
func parseLines(out string) []line {
	var lines []line
	name, pkg := "", ""
	for text := range strings.Lines(out) {
		text = strings.TrimRight(text, "\r\n")
		if rest, ok := strings.CutPrefix(text, "pkg:"); ok {
			pkg = strings.TrimSpace(rest)
		}
		rest := text
		if fields := strings.Fields(text); len(fields) > 0 && isBenchmarkName(fields[0]) {
			name = strings.TrimPrefix(fields[0], "Benchmark")
			rest = strings.TrimPrefix(strings.TrimSpace(text), fields[0])
		}
		if name == "" {
			continue
		}
		if l, ok := parseFigures(rest); ok {
			l.name, l.pkg = name, pkg
			lines = append(lines, l)
			name = ""
		}
	}
	return lines
}

// isBenchmarkName reports whether Go would run a function of the name as a benchmark.
func isBenchmarkName(word string) bool {
	rest, ok := strings.CutPrefix(word, "Benchmark")
	return ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z')
}

// parseFigures reads "  1000\t  350.2 ns/op\t 16 B/op", with anything before it.
func parseFigures(text string) (l line, ok bool) {
	at := resultBegin().FindStringSubmatchIndex(text)
	if at == nil {
		return l, false
	}
	var err error
	if l.iterations, err = strconv.Atoi(text[at[2]:at[3]]); err != nil {
		return l, false
	}
	fields := strings.Fields(text[at[3]:])
	for i := 0; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
			break
		}
		l.figures = append(l.figures, figure{value, fields[i+1]})
	}
	return l, len(l.figures) > 0
}

// withoutProcs removes the "-4" that Go appends to the name of a benchmark on four processors;
// for one processor it appends nothing.
func withoutProcs(name string, procs int) string {
	if procs == 1 {
		return name
	}
	return strings.TrimSuffix(name, "-"+strconv.Itoa(procs))
}
