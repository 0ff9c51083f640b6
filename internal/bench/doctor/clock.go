package doctor

import (
	"fmt"
	"slices"
	"time"
)

// clockSource reads where the kernel takes the time from.
func clockSource(h Host) Finding {
	const what = "clock source"
	if !h.linux() {
		return notLinux(what, h)
	}
	source, ok := h.read("sys/devices/system/clocksource/clocksource0/current_clocksource")
	if !ok {
		return unknown(what, "is not shown")
	}
	f := Finding{What: what, Measured: source, Verdict: OK}
	if slices.Contains([]string{"hpet", "acpi_pm", "jiffies", "pit"}, source) {
		f.Verdict = Bad
		f.Advice = "To read it takes a system call and a microsecond or more. The kernel gave up a faster one: see \"dmesg | grep -i tsc\"."
	}
	return f
}

// timer measures the resolution of the clock used by measurements, and the cost of reading it.
func timer(h Host) Finding {
	const reads = 20_000
	finest, last := time.Duration(0), h.Clock()
	begin := last
	for range reads {
		now := h.Clock()
		if step := now - last; step > 0 && (finest == 0 || step < finest) {
			finest = step
		}
		last = now
	}
	if finest == 0 {
		return Finding{What: "timer", Measured: fmt.Sprintf("stands still over %d reads", reads), Verdict: Bad,
			Advice: "Samples must be much longer than a step of the clock: take samples of 1 s."}
	}
	each := (last - begin) / reads
	f := Finding{What: "timer", Measured: fmt.Sprintf("steps of %v, %v to read", finest, each), Verdict: OK}
	switch {
	case finest > time.Millisecond:
		f.Verdict = Bad
		f.Advice = "A sample of 25 ms is off by a step: take samples of 1 s."
	case finest > 10*time.Microsecond || each > 10*time.Microsecond:
		f.Verdict = Warn
		f.Advice = "Take samples of 100 ms or more."
	}
	return f
}
