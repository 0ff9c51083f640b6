package count

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/git"
	"github.com/seed-09dcdc84/ur/internal/process"
)

// Job is the work of one side of a package with one seed.
type Job struct {
	// Args returns the command line of the test binary that runs at least these benchmarks, for
	// one iteration on one processor: the iterations come from the file that UR_AB_WORK names.
	Args       func(names []string) []string
	Dir        string
	Env        []string       // added to the environment of this process
	Iterations map[string]int // operations by printed name, with "Benchmark": equal on both sides
	Runs       map[string]int // runs by printed name; 0 is 1
	Functions  bool           // also counts the functions under valgrind, which takes three times as long
	Seed       uint64
	Timeout    time.Duration // time for a benchmark; the context bounds all
	Folder     string        // folder for temporary files; Run removes its own
}

// Result holds the counts of a job. A name in neither map was not reached before the context ended.
type Result struct {
	Benchmarks map[string][]Figures // figures from its runs in turn
	Failed     map[string]string    // reasons
	Unseeded   string               // the reason why seeds have no effect, or ""
	CPU        time.Duration        // CPU time of its processes
}

// Figures are the counts of a benchmark.
type Figures struct {
	N            int     // iterations
	Instructions float64 // instructions an operation
	Memory       Memory
	Functions    []Function
}

// Memory holds the allocations of an operation. It is 0 if the process does not tell.
type Memory struct{ Bytes, Allocs float64 }

// Function is a part of an operation: instructions of the function itself, with those inlined in
// it, and the number of calls.
type Function struct {
	Name, Caller string // the caller with the most calls
	Self, Calls  float64
}

// Pattern returns the value of -test.bench that runs these benchmarks, of Go 1.20 and later.
func Pattern(names []string) string {
	patterns := make([]string, len(names))
	for i, name := range names {
		patterns[i] = "^" + strings.ReplaceAll(regexp.QuoteMeta(name), "/", "$/^") + "$"
	}
	return strings.Join(patterns, "|")
}

// Run counts the benchmarks of a job. A benchmark that ends the process or takes too long gets a
// reason, and the benchmarks behind it run in a new process. Run may be called concurrently.
func (c *Counter) Run(ctx context.Context, job Job) (Result, error) {
	result := Result{Benchmarks: make(map[string][]Figures), Failed: make(map[string]string)}
	left := slices.Sorted(maps.Keys(job.Iterations))
	for len(left) > 0 {
		p, err := c.runProcess(ctx, job, left)
		if err != nil {
			return result, err
		}
		result.Unseeded, result.CPU = p.Unseeded, result.CPU+p.CPU
		maps.Copy(result.Benchmarks, p.Benchmarks)
		if ctx.Err() != nil {
			return result, ctx.Err()
		}
		for _, name := range p.begun {
			if _, done := p.Benchmarks[name]; !done {
				result.Failed[name] = cmp.Or(p.Failed[name], p.reason(c.name, name))
			}
		}
		if len(p.begun) == 0 {
			for _, name := range left {
				result.Failed[name] = p.reason(c.name, "")
			}
			break
		}
		left = slices.DeleteFunc(left, func(name string) bool { return slices.Contains(p.begun, name) })
	}
	return result, nil
}

// attempt is the result of one process.
type attempt struct {
	Result            // failed are those with reasons of the process itself
	begun    []string // begun benchmarks, in this order
	err      error
	messages messages
}

// reason returns why a benchmark without figures has none.
func (p *attempt) reason(counter, name string) string {
	var late *timeoutError
	last := len(p.begun) > 0 && name == p.begun[len(p.begun)-1]
	switch {
	case last && errors.As(p.err, &late):
		return fmt.Sprintf("takes longer than %v under %s", late.limit, counter)
	case name == "" && p.err == nil:
		return "does not run under " + counter
	case name == "" || last && p.err != nil:
		text := cmp.Or(p.messages.cause, p.messages.last, fmt.Sprint(p.err))
		return fmt.Sprintf("fails under %s: %s", counter, text)
	}
	return "fails under " + counter
}

// timeoutError reports a benchmark without an end.
type timeoutError struct{ limit time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("no progress for %v", e.limit) }

