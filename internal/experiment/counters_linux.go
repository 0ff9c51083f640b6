package experiment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/seed-09dcdc84/ur/internal/perfevent"
)

// perfEvent is an event as perf_event_open(2) names it.
type perfEvent struct {
	event  Event
	kind   uint32 // PERF_TYPE_*
	config uint64
}

// hardwareEvents are few enough for the counters of any current processor, so all of them can
// count all the time.
var hardwareEvents = []perfEvent{
	{Cycles, unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CPU_CYCLES},
	{Instructions, unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS},
	{BranchMisses, unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_BRANCH_MISSES},
}

// OpenCounters opens the hardware counters for the calling thread, which must be locked to its
// goroutine (see [runtime.LockOSThread]) until they are closed. The error explains why counters
// are unavailable, and how to enable them.
func OpenCounters() (Counters, error) {
	counters, err := openPerf(hardwareEvents)
	if err != nil {
		return nil, err
	}
	return counters, nil
}

// perfCounters is a group of perf events: one system call starts or stops all of them, so they
// count the same instructions.
type perfCounters struct {
	events  []Event
	files   []int // the first leads the group
	buffer  []byte
	enabled uint64 // time in ns, up to the last Stop
	running uint64 // time during which the events counted
}

// openPerf opens events as one group, all of them or none.
func openPerf(events []perfEvent) (*perfCounters, error) {
	c := &perfCounters{buffer: make([]byte, 8*(3+len(events)))}
	for _, e := range events {
		leader := -1
		bits := uint64(unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv)
		if len(c.files) > 0 {
			leader = c.files[0]
		} else {
			bits |= unix.PerfBitDisabled // the others follow their leader
		}
		attr := unix.PerfEventAttr{
			Type:        e.kind,
			Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
			Config:      e.config,
			Bits:        bits,
			Read_format: unix.PERF_FORMAT_GROUP | unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		}
		const thisThread, anyCPU = 0, -1
		file, err := unix.PerfEventOpen(&attr, thisThread, anyCPU, leader, unix.PERF_FLAG_FD_CLOEXEC)
		if err != nil {
			return nil, errors.Join(perfevent.Error(string(e.event), err), c.Close())
		}
		c.files = append(c.files, file)
		c.events = append(c.events, e.event)
	}
	return c, nil
}

func (c *perfCounters) Events() []Event { return c.events }

func (c *perfCounters) Start() error {
	if err := c.control("PERF_EVENT_IOC_RESET", unix.PERF_EVENT_IOC_RESET); err != nil {
		return err
	}
	return c.control("PERF_EVENT_IOC_ENABLE", unix.PERF_EVENT_IOC_ENABLE)
}

// control applies an ioctl to all events of the group.
func (c *perfCounters) control(name string, request uint) error {
	if len(c.files) == 0 {
		return os.ErrClosed
	}
	err := unix.IoctlSetInt(c.files[0], request, unix.PERF_IOC_FLAG_GROUP)
	return os.NewSyscallError(name, err)
}

// Stop reads the data of PERF_FORMAT_GROUP: the number of events, the time they were enabled,
// the time they counted, and the counts. The two times accumulate over all starts.
func (c *perfCounters) Stop() ([]float64, error) {
	if err := c.control("PERF_EVENT_IOC_DISABLE", unix.PERF_EVENT_IOC_DISABLE); err != nil {
		return nil, err
	}
	n, err := unix.Read(c.files[0], c.buffer)
	if err != nil {
		return nil, os.NewSyscallError("read of a perf event", err)
	}
	if n < len(c.buffer) {
		return nil, fmt.Errorf("read of a perf event: %d bytes (want %d)", n, len(c.buffer))
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(c.buffer[8*i:]) }
	shared := word(2)-c.running < word(1)-c.enabled
	c.enabled, c.running = word(1), word(2)
	if shared {
		return nil, nil
	}
	counts := make([]float64, len(c.events))
	for i := range counts {
		counts[i] = float64(word(3 + i))
	}
	return counts, nil
}

func (c *perfCounters) Close() error {
	var errs []error
	for _, file := range c.files {
		errs = append(errs, os.NewSyscallError("close", unix.Close(file)))
	}
	c.files = nil
	return errors.Join(errs...)
}
