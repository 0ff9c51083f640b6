package train

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// each calls work(0) to work(n-1), at most so many at a time, and returns an error of
// one of them. When ctx ends or a call fails, no more calls are begun, and the error of
// ctx is returned. What work computes must not depend on the order of the calls.
func each(ctx context.Context, parallel, n int, work func(i int) error) error {
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(max(1, parallel))
	for i := range n {
		workers.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return work(i)
		})
	}
	return workers.Wait()
}
