package fleet

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"
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
