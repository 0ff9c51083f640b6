package cli

import (
	"context"
	"io"
)

// contextReader reads from a source in its own goroutine, so a Read ends with the context, even
// while the source waits for a user.
type contextReader struct {
	ctx    context.Context
	chunks chan chunk
	rest   []byte // of the last chunk
	err    error  // behind rest
}

// chunk is the result of one read of the source.
type chunk struct {
	data []byte
	err  error
}

// NewContextReader starts reading.
func NewContextReader(ctx context.Context, source io.Reader) *contextReader {
	r := &contextReader{ctx: ctx, chunks: make(chan chunk)}
	go r.fill(source)
	return r
}

// fill reads the source into two buffers by turns. A chunk is taken only when the
// one before it has been used up, so its buffer is free again.
func (r *contextReader) fill(source io.Reader) {
	const size = 1 << 16
	var buffers [2][size]byte
	for i := 0; ; i ^= 1 {
		n, err := source.Read(buffers[i][:])
		select {
		case r.chunks <- chunk{buffers[i][:n], err}:
		case <-r.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Read returns the source's result, or the error of the context.
func (r *contextReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 && r.err == nil {
		select {
		case c := <-r.chunks:
			r.rest, r.err = c.data, c.err
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	if n == 0 {
		return 0, r.err
	}
	return n, nil
}
