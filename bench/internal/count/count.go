// Package count counts the instructions of Go benchmarks.
//
// Load, neighbours, the frequency of the processor and the layout of a program hardly change the
// count of an operation, so all cores can count at once. Perf events of the kernel count where the
// machine has them, otherwise valgrind, in two ways:
//   - Cachegrind prints its sum when a process ends, so the process is copied where a timed section starts and where it
//     ends, and each copy ends at once.
//   - Callgrind dumps the counts of each function there. It takes three times as long, about ten nanoseconds an instruction.
//
// They see no AVX-512, and no counter sees caches, branch prediction, the kernel, waiting or contention.
//
// The test binary holds the patched package testing of bench/ab, whose timers mark the sections. One process counts all
// benchmarks of a package on one side with one seed. The seed replaces the random bytes of the
// kernel (AT_RANDOM), from which the runtime takes seeds of maps, select and math/rand, and the
// runtime's monitor thread sleeps. A benchmark without goroutines then repeats its count exactly, but one
// that allocates may refill the heap's cache of pages once more, by about two thousand instructions.
package count

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
)

// Counter counts instructions on this machine.
type Counter struct {
	name     string
	version  string // or ""
	valgrind string // path, or ""
	env      []string
}

// Name returns "perf" or "valgrind".
func (c *Counter) Name() string { return c.name }

// String returns the name with the version.
func (c *Counter) String() string {
	if c.version == "" {
		return "perf events"
	}
	return c.name + " " + c.version
}

// Find returns the counter of this machine. Valgrind, while it is tried, keeps its files in folder.
// The error is one line with the way to get one.
func Find(ctx context.Context, folder string) (*Counter, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return nil, fmt.Errorf("no counter of instructions for %s/%s (want linux on amd64 or arm64)",
			runtime.GOOS, runtime.GOARCH)
	}
	if hasPerfEvent(instructionsEvent) {
		return &Counter{name: "perf", env: []string{"UR_AB_PERF=" + instructionsEvent}}, nil
	}
	c, err := findValgrind(ctx, folder)
	if err != nil {
		return nil, fmt.Errorf("no counter of instructions: %w (want perf events, or valgrind %d.%d or later: apt-get install valgrind)",
			err, oldestValgrind[0], oldestValgrind[1])
	}
	return c, nil
}

// instructionsEvent is the event of instructions, as type:config of perf_event_open.
const instructionsEvent = "0:1"

// oldestValgrind is the first version with the instructions of current Go programs.
var oldestValgrind = [2]int{3, 18}

// checkTime bounds each of the two processes that check valgrind.
const checkTime = 20 * time.Second

// findValgrind returns the valgrind of PATH if it is recent enough and works.
func findValgrind(ctx context.Context, folder string) (*Counter, error) {
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, errors.New("valgrind is not installed")
	}
	out, err := output(ctx, folder, path, "--version")
	if err != nil {
		return nil, fmt.Errorf("valgrind --version: %w", err)
	}
	version := strings.TrimPrefix(strings.TrimSpace(out), "valgrind-")
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n != 2 {
		return nil, fmt.Errorf("valgrind --version: unknown answer %.40q", out)
	}
	if major < oldestValgrind[0] || major == oldestValgrind[0] && minor < oldestValgrind[1] {
		return nil, fmt.Errorf("valgrind %s is too old", version)
	}
	if program, err := exec.LookPath("true"); err == nil {
		args := append(slices.Clone(callgrindOptions), "--callgrind-out-file="+os.DevNull, program)
		if _, err := output(ctx, folder, path, args...); err != nil {
			return nil, fmt.Errorf("valgrind %s does not work: %w", version, err)
		}
	}
	return &Counter{name: "valgrind", version: version, valgrind: path}, nil
}

// Options of valgrind's tools. Cachegrind prints its sum only without -q.
var (
	callgrindOptions = []string{"--command-line-only=yes", "-q", "--tool=callgrind", "--vgdb=no", "--dump-line=no",
		"--instr-atstart=no"}
	cachegrindOptions = []string{"--command-line-only=yes", "--tool=cachegrind", "--cache-sim=no", "--vgdb=no"}
)

// output runs a short command with its temporary files in folder. The error ends with the last line of its messages.
func output(ctx context.Context, folder, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.WaitDelay = append(os.Environ(), "TMPDIR="+folder), time.Second
	process.OwnGroup(cmd)
	out, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		if lines := strings.Split(strings.TrimSpace(string(failed.Stderr)), "\n"); lines[len(lines)-1] != "" {
			err = fmt.Errorf("%w: %.200s", err, lines[len(lines)-1])
		}
	}
	return string(out), err
}

// Work is the native time of the operations to count at first. Wide rows deserve ten times as much.
const Work = time.Millisecond / 4

// Iterations returns the number of operations to count for a benchmark, from its CPU time an
// operation, its timed sections an operation, and the native time to count. For an operation of
// too many instructions it returns 0 and the reason.
func Iterations(op time.Duration, sections float64, work time.Duration) (n int, reason string) {
	const (
		longest      = 500 * time.Millisecond // about 2 billion instructions
		enough       = 4                      // times the work from which one is enough: two need a run before them
		mostSections = 25                     // a dump takes some 10 ms
		most         = 1_000_000
	)
	if op > longest {
		return 0, fmt.Sprintf("an operation takes longer than %v", longest)
	}
	n = int(min(most, work/max(op, 1)))
	if sections > 0 {
		n = min(n, int(mostSections/sections))
	}
	if op >= enough*work {
		return 1, ""
	}
	return max(2, n), ""
}
