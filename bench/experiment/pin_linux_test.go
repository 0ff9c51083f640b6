package experiment

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A run stays on its core while it measures, and no longer.
func TestRunIsPinned(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	affinity := func() unix.CPUSet {
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(0, &set); err != nil {
			t.Skip(err)
		}
		return set
	}
	before := affinity()
	o := fakeOptions()
	o.Pin = &Pin{Core: AnyCore}
	during := before
	clock := o.Time
	o.Time = func(s Subject, passes int) (float64, time.Duration, error) {
		during = affinity()
		return clock(s, passes)
	}
	run, err := Measure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if core := run.Pinning.Core; core == nil || during.Count() != 1 || !during.IsSet(*core) {
		t.Errorf("pinning %+v, while the thread could use %d cores", run.Pinning, during.Count())
	}
	if after := affinity(); after != before {
		t.Errorf("after the run the thread may use cores %s, before it %s", coreList(&after), coreList(&before))
	}

	o.Pin = nil
	if run, err = Measure(t.Context(), o); err != nil || run.Pinning.Core != nil || during != before {
		t.Errorf("without a pin: pinning %+v, error %v", run.Pinning, err)
	}
	o.Pin = &Pin{Core: 1000}
	var wrong *PinError
	if run, err = Measure(t.Context(), o); run != nil || !errors.As(err, &wrong) || wrong.Core != 1000 {
		t.Errorf("a core that there is not: run %v, error %v", run, err)
	}
}
