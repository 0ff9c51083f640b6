package fleet

import (
	"context"
	"encoding/json"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkJobs is how many tasks a second go through the embedded server, one worker
// and one client in this process, where computing costs nothing: so many goroutines ask
// at a time.
func BenchmarkJobs(b *testing.B) {
	url := newServer(b, "127.0.0.1:0", b.TempDir()).URL()
	startWorkers(b, url, squareKind{}, 1)
	s := open(b, dial(b, url), squares(uint64(b.N)), nil)
	var next atomic.Uint64
	var asking sync.WaitGroup
	b.ResetTimer()
	for range 4096 {
		asking.Go(func() {
			for {
				task := next.Add(1) + 13
				if task > uint64(b.N)+13 {
					return
				}
				data, err := s.Do(context.Background(), task, nil)
				var got uint64
				if err == nil {
					err = json.Unmarshal(data, &got)
				}
				if err != nil || got != task*task+uint64(b.N) {
					b.Errorf("task %d: %s, %v", task, data, err)
					return
				}
			}
		})
	}
	asking.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// BenchmarkOpenTasks measures the memory of a server for each task that waits, on disk and
// for clients, without a worker to compute it.
func BenchmarkOpenTasks(b *testing.B) {
	s := open(b, dial(b, newServer(b, "127.0.0.1:0", b.TempDir()).URL()), squares(uint64(b.N)), nil)
	ctx, cancel := context.WithCancel(b.Context())
	before := heap()
	var asking sync.WaitGroup
	for task := range b.N {
		asking.Go(func() {
			if _, err := s.Do(ctx, uint64(task), nil); err == nil {
				b.Error("a task was computed without a worker")
			}
		})
	}
	for {
		status, err := s.conn.Status(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if len(status.Queue) > 0 && int(status.Queue[0].Waiting) >= b.N {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.ReportMetric(float64(heap()-before)/float64(b.N), "B/open-task")
	cancel()
	asking.Wait()
}

// heap returns the bytes in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}
