// Package doctor examines whether a machine measures reliably: its clock frequency, its other
// load, and the noise of a benchmark against itself. It reads files of the system through an
// [io/fs.FS], so tests can examine simulated machines.
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
	What     string `json:"what"`     // examined property
	Measured string `json:"measured"` // measured value
	Verdict  Grade  `json:"verdict"`
	Advice   string `json:"advice,omitempty"` // advice or explanation
}

// Report is the result of an examination: the JSON object of "ur bench doctor --json".
type Report struct {
	Schema   string    `json:"schema"` // ur.doctor/2
	CPU      string    `json:"cpu"`
	Verdict  Grade     `json:"verdict"`  // the worst of the findings
	Findings []Finding `json:"findings"` // one for each examination
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
	r := Report{Schema: "ur.doctor/2", CPU: h.CPU, Verdict: OK}
	for _, examine := range []func() Finding{h.governor, h.turbo, h.load, h.quota} {
		r.add(examine())
	}
	ticks, stolen := h.ticks()
	run, err := measure()
	if err != nil {
		return r, err
	}
	ticksAfter, stolenAfter := h.ticks()
	r.add(h.steal(ticksAfter-ticks, stolenAfter-stolen))
	r.add(noise(run))
	return r, nil
}

// add adds a finding. An unreadable file does not count for the verdict.
func (r *Report) add(f Finding) {
	r.Findings = append(r.Findings, f)
	if f.Verdict == Bad || f.Verdict == Warn && r.Verdict == OK {
		r.Verdict = f.Verdict
	}
}

// unknown is a finding that cannot be made here.
func (h Host) unknown(what string) Finding {
	if h.OS != "linux" {
		return Finding{What: what, Measured: "cannot be read on " + h.OS, Verdict: Unknown}
	}
	return Finding{What: what, Measured: "is not shown here", Verdict: Unknown}
}

// read returns a file without the space around it, and whether it can be read.
func (h Host) read(name string) (string, bool) {
	text, err := fs.ReadFile(h.FS, name)
	return strings.TrimSpace(string(text)), err == nil && h.OS == "linux"
}

// number returns the integer in a file.
func (h Host) number(name string) (int64, bool) {
	text, ok := h.read(name)
	n, err := strconv.ParseInt(text, 10, 64)
	return n, ok && err == nil
}

// governor reads the frequency governor of the cores.
func (h Host) governor() Finding {
	const what = "governor"
	files, _ := fs.Glob(h.FS, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor") // fails for a bad pattern only
	counted := make(map[string]int)
	for _, file := range files {
		if governor, ok := h.read(file); ok {
			counted[governor]++
		}
	}
	if len(counted) == 0 {
		return h.unknown(what)
	}
	var parts []string
	for _, governor := range slices.Sorted(maps.Keys(counted)) {
		parts = append(parts, fmt.Sprintf("%s on %d", governor, counted[governor]))
	}
	f := Finding{What: what, Measured: fmt.Sprintf("%s of %d cores", strings.Join(parts, ", "), len(files)), Verdict: OK}
	if counted["performance"] != len(files) {
		f.Verdict = Warn
		f.Advice = `The clock follows the load, so samples begin slow: "sudo cpupower frequency-set -g performance".`
	}
	return f
}

// turbo reads whether the clock may rise while few cores work.
func (h Host) turbo() Finding {
	const what = "turbo"
	for _, s := range []struct {
		file string
		off  int64
	}{{"sys/devices/system/cpu/intel_pstate/no_turbo", 1}, {"sys/devices/system/cpu/cpufreq/boost", 0}} {
		switch value, ok := h.number(s.file); {
		case ok && value == s.off:
			return Finding{What: what, Measured: "off", Verdict: OK}
		case ok:
			return Finding{What: what, Measured: "on", Verdict: Warn,
				Advice: fmt.Sprintf("The clock depends on heat and on the number of busy cores: \"echo %d | sudo tee /%s\".", s.off, s.file)}
		}
	}
	return h.unknown(what)
}

// load reads the other load of the machine.
func (h Host) load() Finding {
	const what = "load"
	loads, _ := h.read("proc/loadavg")
	words := strings.Fields(loads)
	if len(words) < 3 {
		return h.unknown(what)
	}
	now, err := strconv.ParseFloat(words[0], 64)
	if err != nil {
		return h.unknown(what)
	}
	f := Finding{What: what, Measured: fmt.Sprintf("%s over 1, 5 and 15 minutes, on %d cores", strings.Join(words[:3], " "), h.Cores), Verdict: OK}
	switch cores := float64(max(1, h.Cores)); {
	case now > 0.75*cores:
		f.Verdict, f.Advice = Bad, "Other processes keep all cores busy. Close them, or wait until they end."
	case now > 0.2*cores:
		f.Verdict, f.Advice = Warn, "Other processes run. It is better to wait until they end."
	}
	return f
}

// quota reads how much of the processor the control group of the process, or one above it, may
// use: "cpu.max" of version 2, "cpu.cfs_quota_us" of version 1.
func (h Host) quota() Finding {
	const what = "CPU quota"
	groups, ok := h.read("proc/self/cgroup")
	if !ok {
		return h.unknown(what)
	}
	cores, where := math.Inf(1), ""
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 || parts[0] != "0" && !slices.Contains(strings.Split(parts[1], ","), "cpu") {
			continue
		}
		for _, root := range []string{"sys/fs/cgroup", "sys/fs/cgroup/cpu", "sys/fs/cgroup/" + parts[1]} {
			for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
				if n, ok := h.groupQuota(path.Join(root, group)); ok && n < cores {
					cores, where = n, path.Join("/", root, group)
				}
				if group == "/" {
					break
				}
			}
		}
	}
	f := Finding{What: what, Measured: "none", Verdict: OK}
	if !math.IsInf(cores, 1) {
		f.Measured = fmt.Sprintf("%.2f cores (%s)", cores, where)
	}
	switch {
	case cores < 1:
		f.Verdict, f.Advice = Bad, "The system stops the process in every period in which it has used its share. Raise the quota to one core at least."
	case cores < float64(h.Cores):
		f.Verdict, f.Advice = Warn, "Measurements of one core fit in, but those of all cores do not."
	}
	return f
}

