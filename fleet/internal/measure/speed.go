package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/fleet/internal/report"
)

// overhead plays the same match alone and over a fleet, in turns, and compares the
// processor time: on the fleet it is that of the server, of the one worker and of who
// asks. Time on the wall would be that of whatever else the machine does.
func overhead(l *lab, s sizes) (report.Figure, error) {
	var ratios []float64
	for round := range s.rounds {
		sizes := s
		sizes.seed += uint64(round) // or the fleet would remember the games
		args := matchOf(sizes, s.each)
		_, alone, err := l.run(append(args, "--parallel", "1")...)
		if err != nil {
			return report.Figure{}, err
		}
		together, err := l.cpuOnFleet(args)
		if err != nil {
			return report.Figure{}, err
		}
		ratios = append(ratios, alone.cpu().Seconds()/together.Seconds())
	}
	middle := stat.Median(ratios)
	return report.Figure{
		Measure: "games a second of one worker over the fleet, against `ur match` alone",
		Result:  fmt.Sprintf("%.3f", middle), Bar: "0.95", Passed: middle >= 0.95,
		How: fmt.Sprintf("median of %d rounds of %d games, from %.3f to %.3f, by processor time: of server, worker and client together, the start and the check of the worker's engine left out",
			s.rounds, s.each, slices.Min(ratios), slices.Max(ratios)),
	}, nil
}

// cpuOnFleet returns the processor time that a match takes on a fleet of one worker. That
// of a fleet which is asked for nothing is taken off.
func (l *lab) cpuOnFleet(args []string) (time.Duration, error) {
	var cpu [2]time.Duration
	for i := range cpu {
		c, err := l.newCrew(1)
		if err != nil {
			return 0, err
		}
		if err := c.waitForWorkers(1); err != nil {
			return 0, errors.Join(err, c.close())
		}
		if i == 1 {
			_, match, err := l.run(append(args, "--fleet", c.url)...)
			if err != nil {
				return 0, errors.Join(err, c.close())
			}
			cpu[i] = match.cpu()
		}
		if err := c.close(); err != nil {
			return 0, err
		}
		cpu[i] += c.server.cpu() + c.workers[0].cpu()
	}
	return cpu[1] - cpu[0], nil
}