// runProcess counts some benchmarks of a job in one process.
func (c *Counter) runProcess(ctx context.Context, job Job, names []string) (*attempt, error) {
	folder, err := os.MkdirTemp(job.Folder, "count-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := func(name string) string { return filepath.Join(folder, name) }
	var work strings.Builder
	for _, name := range names {
		fmt.Fprintf(&work, "%dx %d %s\n", job.Iterations[name], max(1, job.Runs[name]), name)
	}
	if err := os.WriteFile(path("work"), []byte(work.String()), 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(path("progress"), nil, 0o600); err != nil {
		return nil, err
	}
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watchProgress(limited, path("progress"), job.Timeout, cancel)
	args, tool := c.tool(job.Functions, path)
	args = append(args, job.Args(slices.Clone(names))...)
	p := &attempt{}
	env := c.environment(job.Env, "UR_AB_WORK="+path("work"), "UR_AB_COUNT="+path("progress"))
	if job.Functions {
		env = append(env, "UR_AB_FUNCTIONS=1")
	}
	var cmd *exec.Cmd
	p.Unseeded, p.err = runSeeded(job.Seed, tool, func() *exec.Cmd {
		cmd = exec.CommandContext(limited, args[0], args[1:]...)
		cmd.Dir, cmd.Env, cmd.WaitDelay = job.Dir, env, time.Second
		cmd.Stdout, cmd.Stderr = &p.messages, &p.messages
		process.OwnGroup(cmd)
		return cmd
	})
	if cmd.ProcessState != nil {
		p.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if errors.Is(p.err, exec.ErrWaitDelay) {
		p.err = nil // the program itself ended well
	}
	if cause := context.Cause(limited); cause != nil && ctx.Err() == nil {
		p.err = cause
	}
	if start := (*startError)(nil); errors.As(p.err, &start) {
		return nil, start.error
	}
	return p, p.read(c, folder, job, names)
}

// tool returns the words before the test binary's command line, and the prefix of valgrind's program. Perf events need
// neither.
func (c *Counter) tool(functions bool, path func(name string) string) (args []string, program string) {
	switch {
	case c.valgrind == "":
		return nil, ""
	case functions:
		args = append([]string{c.valgrind}, callgrindOptions...)
		return append(args, "--callgrind-out-file="+path("dump"), "--log-file="+path("log")), "callgrind-"
	}
	args = append([]string{c.valgrind}, cachegrindOptions...)
	return append(args, "--cachegrind-out-file="+os.DevNull, "--log-file="+path("log")), "cachegrind-"
}

// watchProgress cancels a process whose file of the progress stops growing.
func watchProgress(ctx context.Context, path string, limit time.Duration, cancel context.CancelCauseFunc) {
	size, since := int64(-1), time.Now()
	for tick := time.NewTicker(50 * time.Millisecond); limit > 0; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if info, err := os.Stat(path); err == nil && info.Size() != size {
			size, since = info.Size(), time.Now()
		}
		if time.Since(since) > limit {
			cancel(&timeoutError{limit})
		}
	}
}

// environment returns the environment of a process. A user's settings in GODEBUG stay. A concurrent
// collection would be scheduled by the clock, and change the state of the heap and of random numbers.
func (c *Counter) environment(own []string, files ...string) []string {
	env := append(git.Environ(), own...)
	debug := "asyncpreemptoff=1,gcstoptheworld=2"
	if c.valgrind != "" {
		debug += ",cpu.rdtscp=off" // valgrind has no RDTSCP
	}
	for _, setting := range slices.Backward(env) {
		if given, ok := strings.CutPrefix(setting, "GODEBUG="); ok && given != "" {
			debug = given + "," + debug
			break
		}
	}
	env = append(env, c.env...)
	return append(append(env, files...), "GOMAXPROCS=1", "GOGC=off", "GODEBUG="+debug)
}

// read takes over the counts that a process has left in its folder.
func (p *attempt) read(c *Counter, folder string, job Job, names []string) error {
	progress, err := os.ReadFile(filepath.Join(folder, "progress"))
	if err != nil {
		return err
	}
	dumps, totals := make(map[dumpKey]*profile), make(map[dumpKey]float64)
	switch {
	case c.valgrind == "":
	case job.Functions:
		dumps, err = readDumps(folder)
	default:
		totals, err = readLog(filepath.Join(folder, "log"))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p.Benchmarks, p.Failed = make(map[string][]Figures), make(map[string]string)
	var memory Memory // of the benchmark whose figures follow
	for line := range strings.Lines(string(progress)) {
		event, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, counted, _ := strings.Cut(rest, " ")
		k, err := strconv.Atoi(number)
		if err != nil || k < 1 || k > len(names) {
			continue
		}
		name := names[k-1]
		n := job.Iterations[name]
		switch {
		case event == "run" && !slices.Contains(p.begun, name):
			p.begun = append(p.begun, name)
		case event == "fail":
			p.Failed[name] = counted
		case event == "memory":
			memory = Memory{}
			_, _ = fmt.Sscan(counted, &memory.Bytes, &memory.Allocs) // an incomplete line tells nothing
		case event == "done":
			sums := strings.Fields(counted) // of perf events
			for run := range max(1, job.Runs[name]) {
				key := dumpKey{k, run}
				total, ok := totals[key]
				if c.valgrind == "" && run < len(sums) {
					sum, err := strconv.ParseFloat(sums[run], 64)
					total, ok = sum, err == nil
				}
				figures := Figures{N: n, Instructions: total / float64(n)}
				if dump := dumps[key]; dump != nil {
					figures, ok = dump.figures(n), true
				}
				if figures.Memory = memory; ok {
					p.Benchmarks[name] = append(p.Benchmarks[name], figures)
				}
			}
		}
	}
	return nil
}

// startError reports a process that cannot start.
type startError struct{ error }

// messages receives the output of a process and keeps the lines that explain its end.
type messages struct {
	line        []byte
	cause, last string // the first panic or fatal error, and the last line
}

// Write implements [io.Writer].
func (m *messages) Write(p []byte) (int, error) {
	const longest = 1 << 10
	for _, b := range p {
		switch {
		case b == '\n':
			line := strings.TrimSpace(string(m.line))
			m.line, m.last = m.line[:0], cmp.Or(line, m.last)
			if m.cause == "" && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")) {
				m.cause = line
			}
		case len(m.line) < longest:
			m.line = append(m.line, b)
		}
	}
	return len(p), nil
}
