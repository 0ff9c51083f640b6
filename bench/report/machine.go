package report

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// CPUName returns the processor's model as the operating system prints it, or the architecture.
func CPUName() string {
	switch runtime.GOOS {
	case "linux":
		info, _ := os.ReadFile("/proc/cpuinfo")
		for line := range strings.Lines(string(info)) {
			name, value, _ := strings.Cut(line, ":")
			if name = strings.TrimSpace(name); name == "model name" || name == "cpu model" {
				return strings.TrimSpace(value)
			}
		}
	case "windows":
		return cmp.Or(os.Getenv("PROCESSOR_IDENTIFIER"), runtime.GOARCH)
	case "darwin":
		if brand, _ := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); len(brand) > 0 {
			return string(bytes.TrimSpace(brand))
		}
	}
	return runtime.GOARCH
}

// LoadAverages returns the average numbers of runnable processes in the last 1, 5 and 15 minutes. It is
// nil where the system does not report them.
func LoadAverages() []float64 {
	file, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return nil
	}
	averages := make([]float64, 3)
	if _, err := fmt.Sscan(string(file), &averages[0], &averages[1], &averages[2]); err != nil {
		return nil
	}
	return averages
}

// Load returns the average number of runnable processes in the last minute, nil where the system does not
// report it.
func Load() []float64 {
	averages := LoadAverages()
	return averages[:min(1, len(averages))]
}