// waitForWorkers waits until so many workers are in the list.
func (c *crew) waitForWorkers(n int) error {
	for {
		text, _, err := c.lab.run("fleet", "status", "--fleet", c.url, "--json")
		if err != nil {
			return err
		}
		var s fleet.Status
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			return err
		}
		if len(s.Workers) >= n {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// nothing is a kind of pieces that cost nothing to compute.
type nothing struct{}

func (nothing) Name() string { return "nothing" }

func (nothing) Open(context.Context, json.RawMessage, func(string) (string, error)) (fleet.Runner, error) {
	return nothing{}, nil
}

func (nothing) Run(_ context.Context, piece uint64, _ json.RawMessage) (any, error) {
	return piece, nil
}

// version is that of what is measured inside this process.
const version = "measured"

// asking is how many pieces are asked for at a time: enough that nobody waits.
const asking = 4096

// jobs counts the pieces a second that go through the embedded server.
func jobs(l *lab, s sizes) (report.Figure, error) {
	server, err := fleet.Serve(fleet.ServeConfig{Store: l.folder + "/jobs", Addr: "127.0.0.1:0"})
	if err != nil {
		return report.Figure{}, err
	}
	defer server.Close()
	dial := func() (*fleet.Conn, error) { return fleet.Dial(l.ctx, fleet.DialConfig{URL: server.URL()}) }
	client, err := dial()
	if err != nil {
		return report.Figure{}, err
	}
	defer client.Close()
	working, stop := context.WithCancel(l.ctx)
	var crew sync.WaitGroup
	defer func() { stop(); crew.Wait() }()
	const workers = 2
	for i := range workers {
		conn, err := dial()
		if err != nil {
			return report.Figure{}, err
		}
		defer conn.Close()
		config := fleet.WorkConfig{Code: version, Name: fmt.Sprintf("worker-%d", i), Kinds: []fleet.Kind{nothing{}}, Parallel: 1, Cache: l.folder}
		crew.Go(func() { _ = conn.Work(working, config) }) // it ends with the measurement
	}
	before, begin := report.CPUSeconds(), time.Now()
	if err := askFor(l.ctx, client, s.jobs); err != nil {
		return report.Figure{}, err
	}
	elapsed, cpu := time.Since(begin).Seconds(), report.CPUSeconds()-before
	perProcessor, onTheWall := float64(s.jobs)/cpu, float64(s.jobs)/elapsed
	return report.Figure{
		Measure: "jobs a second through the embedded server",
		Result:  fmt.Sprintf("%.0f for each processor", perProcessor), Bar: "2,000", Passed: perProcessor >= 2000,
		How: fmt.Sprintf("%d jobs that cost nothing to compute, %d workers, server and client in one process: %.0f us of processor time a job in all; on the wall they were %.0f a second, since this process got %.2f processors of the machine",
			s.jobs, workers, cpu/float64(s.jobs)*1e6, onTheWall, cpu/elapsed),
	}, nil
}

// askFor asks for pieces and checks what comes.
func askFor(ctx context.Context, client *fleet.Conn, n int) error {
	session, err := client.Open(ctx, fleet.Experiment{Kind: nothing{}.Name(), Code: version, Spec: json.RawMessage("{}")}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	var next atomic.Int64
	errs := make([]error, asking)
	var askers sync.WaitGroup
	for i := range errs {
		askers.Go(func() {
			for piece := next.Add(1); piece <= int64(n) && errs[i] == nil; piece = next.Add(1) {
				output, err := session.Do(ctx, uint64(piece), nil)
				if err == nil && string(output) != strconv.FormatInt(piece, 10) {
					err = fmt.Errorf("piece %d answers %s", piece, output)
				}
				errs[i] = err
			}
		})
	}
	askers.Wait()
	return errors.Join(errs...)
}

// memory measures what memory a server takes that has many open jobs, and nobody who
// computes them.
func memory(l *lab, s sizes) (report.Figure, error) {
	if runtime.GOOS != "linux" {
		return report.Figure{}, errors.New("the memory of another process is known on Linux alone")
	}
	c, err := l.newCrew(0)
	if err != nil {
		return report.Figure{}, err
	}
	defer c.close()
	conn, err := fleet.Dial(l.ctx, fleet.DialConfig{URL: c.url})
	if err != nil {
		return report.Figure{}, err
	}
	defer conn.Close()
	status, err := conn.Status(l.ctx)
	if err != nil {
		return report.Figure{}, err
	}
	empty, err := c.server.memory("VmRSS")
	if err != nil {
		return report.Figure{}, err
	}
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	session, err := conn.Open(ctx, fleet.Experiment{Kind: nothing{}.Name(), Code: status.Code, Spec: json.RawMessage("{}")}, nil)
	if err != nil {
		return report.Figure{}, err
	}
	defer session.Close()
	for i := range s.open {
		go session.Do(ctx, uint64(i)<<22, map[string]int{"first": i, "pairs": 4096}) //nolint:errcheck // nobody answers
	}
	for waiting := 0; waiting < s.open; time.Sleep(100 * time.Millisecond) {
		if status, err = conn.Status(l.ctx); err != nil {
			return report.Figure{}, err
		}
		waiting = int(status.Queue[0].Waiting)
	}
	time.Sleep(3 * time.Second) // a look of the client at what it waits for
	full, err := c.server.memory("VmRSS")
	most, err2 := c.server.memory("VmHWM")
	if err := errors.Join(err, err2); err != nil {
		return report.Figure{}, err
	}
	return report.Figure{
		Measure: fmt.Sprintf("memory of the server with %s open jobs", power(s.open)),
		Result:  fmt.Sprintf("%.0f MB", full), Bar: "200 MB", Passed: most <= 200,
		How: fmt.Sprintf("resident memory of the process `ur fleet serve`; %.0f MB before, %.0f MB at most on the way", empty, most),
	}, nil
}

// memory returns a figure of the process's memory, in MB.
func (p *process) memory(field string) (mb float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, field+":"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 64)
			return kb * 1024 / 1e6, err
		}
	}
	return 0, fmt.Errorf("no %s in the status of the process", field)
}
