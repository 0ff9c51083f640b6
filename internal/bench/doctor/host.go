package doctor

import (
	"io/fs"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
	"github.com/seed-09dcdc84/ur/internal/cpu"
)

// Host is a machine to examine.
type Host struct {
	FS   fs.FS // root of its files, as in "proc/loadavg"
	OS   string
	Arch string
	CPU  CPU

	Now   func() time.Time     // for the date
	Clock func() time.Duration // clock of measurements
}

// CPU is a processor's description of itself.
type CPU struct {
	Name        string
	Features    []cpu.Feature // features a kernel could use
	Level       int           // of the x86-64 psABI, 1 to 4; 0 for other architectures
	Logical     int           // available to this process
	L1D, L2, L3 int           // sizes in bytes; below 1 when they are not known
	Line        int           // of the caches, in bytes
	Virtual     bool          // the processor's flag for a virtual machine
}

// ThisHost is the machine of this process.
func ThisHost() Host {
	start := time.Now()
	return Host{
		FS:   os.DirFS("/"),
		OS:   runtime.GOOS,
		Arch: runtime.GOARCH,
		CPU: CPU{
			Name:     cpu.Name(),
			Features: cpu.Detected(),
			Level:    cpuid.CPU.X64Level(),
			Logical:  runtime.NumCPU(),
			L1D:      cpuid.CPU.Cache.L1D,
			L2:       cpuid.CPU.Cache.L2,
			L3:       cpuid.CPU.Cache.L3,
			Line:     cpuid.CPU.CacheLine,
			Virtual:  cpuid.CPU.VM(),
		},
		Now:   time.Now,
		Clock: func() time.Duration { return time.Since(start) },
	}
}

// linux reports whether the files are where Linux has them.
func (h Host) linux() bool { return h.OS == "linux" }

// read returns a file without the space around it, and whether it can be read.
func (h Host) read(name string) (string, bool) {
	text, err := fs.ReadFile(h.FS, name)
	return strings.TrimSpace(string(text)), err == nil
}

// number returns the integer in a file.
func (h Host) number(name string) (int64, bool) {
	text, ok := h.read(name)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// exists reports whether there is such a file.
func (h Host) exists(name string) bool {
	_, err := fs.Stat(h.FS, name)
	return err == nil
}

// eachCore reads a file below every "sys/devices/system/cpu/cpuN", where it is.
func (h Host) eachCore(name string) []string {
	files, err := fs.Glob(h.FS, path.Join("sys/devices/system/cpu/cpu[0-9]*", name))
	if err != nil {
		return nil // only for a malformed pattern
	}
	var texts []string
	for _, file := range files {
		if text, ok := h.read(file); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// field returns the value after "name:" in a file like /proc/self/status.
func field(text, name string) (string, bool) {
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}

// listed counts the numbers of a list such as "0-3,8".
func listed(list string) (int, bool) {
	n := 0
	for part := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		from, err := strconv.ParseUint(low, 10, 16)
		if err != nil {
			return 0, false
		}
		to := from
		if isRange {
			if to, err = strconv.ParseUint(high, 10, 16); err != nil || to < from {
				return 0, false
			}
		}
		n += int(to - from + 1)
	}
	return n, true
}
