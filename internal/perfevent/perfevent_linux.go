package perfevent

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// attribute is the first version of struct perf_event_attr.
type attribute struct {
	kind, size                               uint32
	config, period, sample, readFormat, bits uint64
	_                                        [2]uint64
}

// bit returns a bit of the field of flags. C numbers them from the other end on big-endian
// machines.
func bit(n int) uint64 {
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		n = 63 - n
	}
	return 1 << n
}

// open opens an event of the calling thread that counts only in its children, from their exec on.
func open(e Event) (int, error) {
	const timeEnabled, timeRunning = 1, 2
	const disabled, inherit, excludeKernel, excludeHypervisor, enableOnExec = 0, 1, 5, 6, 12
	a := attribute{kind: e.kind, config: e.config, readFormat: timeEnabled | timeRunning,
		bits: bit(disabled) | bit(inherit) | bit(excludeKernel) | bit(excludeHypervisor) | bit(enableOnExec)}
	a.size = uint32(unsafe.Sizeof(a))
	const thisThread, closeOnExec = 0, 8
	anyCPU, noGroup := -1, -1
	file, _, errno := syscall.Syscall6(syscall.SYS_PERF_EVENT_OPEN, uintptr(unsafe.Pointer(&a)), thisThread, uintptr(anyCPU), uintptr(noGroup), closeOnExec, 0)
	if errno != 0 {
		return 0, Error(e.Name, errno)
	}
	return int(file), nil
}

// Counts are open events of a child process.
type Counts struct {
	events []Event
	files  []int
}

// Start starts a process, of which it counts events: start must do so on the calling thread, as
// [exec.Cmd.Start] does.
func Start(start func() error, events ...Event) (*Counts, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := &Counts{}
	for _, e := range events {
		file, err := open(e)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.events, c.files = append(c.events, e), append(c.files, file)
	}
	if err := start(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Read returns the counts of the process after its end, in the order of the events. Where the
// kernel lent a counter to others for a part of the time, it scales the count up.
func (c *Counts) Read() ([]float64, error) {
	var counts []float64
	for i, file := range c.files {
		var words [24]byte
		if n, err := syscall.Read(file, words[:]); err != nil || n < len(words) {
			return nil, fmt.Errorf("read the count of %s: %d bytes, %w", c.events[i].Name, n, err)
		}
		count, enabled, running := binary.NativeEndian.Uint64(words[:]), binary.NativeEndian.Uint64(words[8:]), binary.NativeEndian.Uint64(words[16:])
		if running == 0 {
			return nil, fmt.Errorf("count %s: other programs use the counters", c.events[i].Name)
		}
		counts = append(counts, float64(count)*float64(enabled)/float64(running))
	}
	return counts, nil
}

// Close closes the events.
func (c *Counts) Close() error {
	var errs []error
	for _, file := range c.files {
		errs = append(errs, os.NewSyscallError("close", syscall.Close(file)))
	}
	c.files = nil
	return errors.Join(errs...)
}
