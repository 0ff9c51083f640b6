package doctor

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// counters are the kernel's counts up to a moment. Those of a measurement are the difference of
// two.
type counters struct {
	ticks, idle, stolen float64 // of all cores; stolen is the time the hypervisor gave to other machines
	hasTicks            bool

	own    float64 // ticks of this process
	hasOwn bool

	throttled    int64 // number of thermal throttling events, on all cores
	hasThrottled bool
}

// counters reads them.
func (h Host) counters() counters {
	var c counters
	if !h.linux() {
		return c
	}
	stat, _ := h.read("proc/stat")
	line, _, _ := strings.Cut(stat, "\n")
	// cpu user nice system idle iowait irq softirq steal guest guest_nice
	words := strings.Fields(line)
	if len(words) > 8 && words[0] == "cpu" {
		c.hasTicks = true
		for i, word := range words[1:9] { // guest time is in user time too
			n, err := strconv.ParseFloat(word, 64)
			c.hasTicks = c.hasTicks && err == nil
			c.ticks += n
			switch i {
			case 3, 4: // waiting for a disk is idle too
				c.idle += n
			case 7:
				c.stolen = n
			}
		}
	}
	c.own, c.hasOwn = h.ownTicks()
	for _, text := range h.eachCore("thermal_throttle/core_throttle_count") {
		n, err := strconv.ParseInt(text, 10, 64)
		c.hasThrottled = c.hasThrottled || err == nil
		c.throttled += n
	}
	return c
}

// ownTicks reads how long this process has worked. Its name, in brackets, may hold
// anything; user and system time are the 12th and 13th figure behind it.
func (h Host) ownTicks() (ticks float64, ok bool) {
	stat, _ := h.read("proc/self/stat")
	words := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	if len(words) < 13 {
		return 0, false
	}
	user, errUser := strconv.ParseFloat(words[11], 64)
	system, errSystem := strconv.ParseFloat(words[12], 64)
	return user + system, errUser == nil && errSystem == nil
}

// others reports the share of all cores used by other processes during the measurement. The
// load, an average over a minute, lags behind.
func others(h Host, before, after counters) Finding {
	const what = "other work"
	if !h.linux() {
		return notLinux(what, h)
	}
	passed := after.ticks - before.ticks
	if !before.hasTicks || !after.hasTicks || !before.hasOwn || !after.hasOwn || passed <= 0 {
		return unknown(what, "/proc does not report it")
	}
	part := max(0, 1-(after.idle-before.idle+after.own-before.own)/passed)
	f := Finding{What: what, Measured: fmt.Sprintf("%.0f %% of all cores while measuring", 100*part), Verdict: OK}
	switch {
	case part > 0.6:
		f.Verdict = Bad
		f.Advice = "Other processes leave hardly a core alone. Close them, or wait until they are done."
	case part > 0.1:
		f.Verdict = Warn
		f.Advice = "Other processes share caches and clock with the measurement. It is better to wait until they are done."
	}
	return f
}

// steal reports the part of the time the hypervisor gave to other machines.
func steal(h Host, before, after counters) Finding {
	const what = "stolen time"
	if !h.linux() {
		return notLinux(what, h)
	}
	if !before.hasTicks || !after.hasTicks || after.ticks <= before.ticks {
		return unknown(what, "/proc/stat does not report it")
	}
	part := (after.stolen - before.stolen) / (after.ticks - before.ticks)
	f := Finding{What: what, Measured: fmt.Sprintf("%.2f %% while measuring", 100*part), Verdict: OK}
	const advice = "The host runs others on these cores. Measure at another hour, side by side, and with more samples."
	switch {
	case part > 0.01:
		f.Verdict, f.Advice = Bad, advice
	case part > 0.001:
		f.Verdict, f.Advice = Warn, advice
	}
	return f
}

// throttling reports whether the processor slowed down because of heat.
func throttling(h Host, before, after counters) Finding {
	const what = "throttling"
	if !h.linux() {
		return notLinux(what, h)
	}
	if !before.hasThrottled || !after.hasThrottled {
		return unknown(what, "is not counted here")
	}
	during := after.throttled - before.throttled
	f := Finding{What: what, Measured: fmt.Sprintf("%d times while measuring, %d since the start", during, after.throttled), Verdict: OK}
	switch {
	case during > 0:
		f.Verdict = Bad
		f.Advice = "The processor is too hot for its clock. Let it cool, and mind its fans."
	case after.throttled > 0:
		f.Verdict = Warn
		f.Advice = "It has been too hot for its clock before. Long runs may slow down: measure side by side."
	}
	return f
}

// temperature reads the hottest zone.
func temperature(h Host) Finding {
	const what = "temperature"
	if !h.linux() {
		return notLinux(what, h)
	}
	files, err := fs.Glob(h.FS, "sys/class/thermal/thermal_zone*/temp")
	hottest, found := int64(0), false
	for _, file := range files {
		if n, ok := h.number(file); ok && err == nil && (!found || n > hottest) {
			hottest, found = n, true
		}
	}
	if !found {
		return unknown(what, "no sensor is shown")
	}
	f := Finding{What: what, Measured: fmt.Sprintf("%.0f °C", float64(hottest)/1000), Verdict: OK}
	if hottest >= 90_000 {
		f.Verdict = Warn
		f.Advice = "Near to where processors slow down. Let it cool."
	}
	return f
}
