package experiment

import (
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/affinity"
)

// A run stays on its core while it measures, and no longer.
func TestRunIsPinned(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := affinity.Cores()
	if len(before) == 0 {
		t.Skip("no cores")
	}
	o := fakeOptions()
	o.Pin = &Pin{Core: AnyCore}
	during := before
	clock := o.Time
	o.Time = func(s Subject, passes int) (float64, time.Duration, error) {
		during = affinity.Cores()
		return clock(s, passes)
	}
	run, err := Measure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if core := run.Pinning.Core; core == nil || !slices.Equal(during, []int{*core}) {
		t.Errorf("pinning %+v, while the thread could use %d cores", run.Pinning, len(during))
	}
	if after := affinity.Cores(); !slices.Equal(after, before) {
		t.Errorf("after the run the thread may use cores %v, before it %v", after, before)
	}

	o.Pin = nil
	if run, err = Measure(t.Context(), o); err != nil || run.Pinning.Core != nil || !slices.Equal(during, before) {
		t.Errorf("without a pin: pinning %+v, error %v", run.Pinning, err)
	}
	o.Pin = &Pin{Core: 1000}
	var wrong *PinError
	if run, err = Measure(t.Context(), o); run != nil || !errors.As(err, &wrong) || wrong.Core != 1000 {
		t.Errorf("a core that there is not: run %v, error %v", run, err)
	}
}
