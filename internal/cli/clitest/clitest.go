// Package clitest helps to test command lines.
package clitest

import (
	"context"
	"testing"
	"time"
)

// CancelAfter returns a context that ends as if somebody pressed Ctrl-C.
func CancelAfter(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(d, cancel)
	return ctx
}

// CancelWhen returns a context that ends as if somebody pressed Ctrl-C once a condition
// holds, or after a minute in which it did not.
func CancelWhen(t *testing.T, holds func() bool) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	end := time.Now().Add(time.Minute)
	go func() {
		for ctx.Err() == nil && time.Now().Before(end) && !holds() {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	return ctx
}