// groupQuota reads the quota of one control group, in cores.
func (h Host) groupQuota(folder string) (cores float64, ok bool) {
	if text, ok := h.read(path.Join(folder, "cpu.max")); ok {
		quota, period, _ := strings.Cut(text, " ")
		q, errQuota := strconv.ParseFloat(quota, 64)
		p, errPeriod := strconv.ParseFloat(period, 64)
		return q / p, errQuota == nil && errPeriod == nil && q > 0 && p > 0 // "max 100000" is none
	}
	q, okQuota := h.number(path.Join(folder, "cpu.cfs_quota_us"))
	p, okPeriod := h.number(path.Join(folder, "cpu.cfs_period_us"))
	return float64(q) / float64(p), okQuota && okPeriod && q > 0 && p > 0 // -1 is none
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
	for i, word := range words[1:9] { // guest time is in user time too
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return 0, 0
		}
		if all += n; i == 7 {
			stolen = n
		}
	}
	return all, stolen
}

// steal judges the part of the time that the hypervisor gave to other machines.
func (h Host) steal(ticks, stolen float64) Finding {
	const what = "stolen time"
	if ticks <= 0 {
		return h.unknown(what)
	}
	part := stolen / ticks
	f := Finding{What: what, Measured: fmt.Sprintf("%.2f %% while measuring", 100*part), Verdict: OK}
	if part > 0.001 {
		f.Verdict, f.Advice = Warn, "The host runs other machines on these cores. Measure at another hour, and side by side."
	}
	if part > 0.01 {
		f.Verdict = Bad
	}
	return f
}

// noise judges a benchmark measured against itself: its interval holds 1 on a sound machine, and
// its width is the smallest difference that shows.
func noise(run *sample.Run) Finding {
	a, b := run.Series[0], run.Series[1]
	ratio, lo, hi := verdict.Ratio(a.Times, b.Times, true)
	f := Finding{What: "noise", Verdict: OK, Measured: fmt.Sprintf("%s against itself, %s of %v: %s [%s, %s]",
		a.Engine, text.Plural(len(a.Times), "sample"), run.Options.BenchTime, text.Percent(ratio-1), text.Percent(lo-1), text.Percent(hi-1))}
	switch reach := max(hi-1, 1-lo); {
	case !(reach <= 0.03):
		f.Verdict, f.Advice = Bad, "It differs from itself by 3 % or more. The findings above may name the reason."
	case reach > 0.01:
		f.Verdict, f.Advice = Warn, "Smaller differences mean nothing here."
	}
	return f
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
