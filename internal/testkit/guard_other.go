//go:build !linux

package testkit

import "testing"

// Guarded skips the test: guard pages exist on Linux only.
func Guarded[T any](t *testing.T, atEnd bool) *T {
	t.Helper()
	t.Skip("guard pages are made on Linux only")
	return nil
}

// GuardedSlice skips the test, as [Guarded] does.
func GuardedSlice[T any](t *testing.T, n int, atEnd bool) []T {
	t.Helper()
	t.Skip("guard pages are made on Linux only")
	return nil
}
