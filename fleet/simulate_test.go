package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// The flags of [BenchmarkWorkers]: the figures of docs/fleet.md are of -workers 10,100,1000
// -task 10s -work 60s.
var (
	simulatedWorkers = flag.String("workers", "10", "numbers of simulated workers, separated by commas")
	simulatedTask    = flag.Duration("task", 50*time.Millisecond, "time of a simulated task")
	simulatedWork    = flag.Duration("work", 500*time.Millisecond, "time of all simulated tasks without any loss")
)

// What a simulated fleet suffers.
const (
	simulatedLatency = 10 * time.Millisecond // of a message, one way
	simulatedDeath   = 0.01                  // probability that a worker dies during a task
	simulatedRest    = 5 * time.Second       // until another takes its place
)

// BenchmarkWorkers lets simulated workers compute for one server, with latency and deaths.
// Server, workers and client are the real ones, in one process, and only the computing is a
// pause. Efficiency is the ideal time over the real one.
func BenchmarkWorkers(b *testing.B) {
	for text := range strings.SplitSeq(*simulatedWorkers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			b.Fatalf("-workers: %q is not a number above 0", text)
		}
		b.Run("workers="+text, func(b *testing.B) {
			for range b.N {
				simulate(b, n)
			}
		})
	}
}

// simulate does the work once, and reports its figures.
func simulate(b *testing.B, workers int) {
	server := newServer(b, "127.0.0.1:0", b.TempDir())
	client, err := Dial(b.Context(), DialConfig{URL: server.URL(), Reach: far(server, simulatedLatency)})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	working, stop := context.WithCancel(b.Context())
	var crew sync.WaitGroup
	defer func() { stop(); crew.Wait() }()
	var deaths atomic.Int64
	for i := range workers {
		w := &mortal{server: server, number: i, deaths: &deaths, cache: b.TempDir()}
		crew.Go(func() { w.live(working) })
	}
	tasks := max(1, int(float64(*simulatedWork)/float64(*simulatedTask)*float64(workers)))
	clock := experiment.DefaultClock()
	before, begin := clock.Now(), time.Now()
	askForPauses(b, client, tasks)
	took, busy := time.Since(begin), clock.Now()-before
	ideal := float64(tasks) * simulatedTask.Seconds() / float64(workers)
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(ideal/took.Seconds(), "efficiency")
	b.ReportMetric(float64(tasks)/took.Seconds(), "tasks/s")
	b.ReportMetric(busy.Seconds()/took.Seconds(), "busy-processors")
	b.ReportMetric(float64(memory.HeapInuse)/1e6, "heap-MB")
	b.ReportMetric(float64(deaths.Load()), "deaths")
}

// askForPauses asks for all tasks at once and checks their results.
func askForPauses(b *testing.B, client *Conn, tasks int) {
	session, err := client.Open(b.Context(), Experiment{Kind: pauseKind{}.Name(), Code: testCode, Spec: json.RawMessage("{}")}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	var asking sync.WaitGroup
	for i := range tasks {
		asking.Go(func() {
			if output, err := session.Do(b.Context(), uint64(i), nil); err != nil || string(output) != strconv.Itoa(i) {
				b.Errorf("task %d: %s, %v", i, output, err)
			}
		})
	}
	asking.Wait()
}

// mortal is a worker that dies now and then.
type mortal struct {
	server *Server
	number int
	deaths *atomic.Int64
	cache  string
}

// live works, dies, and works again, until ctx ends.
func (w *mortal) live(ctx context.Context) {
	rng := rand.New(rand.NewPCG(1, uint64(w.number)))
	for life := 0; ctx.Err() == nil; life++ {
		w.once(ctx, rng, life)
		select {
		case <-ctx.Done():
		case <-time.After(simulatedRest):
		}
	}
}

// once works until death or the end.
func (w *mortal) once(ctx context.Context, rng *rand.Rand, life int) {
	conn, err := Dial(ctx, DialConfig{URL: w.server.URL(), Reach: far(w.server, simulatedLatency)})
	if err != nil {
		return // the server has too much to do: again after a rest
	}
	living, die := context.WithCancel(ctx)
	defer die()
	kind := pauseKind{rng: rng, die: func() {
		w.deaths.Add(1)
		conn.Close() // without giving back its tasks
		die()
	}}
	_ = conn.Work(living, WorkConfig{
		Code: testCode, Name: fmt.Sprintf("worker-%d-%d", w.number, life), Kinds: []Kind{kind}, Parallel: 1, Cache: w.cache,
	}) // after an error as after a death, another worker comes
	conn.Close()
}

// pauseKind computes a task by waiting.
type pauseKind struct {
	rng *rand.Rand
	die func()
}

func (pauseKind) Name() string { return "pause" }

func (k pauseKind) Open(context.Context, json.RawMessage, func(string) (string, error)) (Runner, error) {
	return k, nil
}

func (k pauseKind) Run(ctx context.Context, task uint64, _ json.RawMessage) (any, error) {
	wait := *simulatedTask
	dies := k.rng.Float64() < simulatedDeath
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
	return task, nil
}

// far returns a way to a server over which every byte takes a time, each way.
func far(server *Server, latency time.Duration) func() (net.Conn, error) {
	return func() (net.Conn, error) {
		near, err := server.reach()
		if err != nil || latency == 0 {
			return near, err
		}
		here, there := net.Pipe()
		c := &line{here, near, sync.OnceFunc(func() { near.Close(); here.Close(); there.Close() })}
		go c.carry(there, near, latency)
		go c.carry(near, there, latency)
		return c, nil
	}
}

// line is a connection whose bytes are carried by goroutines.
type line struct {
	net.Conn
	near  net.Conn
	close func()
}

// Close breaks the connection at both ends.
func (l *line) Close() error {
	l.close()
	return nil
}

// parcel is bytes under way.
type parcel struct {
	data []byte
	due  time.Time
}

// carry takes bytes from one end and brings them to the other when they are due.
func (l *line) carry(from, to net.Conn, latency time.Duration) {
	defer l.close()
	way := make(chan parcel, 64)
	go func() {
		defer close(way)
		data := make([]byte, 16<<10)
		for {
			n, err := from.Read(data)
			if n > 0 {
				way <- parcel{bytes.Clone(data[:n]), time.Now().Add(latency)}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range way {
		time.Sleep(time.Until(p.due))
		if _, err := to.Write(p.data); err != nil {
			l.close()
			for range way { // until the reader notices
			}
			return
		}
	}
}
