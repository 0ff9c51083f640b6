package ab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Part is the share of a function in the change of a row.
type Part struct {
	Function string  `json:"function"`
	Delta    float64 `json:"delta"` // seconds of an operation, without the functions it calls
	Error    float64 `json:"error"` // of delta, twice the standard deviation
}

const (
	mostParts = 5
	mostRows  = 8 // rows to explain
)

// explain profiles both sides of slower rows for a while, and lists the functions that account
// for the difference. The profiler takes a sample every 10 ms. A function is listed if its
// difference exceeds the noise of the counts.
func (r *runner) explain(ctx context.Context) {
	done := 0
	for i := range r.report.Rows {
		row := &r.report.Rows[i]
		at := slices.IndexFunc(r.benchmarks, func(b *benchmark) bool { return b.name == row.Name })
		if row.Verdict != verdict.Slower || !strings.HasPrefix(row.Unit, "sec/") || at < 0 || done == mostRows || ctx.Err() != nil || r.report.named {
			continue
		}
		done++
		r.options.show(Progress{Doing: "profiling " + row.Name})
		var err error
		if row.Parts, err = r.explainRow(ctx, r.benchmarks[at], row); err != nil {
			r.note("%s is not explained: %v", row.Name, err)
			continue
		}
		r.note("%s", row.explanation())
	}
}

// explanation lists the parts of a row in words.
func (r *Row) explanation() string {
	if len(r.Parts) == 0 {
		return fmt.Sprintf("%s: no single function accounts for the difference beyond the noise of the profiles", r.Name)
	}
	parts := text.List(r.Parts, func(p Part) string {
		return fmt.Sprintf("%s %s±%s", p.Function, signed(p.Delta), value(p.Error, r.Unit))
	})
	return fmt.Sprintf("%s changed by %s: %s", r.Name, signed(r.New-r.Old), strings.Join(parts, ", "))
}

// signed prints a difference of times.
func signed[N ~float64](seconds N) string {
	if seconds < 0 {
		return "-" + value(-seconds, "sec/op")
	}
	return "+" + value(seconds, "sec/op")
}

// unsafeInFiles matches the characters not allowed in a file name.
var unsafeInFiles = text.Regexp(`[^A-Za-z0-9._=-]+`)

// explainRow profiles both sides of a benchmark with the same number of iterations.
func (r *runner) explainRow(ctx context.Context, b *benchmark, row *Row) ([]Part, error) {
	iterations := int(max(1, min(1e9, r.options.profileTime.Seconds()/max(float64(row.Old), float64(row.New), 1e-9))))
	folder := cmp.Or(r.options.Profiles, r.scratch.dir)
	var counts [2]map[string]int
	for side := range counts {
		file, err := filepath.Abs(filepath.Join(folder, fmt.Sprintf("%s.%s.pprof", unsafeInFiles().ReplaceAllString(row.Name, "_"), sideNames[side])))
		if err != nil {
			return nil, err
		}
		if _, err := r.runTests(ctx, b.pkg, side, b.pkg.binaries[side], noCore, time.Minute+20*r.options.profileTime, nil,
			append(benchArgs(anyOf([]string{b.printed}, false), fmt.Sprintf("%dx", iterations), b.procs), "-test.cpuprofile="+file)...); err != nil {
			return nil, err
		}
		// The counts are those of a function without the functions it calls.
		p := program{args: []string{goProgram(), "tool", "pprof", "-top", "-sample_index=samples", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0",
			b.pkg.binaries[side], file}, dir: r.sides[side].dir, core: noCore, timeout: time.Minute}
		out, err := p.run(ctx)
		if err != nil {
			return nil, err
		}
		counts[side] = parseTop(string(out.out))
	}
	return differences(counts, iterations), nil
}

// parseTop reads a table of "go tool pprof -top": flat, flat%, sum%, cum, cum%, function.
func parseTop(table string) map[string]int {
	counts := make(map[string]int)
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 6 || !strings.HasSuffix(fields[1], "%") {
			continue
		}
		if flat, err := strconv.Atoi(fields[0]); err == nil {
			name := strings.TrimSuffix(strings.Join(fields[5:], " "), " (inline)")
			counts[name] += flat
		}
	}
	return counts
}

// differences returns the functions whose counts differ by more than chance, the largest
// difference first.
func differences(counts [2]map[string]int, iterations int) []Part {
	const interval = 0.01 // seconds between samples
	each := interval / float64(iterations)
	var parts []Part
	for _, name := range union(slices.Collect(maps.Keys(counts[oldSide])), slices.Collect(maps.Keys(counts[newSide]))) {
		before, after := float64(counts[oldSide][name]), float64(counts[newSide][name])
		if noise := 2 * math.Sqrt(before+after); math.Abs(after-before) > noise {
			parts = append(parts, Part{name, (after - before) * each, noise * each})
		}
	}
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)) })
	return parts[:min(mostParts, len(parts))]
}
