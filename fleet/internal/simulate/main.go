// Simulate lets a thousand workers and more ask one server, in one process: the server
// and the clients are those that "ur fleet" runs, and only the computing is a pause. It
// tells how long the work takes and what it costs the machine, as the number of workers
// grows.
//
//	go run ./fleet/internal/simulate -workers 1,10,100,1000 -piece 1s -latency 10ms -die 0.01
//
// The work is so many pieces for each worker that it would take -seconds without any
// loss. Every message takes -latency each way. A worker dies during a piece with
// probability -die: its connection breaks with all that it holds, and another takes its
// place after -rest. Results go to stdout as one JSON object a line, and with -record into a file of
// records, from which "go run ./fleet/internal/measure -what none" writes the table of
// docs/fleet.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/fleet/internal/report"
)

// settings are those of one simulation.
type settings struct {
	Workers int
	Piece   time.Duration
	Latency time.Duration
	Die     float64 // probability, for a piece
	Rest    time.Duration
	Pieces  int
	Seed    uint64
}

func main() {
	log.SetFlags(0)
	workers := flag.String("workers", "1,10,100,1000", "numbers of workers, separated by commas")
	seconds := flag.Float64("seconds", 20, "how long the work takes without any loss")
	var s settings
	flag.DurationVar(&s.Piece, "piece", time.Second, "how long a piece takes")
	flag.DurationVar(&s.Latency, "latency", 10*time.Millisecond, "how long a message takes, one way")
	flag.Float64Var(&s.Die, "die", 0.01, "probability that a worker dies during a piece")
	flag.DurationVar(&s.Rest, "rest", 5*time.Second, "how long until another takes its place")
	flag.Uint64Var(&s.Seed, "seed", 1, "seed of the deaths")
	file := flag.String("record", "", "`file` of records, to be changed")
	flag.Parse()
	if s.Piece <= 0 || *seconds <= 0 || s.Die < 0 || s.Die >= 1 || s.Latency < 0 || s.Rest < 0 {
		log.Fatal("simulate: -piece and -seconds must be above 0, -die from 0 to below 1, -latency and -rest not negative")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	table := report.Simulation{
		Machine: report.ThisMachine(),
		Piece:   s.Piece.Seconds(), Latency: s.Latency.Seconds(), Die: s.Die, Rest: s.Rest.Seconds(),
	}
	for text := range strings.SplitSeq(*workers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 100_000 {
			log.Fatalf("simulate: -workers: %q is not a number from 1 to 100000", text)
		}
		s.Workers = n
		s.Pieces = max(1, int(*seconds/s.Piece.Seconds()*float64(n)))
		o, err := simulate(ctx, s)
		if err != nil {
			log.Fatalf("simulate: %d workers: %v", n, err)
		}
		if err := json.NewEncoder(os.Stdout).Encode(o); err != nil {
			log.Fatal(err)
		}
		table.Runs = append(table.Runs, o)
	}
	if *file == "" {
		return
	}
	record, err := report.Read(*file)
	if err != nil {
		log.Fatal(err)
	}
	record.Simulation = table
	if err := record.Write(*file); err != nil {
		log.Fatal(err)
	}
}

// version is that of all simulated programs.
const version = "simulated"

// simulate lets the work be done.
func simulate(ctx context.Context, s settings) (o report.Simulated, err error) {
	folder, err := os.MkdirTemp("", "ur-fleet")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(folder)
	server, err := fleet.Serve(fleet.ServeConfig{Store: folder, Addr: "127.0.0.1:0"})
	if err != nil {
		return o, err
	}
	defer server.Close()
	client, err := fleet.Dial(ctx, fleet.DialConfig{URL: server.URL(), Reach: far(server, s.Latency)})
	if err != nil {
		return o, err
	}
	defer client.Close()
	working, stop := context.WithCancel(ctx)
	var crew sync.WaitGroup
	defer func() { stop(); crew.Wait() }()
	var begun, deaths atomic.Int64
	for i := range s.Workers {
		w := &mortal{settings: s, server: server, number: i, begun: &begun, deaths: &deaths}
		crew.Go(func() { w.live(working) })
	}
	before, start := report.CPUSeconds(), time.Now()
	if err := ask(ctx, client, s); err != nil {
		return o, err
	}
	o = report.Simulated{Workers: s.Workers, Pieces: s.Pieces, Seconds: time.Since(start).Seconds(), CPU: report.CPUSeconds() - before, Begun: begun.Load(), Deaths: deaths.Load()}
	o.Ideal = float64(s.Pieces) * s.Piece.Seconds() / float64(s.Workers)
	o.Efficiency = o.Ideal / o.Seconds
	o.Jobs = float64(s.Pieces) / o.Seconds
	o.Load = o.CPU / o.Seconds
	o.PerJob = o.CPU / float64(s.Pieces) * 1e6
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	o.Memory = float64(memory.HeapInuse) / 1e6
	return o, nil
}

// ask asks for all pieces at once, and believes no result that is not that of its piece.
func ask(ctx context.Context, client *fleet.Conn, s settings) error {
	spec, err := json.Marshal(s)
	if err != nil {
		return err
	}
	session, err := client.Open(ctx, fleet.Experiment{Kind: pauseKind{}.Name(), Code: version, Spec: spec}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	var asking sync.WaitGroup
	errs := make([]error, s.Pieces)
	for i := range s.Pieces {
		asking.Go(func() {
			output, err := session.Do(ctx, uint64(i), nil)
			if err == nil && string(output) != strconv.Itoa(i) {
				err = fmt.Errorf("piece %d answers %s", i, output)
			}
			errs[i] = err
		})
	}
	asking.Wait()
	return errors.Join(errs...)
}

// mortal is a worker that dies now and then.
type mortal struct {
	settings
	server        *fleet.Server
	number        int
	begun, deaths *atomic.Int64
}

// live works, dies, and works again, until ctx ends.
func (w *mortal) live(ctx context.Context) {
	rng := rand.New(rand.NewPCG(w.Seed, uint64(w.number)))
	for life := 0; ctx.Err() == nil; life++ {
		w.once(ctx, rng, life)
		select {
		case <-ctx.Done():
		case <-time.After(w.Rest):
		}
	}
}

// once works until death or the end.
func (w *mortal) once(ctx context.Context, rng *rand.Rand, life int) {
	conn, err := fleet.Dial(ctx, fleet.DialConfig{URL: w.server.URL(), Reach: far(w.server, w.Latency)})
	if err != nil {
		return // the server has too much to do: again after a rest
	}
	living, die := context.WithCancel(ctx)
	defer die()
	kind := pauseKind{w: w, rng: rng, die: func() {
		w.deaths.Add(1)
		conn.Close() // nothing that it holds is given back
		die()
	}}
	_ = conn.Work(living, fleet.WorkConfig{
		Code: version, Name: fmt.Sprintf("worker-%d-%d", w.number, life), Kinds: []fleet.Kind{kind}, Parallel: 1, Cache: os.TempDir(),
	}) // as after any other end, another comes
	conn.Close()
}

// pauseKind computes a piece by waiting.
type pauseKind struct {
	w   *mortal
	rng *rand.Rand
	die func()
}

func (pauseKind) Name() string { return "pause" }

func (k pauseKind) Open(context.Context, json.RawMessage, func(string) (string, error)) (fleet.Runner, error) {
	return k, nil
}

func (k pauseKind) Run(ctx context.Context, piece uint64, _ json.RawMessage) (any, error) {
	k.w.begun.Add(1)
	wait := k.w.Piece
	dies := k.rng.Float64() < k.w.Die
	if dies {
		wait = time.Duration(k.rng.Float64() * float64(wait))
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(wait):
	}
	if dies {
		k.die()
		return nil, errors.New("died")
	}
	return piece, nil
}
