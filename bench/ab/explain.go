package ab

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
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
	if !r.options.Explain {
		return
	}
	byName := make(map[string]*benchmark)
	for _, b := range r.benchmarks {
		byName[b.name] = b
	}
	done := 0
	for i := range r.report.Rows {
		row := &r.report.Rows[i]
		b := byName[row.Name]
		if row.Verdict != verdict.Slower || !strings.HasPrefix(row.Unit, "sec/") || b == nil || done == mostRows || ctx.Err() != nil {
			continue
		}
		done++
		r.options.show(Progress{Doing: "profiling " + row.Name})
		parts, err := r.explainRow(ctx, b, row)
		if err != nil {
			r.note("%s is not explained: %v", row.Name, err)
			continue
		}
		row.Parts = parts
		r.note("%s", row.explanation())
	}
}

// explanation lists the parts of a row in words.
func (r *Row) explanation() string {
	words := fmt.Sprintf("%s: no single function accounts for the difference beyond the noise of the profiles", r.Name)
	if len(r.Parts) > 0 {
		var list []string
		for _, p := range r.Parts {
			list = append(list, fmt.Sprintf("%s %s±%s", p.Function, signed(p.Delta), value(p.Error, r.Unit)))
		}
		words = fmt.Sprintf("%s changed by %s: %s", r.Name, signed(r.New-r.Old), strings.Join(list, ", "))
	}
	return words
}

// signed prints a difference of times.
func signed[N ~float64](seconds N) string {
	if seconds < 0 {
		return "-" + value(-seconds, "sec/op")
	}
	return "+" + value(seconds, "sec/op")
}

// explainRow profiles both sides of a benchmark with the same number of iterations.
func (r *runner) explainRow(ctx context.Context, b *benchmark, row *Row) ([]Part, error) {
	iterations := r.profiledIterations(row)
	var counts [2]map[string]int
	for side := range counts {
		file := r.scratch.path(fmt.Sprintf("%s.%s.pprof", fileName(row.Name), sideNames[side]))
		if err := r.profile(ctx, b, side, iterations, file); err != nil {
			return nil, err
		}
		var err error
		if counts[side], err = r.samples(ctx, b, side, file); err != nil {
			return nil, err
		}
		if r.options.Profiles != "" {
			profile, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if err := os.WriteFile(filepath.Join(r.options.Profiles, filepath.Base(file)), profile, 0o666); err != nil {
				return nil, err
			}
		}
	}
	return differences(counts, iterations), nil
}

// profiledIterations returns the iterations of a profile.
func (r *runner) profiledIterations(row *Row) int {
	return int(max(1, min(1e9, r.options.profileTime.Seconds()/max(float64(row.Old), float64(row.New), 1e-9))))
}

// fileName replaces all characters not allowed in a file name.
func fileName(name string) string { return unsafeInFiles.ReplaceAllString(name, "_") }

var unsafeInFiles = regexp.MustCompile(`[^A-Za-z0-9._=-]+`)

// profile runs a benchmark of one side with a CPU profile.
func (r *runner) profile(ctx context.Context, b *benchmark, side, iterations int, file string) error {
	_, err := r.runTests(ctx, b.pkg, side, b.pkg.binaries[side], noCore, time.Minute+20*r.options.profileTime, nil,
		append(benchArgs(exactly(b.printed), fmt.Sprintf("%dx", iterations), b.procs), "-test.cpuprofile="+file)...)
	return err
}

// samples counts the samples of a profile by function, without the functions it calls.
func (r *runner) samples(ctx context.Context, b *benchmark, side int, file string) (map[string]int, error) {
	p := program{
		args: []string{goProgram(), "tool", "pprof", "-top", "-sample_index=samples", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0", b.pkg.binaries[side], file},
		dir:  r.sides[side].dir, core: noCore, timeout: time.Minute,
	}
	out, err := p.run(ctx)
	if err != nil {
		return nil, err
	}
	return parseTop(string(out.out)), nil
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
	names := make(map[string]bool)
	for _, side := range counts {
		for name := range side {
			names[name] = true
		}
	}
	for name := range names {
		before, after := float64(counts[oldSide][name]), float64(counts[newSide][name])
		noise := 2 * math.Sqrt(before+after)
		if math.Abs(after-before) > noise {
			parts = append(parts, Part{name, (after - before) * each, noise * each})
		}
	}
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)), cmp.Compare(a.Function, b.Function))
	})
	return parts[:min(mostParts, len(parts))]
}
