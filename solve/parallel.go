package solve

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
)

// parallel calls do(thread, i) for every i in 0..n-1 once, on the given number of threads,
// numbered from 0, and waits for them. The assignment of calls to threads is arbitrary.
func parallel(threads, n int, do func(thread, i int)) {
	if threads = min(threads, n); threads <= 1 {
		for i := range n {
			do(0, i)
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for thread := range threads {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(thread, i)
			}
		})
	}
	wait.Wait()
}

// parallelUntil is parallel until a call fails or ctx ends. It returns the error of the first i
// that failed, or that of ctx.
func parallelUntil(ctx context.Context, threads, n int, do func(thread, i int) error) error {
	var failed atomic.Bool
	errs := make([]error, n+1)
	parallel(threads, n, func(thread, i int) {
		if failed.Load() || ctx.Err() != nil {
			return
		}
		if errs[i] = do(thread, i); errs[i] != nil {
			failed.Store(true)
		}
	})
	errs[n] = ctx.Err()
	return cmp.Or(errs...)
}
