// Package doctor examines whether a machine measures reliably: its clock frequency, its other
// load, and the noise of a benchmark against itself. [Host.Examine] returns a [Report]. It reads files
// through an [io/fs.FS], so tests can examine simulated machines.
package doctor

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Grade is the effect of a finding on measurements.
type Grade string

// The grades, the best first.
const (
	OK      Grade = "ok"
	Unknown Grade = "unknown" // cannot be read here
	Warn    Grade = "warn"    // moves figures, but not those measured side by side
	Bad     Grade = "bad"     // figures mean little until it is changed
)

// Finding is one thing found out about a machine.
type Finding struct {
	What     string // examined property
	Measured string // measured value
	Verdict  Grade
	Advice   string // advice or explanation
}

// Report is an examination's result.
type Report struct {
	CPU      string
	Verdict  Grade     // the worst of the findings
	Findings []Finding // one for each examination
}

// Host is a machine to examine.
type Host struct {
	FS    fs.FS // root of its files, as in "proc/loadavg"
	OS    string
	CPU   string
	Cores int // available to this process
}

// Examine examines a host. The measure function measures a benchmark against itself: two series
// with samples of the same rounds. It returns the findings with the error of measure, if any.
func (h Host) Examine(measure func() (*sample.Run, error)) (Report, error) {
	r := Report{CPU: h.CPU, Verdict: OK}
	h.add(&r, "governor", h.governor())
	h.add(&r, "turbo", h.turbo())
	h.add(&r, "load", h.load())
	h.add(&r, "CPU quota", h.quota())
	ticks, stolen := h.ticks()
	run, err := measure()
	if err != nil {
		return r, err
	}
	ticksAfter, stolenAfter := h.ticks()
	h.add(&r, "stolen time", steal(ticksAfter-ticks, stolenAfter-stolen))
	h.add(&r, "noise", noise(run))
	return r, nil
}

// add adds a finding, with advice unless it is OK. Nothing measured does not count for the verdict.
func (h Host) add(r *Report, what string, f Finding) {
	f.What = what
	switch {
	case f.Measured == "" && h.OS != "linux":
		f = Finding{What: what, Measured: "cannot be read on " + h.OS, Verdict: Unknown}
	case f.Measured == "":
		f = Finding{What: what, Measured: "is not shown here", Verdict: Unknown}
	case f.Verdict == OK:
		f.Advice = ""
	case f.Verdict == Bad || r.Verdict == OK:
		r.Verdict = f.Verdict
	}
	r.Findings = append(r.Findings, f)
}

// grade is Warn above a limit, and Bad above a second one.
func grade(x, warn, bad float64) Grade {
	switch {
	case x > bad || math.IsNaN(x):
		return Bad
	case x > warn:
		return Warn
	}
	return OK
}

// read returns a file without the space around it, and whether it can be read.
func (h Host) read(name string) (string, bool) {
	text, err := fs.ReadFile(h.FS, name)
	return strings.TrimSpace(string(text)), err == nil && h.OS == "linux"
}

// numbers returns the numbers at a file's beginning.
func (h Host) numbers(name string) (list []float64) {
	text, _ := h.read(name)
	for word := range strings.FieldsSeq(text) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			break
		}
		list = append(list, x)
	}
	return list
}

// governor reads the frequency governor of the cores.
func (h Host) governor() Finding {
	files, _ := fs.Glob(h.FS,
		"sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor") // fails for a bad pattern only
	counted := make(map[string]int)
	for _, file := range files {
		if governor, ok := h.read(file); ok {
			counted[governor]++
		}
	}
	if len(counted) == 0 {
		return Finding{}
	}
	parts := text.List(slices.Sorted(maps.Keys(counted)),
		func(governor string) string { return fmt.Sprintf("%s on %d", governor, counted[governor]) })
	return Finding{
		Measured: fmt.Sprintf("%s of %d cores", strings.Join(parts, ", "), len(files)),
		Verdict:  grade(float64(len(files)-counted["performance"]), 0, math.Inf(1)),
		Advice:   `The clock follows the load, so samples begin slow: "sudo cpupower frequency-set -g performance".`,
	}
}

// turbo reads whether the clock may rise while few cores work.
func (h Host) turbo() Finding {
	for file, off := range map[string]float64{"sys/devices/system/cpu/intel_pstate/no_turbo": 1,
		"sys/devices/system/cpu/cpufreq/boost": 0} {
		switch value := h.numbers(file); {
		case len(value) == 1 && value[0] == off:
			return Finding{Measured: "off", Verdict: OK}
		case len(value) == 1:
			return Finding{Measured: "on", Verdict: Warn,
				Advice: fmt.Sprintf("The clock depends on heat and busy cores: \"echo %v | sudo tee /%s\".", off, file)}
		}
	}
	return Finding{}
}

