package ab

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// completeRows adds the parts of rows that do not depend on the way of measuring.
func (r *runner) completeRows() {
	byName := make(map[string]*benchmark)
	for _, b := range r.benchmarks {
		byName[b.name] = b
	}
	for i := range r.report.Rows {
		row := &r.report.Rows[i]
		if b := byName[row.Name]; b != nil {
			row.Tests = r.testsOf(b.pkg.Path)
			row.Bytes = b.bytes()
		}
		if r.options.isAdvisory(row.Name) && !row.Verdict.Passes() {
			row.Reason = strings.TrimSuffix(fmt.Sprintf("%s, but declared not to count: %s", row.Verdict, row.Reason), ": ")
			row.Verdict = verdict.Advisory
		}
	}
}

// isExcluded reports whether a benchmark is not measured.
func (o *Options) isExcluded(name string) bool { return matches(o.Exclude, name) }

// isAdvisory reports whether the verdicts of a benchmark do not count.
func (o *Options) isAdvisory(name string) bool { return matches(o.Advisory, name) }

// matches reports whether a valid regular expression matches a name. An empty one never does.
func matches(expression, name string) bool {
	return expression != "" && regexp.MustCompile(expression).MatchString(name)
}

// estimates returns figures of both sides whose ratio is 1+delta: their geometric mean is
// the median of those of the pairs. They are NaN where a figure is 0 or there are none.
func estimates(before, after []float64, delta float64) (float64, float64) {
	var logs []float64
	for k := range before {
		if !(before[k] > 0 && after[k] > 0) {
			return math.NaN(), math.NaN()
		}
		logs = append(logs, (math.Log(before[k])+math.Log(after[k]))/2)
	}
	half := math.Sqrt(1 + delta)
	middle := math.Exp(median(logs))
	return middle / half, middle * half
}

// bytes returns the bytes processed by an operation, as set by SetBytes: MB/s times ns/op.
func (b *benchmark) bytes() float64 {
	for _, l := range b.lastLines() {
		rate, ok := l.figure("MB/s")
		each, timed := l.figure("ns/op")
		if ok && timed {
			return math.Round(rate * each / 1000)
		}
	}
	return 0
}

// lastLines returns the last lines printed by the benchmark.
func (b *benchmark) lastLines() []line {
	var lines []line
	for _, pair := range b.pairs {
		lines = append(lines, pair[newSide].line)
	}
	return lines
}

// hasFigures reports whether any benchmark was measured, or needed no measurement.
func (r *Report) hasFigures() bool {
	for _, row := range r.Rows {
		if row.Rounds > 0 || row.Verdict == verdict.Identical {
			return true
		}
	}
	return false
}

// describeMachine fills in where and how the report came about.
func (r *Report) describeMachine(o *Options) {
	r.CPU, r.BuiltWith = cpuName(), runtime.Version()
	r.Load = appendLoad(r.Load)
	if r.GOMAXPROCS == 0 {
		r.GOMAXPROCS = runtime.GOMAXPROCS(0)
	}
	if o.Tags != "" {
		r.Flags = append(r.Flags, "-tags="+o.Tags)
	}
	r.Flags = append(r.Flags, o.BuildFlags...)
	if flags := os.Getenv("GOFLAGS"); flags != "" {
		r.Flags = append(r.Flags, "GOFLAGS="+flags)
	}
}

// cpuName returns the model of the processor, or the architecture.
func cpuName() string {
	var text []byte
	switch runtime.GOOS {
	case "linux":
		text, _ = os.ReadFile("/proc/cpuinfo")
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(line, ":")
			if name = strings.TrimSpace(name); name == "model name" || name == "cpu model" {
				return strings.TrimSpace(value)
			}
		}
	case "darwin":
		if text, _ = exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); len(text) > 0 {
			return strings.TrimSpace(string(text))
		}
	}
	return runtime.GOARCH
}

// appendLoad adds the average number of runnable processes in the last minute, where the
// system reports it.
func appendLoad(load []float64) []float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return load
	}
	var mean float64
	if _, err := fmt.Sscan(string(text), &mean); err == nil {
		load = append(load, mean)
	}
	return load
}
