// Package clitest helps to test command lines.
package clitest

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"time"
)

// Output collects the output of a command. It may be read while the command runs.
type Output struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.buffer.Write(p)
}

func (o *Output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.buffer.String()
}

// CancelWhen returns a context that ends like one after Ctrl-C once a condition holds, or after
// a minute without it.
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
