//go:build !linux

package perfevent

import (
	"errors"
	"runtime"
)

// Counts are open events of a child process.
type Counts struct{}

// Start returns an error: only Linux counts.
func Start(func() error, ...Event) (*Counts, error) {
	return nil, errors.New("hardware events are counted on Linux only, this is " + runtime.GOOS)
}

// Read returns no counts.
func (c *Counts) Read() ([]float64, error) { return nil, nil }

// Close does nothing.
func (c *Counts) Close() error { return nil }