// load reads the machine's other load.
func (h Host) load() Finding {
	loads := h.numbers("proc/loadavg")
	if len(loads) < 3 {
		return Finding{}
	}
	cores := float64(max(1, h.Cores))
	return Finding{
		Measured: fmt.Sprintf("%v %v %v over 1, 5 and 15 minutes, on %d cores", loads[0], loads[1], loads[2], h.Cores),
		Verdict:  grade(loads[0], 0.2*cores, 0.75*cores),
		Advice:   "Other processes run. Close them, or wait until they end.",
	}
}

// quota reads how much of the processor the control group of the process, or one above it, may
// use: "cpu.max" of version 2, "cpu.cfs_quota_us" of version 1.
func (h Host) quota() Finding {
	groups, ok := h.read("proc/self/cgroup")
	if !ok {
		return Finding{}
	}
	f := Finding{Measured: "none", Verdict: OK}
	least := math.Inf(1)
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 || parts[0] != "0" && !slices.Contains(strings.Split(parts[1], ","), "cpu") {
			continue
		}
		for _, root := range []string{"sys/fs/cgroup", "sys/fs/cgroup/cpu", "sys/fs/cgroup/" + parts[1]} {
			for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
				folder := path.Join(root, group)
				quota := h.numbers(path.Join(folder, "cpu.max")) // "max 100000" is none
				if quota == nil {
					quota = append(h.numbers(path.Join(folder, "cpu.cfs_quota_us")),
						h.numbers(path.Join(folder, "cpu.cfs_period_us"))...) // -1 is none
				}
				if len(quota) == 2 && quota[0] > 0 && quota[0]/quota[1] < least {
					least = quota[0] / quota[1]
					f.Measured = fmt.Sprintf("%.2f cores (/%s)", least, folder)
				}
				if group == "/" {
					break
				}
			}
		}
	}
	switch {
	case least < 1:
		f.Verdict = Bad
		f.Advice = "The system stops the process when it has used its share of a period. Raise the quota to a core or more."
	case least < float64(h.Cores):
		f.Verdict, f.Advice = Warn, "Measurements of one core fit in, but those of all cores do not."
	}
	return f
}

// ticks reads the time of all cores up to now, and the part that the hypervisor gave to other
// machines; 0 where they are not shown.
func (h Host) ticks() (all, stolen float64) {
	stat, _ := h.read("proc/stat")
	line, _, _ := strings.Cut(stat, "\n")
	words := strings.Fields(line) // cpu user nice system idle iowait irq softirq steal guest guest_nice
	if len(words) < 9 || words[0] != "cpu" {
		return 0, 0
	}
	for _, word := range words[1:9] { // guest time is in user time too
		stolen, _ = strconv.ParseFloat(word, 64)
		all += stolen
	}
	return all, stolen
}

// steal judges the part of the time that the hypervisor gave to other machines.
func steal(ticks, stolen float64) Finding {
	if ticks <= 0 {
		return Finding{}
	}
	return Finding{
		Measured: fmt.Sprintf("%.2f %% while measuring", 100*stolen/ticks), Verdict: grade(stolen/ticks, 0.001, 0.01),
		Advice: "The host runs other machines on these cores. Measure at another hour, and side by side.",
	}
}

// noise judges a benchmark measured against itself: its interval holds 1 on a sound machine, and
// its width is the smallest difference that shows.
func noise(run *sample.Run) Finding {
	a, b := run.Series[0], run.Series[1]
	ratio, lo, hi := verdict.Ratio(a.Times, b.Times)
	return Finding{
		Measured: fmt.Sprintf("%s against itself, %s of %v: %s [%s, %s]",
			a.Engine, text.Plural(len(a.Times), "sample"), run.Options.BenchTime, text.Percent(ratio-1),
			text.Percent(lo-1), text.Percent(hi-1)),
		Verdict: grade(max(hi-1, 1-lo), 0.01, 0.03),
		Advice:  "Smaller differences mean nothing here. The findings above may name the reason.",
	}
}

// conclusions explain the overall verdict.
var conclusions = map[Grade]string{
	OK:   "This machine measures reliably.",
	Warn: "Believe ratios of figures that were measured side by side.",
	Bad:  "Do not rely on measurements of this machine until the bad findings are resolved.",
}

// WriteText writes the report for a terminal.
func (r Report) WriteText(to io.Writer) error {
	const columns, indent = 96, "         "
	w := &text.Writer{To: to}
	fmt.Fprintf(w, "%s\n\n", r.CPU)
	for _, f := range r.Findings {
		finding := text.Wrap(f.What+": "+f.Measured, indent, columns)
		fmt.Fprintf(w, "%-9s%s\n", f.Verdict, finding[len(indent):])
		if f.Advice != "" {
			fmt.Fprintln(w, text.Wrap(f.Advice, indent+"  ", columns))
		}
	}
	fmt.Fprintf(w, "\n%s: %s\n", r.Verdict, conclusions[r.Verdict])
	return w.Err
}
