package train

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// each calls work(0) to work(n-1), at most limit at a time, and returns one of their errors.
// When ctx ends or a call fails, it starts no more calls and returns the error of ctx. The
// results must not depend on the order of the calls.
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
