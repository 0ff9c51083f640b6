package doctor

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// processor reports its name and the features available to engines.
func processor(h Host) Finding {
	measured := fmt.Sprintf("%s, %d cores for this process", h.CPU.Name, h.CPU.Logical)
	if h.CPU.Level > 0 {
		measured += fmt.Sprintf(", x86-64-v%d", h.CPU.Level)
	}
	if len(h.CPU.Features) > 0 {
		measured += "; " + text.Join(h.CPU.Features, " ")
	}
	f := Finding{What: "processor", Measured: measured, Verdict: OK}
	if h.CPU.Logical < 2 {
		f.Verdict = Warn
		f.Advice = "With one core, whatever else runs takes its time from the measurement. Close what you can."
	}
	return f
}

// caches reports the cache sizes the work has to fit into.
func caches(h Host) Finding {
	var sizes []string
	for _, c := range []struct {
		name string
		size int
	}{{"L1d", h.CPU.L1D}, {"L2", h.CPU.L2}, {"L3", h.CPU.L3}} {
		if c.size > 0 {
			sizes = append(sizes, c.name+" "+bytesText(c.size))
		}
	}
	if len(sizes) == 0 {
		return unknown("caches", "the processor does not report them")
	}
	if h.CPU.Line > 0 {
		sizes = append(sizes, fmt.Sprintf("lines of %d bytes", h.CPU.Line))
	}
	f := Finding{What: "caches", Measured: strings.Join(sizes, ", "), Verdict: OK}
	const workload = 512 << 10
	if h.CPU.L2 > 0 && h.CPU.L2 < workload {
		f.Verdict = Warn
		f.Advice = "The positions of the value level do not fit into the second level: their times are those of the third."
	}
	return f
}

// bytesText prints a size of a cache: "32 KiB", "1 MiB".
func bytesText(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

// governor reads the frequency governor of the cores.
func governor(h Host) Finding {
	const what = "governor"
	if !h.linux() {
		return notLinux(what, h)
	}
	governors := h.eachCore("cpufreq/scaling_governor")
	if len(governors) == 0 {
		f := unknown(what, "none is shown")
		if h.virtual() != "" {
			f.Advice = "The host of this virtual machine chooses the clock."
		}
		return f
	}
	measured := tally(governors)
	if drivers := h.eachCore("cpufreq/scaling_driver"); len(drivers) > 0 {
		measured += " (" + drivers[0] + ")"
	}
	f := Finding{What: what, Measured: measured, Verdict: OK}
	if slices.ContainsFunc(governors, func(g string) bool { return g != "performance" }) {
		f.Verdict = Warn
		f.Advice = `The clock follows the load, so that samples begin slow. Set it for the time of measuring: "sudo cpupower frequency-set -g performance".`
	}
	return f
}

// tally counts the values of the cores: "performance on 1, powersave on 2 of 3 cores".
func tally(texts []string) string {
	counted := make(map[string]int)
	for _, text := range texts {
		counted[text]++
	}
	var parts []string
	for _, text := range slices.Sorted(maps.Keys(counted)) {
		parts = append(parts, fmt.Sprintf("%s on %d", text, counted[text]))
	}
	return fmt.Sprintf("%s of %d cores", strings.Join(parts, ", "), len(texts))
}

// turbo reads whether the clock may rise while few cores work.
func turbo(h Host) Finding {
	const what = "turbo"
	if !h.linux() {
		return notLinux(what, h)
	}
	on := func(measured, off string) Finding {
		return Finding{What: what, Measured: measured, Verdict: Warn, Advice: "The clock depends on heat and on how many cores work. " +
			"Measure side by side, or switch it off for the time of measuring: \"" + off + "\"."}
	}
	if noTurbo, ok := h.number("sys/devices/system/cpu/intel_pstate/no_turbo"); ok {
		if noTurbo == 0 {
			return on("on (intel_pstate)", "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo")
		}
		return Finding{What: what, Measured: "off (intel_pstate)", Verdict: OK}
	}
	if boost, ok := h.number("sys/devices/system/cpu/cpufreq/boost"); ok {
		if boost != 0 {
			return on("on (cpufreq)", "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost")
		}
		return Finding{What: what, Measured: "off (cpufreq)", Verdict: OK}
	}
	f := unknown(what, "no switch is shown")
	f.Advice = "Expect that it is on: one busy core runs faster than many."
	return f
}

// smt reads whether two threads share a core.
func smt(h Host) Finding {
	const what = "SMT"
	if !h.linux() {
		return notLinux(what, h)
	}
	siblings := h.eachCore("topology/thread_siblings_list")
	shared := slices.ContainsFunc(siblings, func(list string) bool {
		n, ok := listed(list)
		return ok && n > 1
	})
	active, known := h.number("sys/devices/system/cpu/smt/active")
	switch {
	case known && active == 1 || shared:
		return Finding{What: what, Measured: "on: threads share cores", Verdict: Warn,
			Advice: "What runs on the other thread of a core takes from this one. Leave the machine alone while it measures, or switch it off: " +
				"\"echo off | sudo tee /sys/devices/system/cpu/smt/control\"."}
	case !known && len(siblings) == 0:
		return unknown(what, "is not shown")
	case h.virtual() != "":
		return Finding{What: what, Measured: "none is shown", Verdict: OK,
			Advice: "A virtual machine may hide it: its cores may be two threads of one. \"ur bench run --suite scaling\" shows what they bring together."}
	}
	return Finding{What: what, Measured: "off", Verdict: OK}
}
