package experiment

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Software events go the same way through perf_event_open as those of the processor,
// and virtual machines have them too.
func TestPerfEventsCount(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counters, err := openPerf([]perfEvent{
		{"task-clock", unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_TASK_CLOCK},
		{"page-faults", unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_PAGE_FAULTS},
	})
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	const pages = 64
	faults := func(touch bool) float64 {
		memory, err := unix.Mmap(-1, 0, pages*os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Munmap(memory)
		if err := unix.Madvise(memory, unix.MADV_NOHUGEPAGE); err != nil {
			t.Skip(err)
		}
		if err := counters.Start(); err != nil {
			t.Fatal(err)
		}
		for at := 0; touch && at < len(memory); at += os.Getpagesize() {
			memory[at] = 1
		}
		counts, err := counters.Stop()
		if err != nil || len(counts) != 2 {
			t.Fatalf("counts %v, error %v; want two counts", counts, err)
		}
		if counts[0] <= 0 {
			t.Errorf("%v ns of processor time, want some", counts[0])
		}
		return counts[1]
	}
	if n := faults(true); n < pages || n > 2*pages {
		t.Errorf("%v page faults of %d pages", n, pages)
	}
	if n := faults(false); n >= pages {
		t.Errorf("%v page faults of nothing: the counts are not set back", n)
	}
	if err := counters.Close(); err != nil {
		t.Error(err)
	}
	if err := counters.Start(); err == nil {
		t.Error("closed counters start")
	}
}

func TestPerfEventsSayWhatIsMissing(t *testing.T) {
	counters, err := openPerf([]perfEvent{{"nonsense", unix.PERF_TYPE_HARDWARE, 1 << 20}})
	if err == nil {
		counters.Close()
		t.Fatal("an event that no processor has is counted")
	}
	if !strings.HasPrefix(err.Error(), "perf_event_open of nonsense: ") {
		t.Errorf("error %q does not name the event", err)
	}
}

// Where the machine has hardware counters, they count; where not, the error says so.
func TestHardwareCounters(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counters, err := OpenCounters()
	if err != nil {
		if counters != nil || !strings.HasPrefix(err.Error(), "perf_event_open of ") {
			t.Errorf("counters %v, error %q", counters, err)
		}
		t.Skip(err)
	}
	defer counters.Close()
	if err := counters.Start(); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for i := range 1_000_000 {
		sum += i * i
	}
	counts, err := counters.Stop()
	if err != nil {
		t.Fatal(err)
	}
	got := newCounts(counters.Events(), counts, 1)
	if got != nil && (got[Instructions] < 1_000_000 || got[Cycles] <= 0) {
		t.Errorf("counts %v of a loop of 1,000,000 steps (sum %d)", got, sum)
	}
}
