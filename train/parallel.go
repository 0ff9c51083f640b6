package train

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// each calls work(0) to work(n-1) on so many goroutines, 0 of them meaning
// GOMAXPROCS, and returns the error of the lowest number. When ctx ends, no more
// calls are begun, and its error is returned. What work computes must not depend on
// the order of the calls.
func each(ctx context.Context, parallel, n int, work func(i int) error) error {
	if parallel <= 0 {
		parallel = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, n)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(parallel, n) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				errs[i] = work(i)
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
