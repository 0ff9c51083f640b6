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
