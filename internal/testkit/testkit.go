// Package testkit holds what tests of several packages share: files damaged on purpose, golden
// files, the flag -long, and the checks of kernels.
package testkit

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// Update is the flag -update of tests that compare with files.
var Update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Golden compares text with a file under testdata. With "go test -update" it writes the
// file instead.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *Update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s\n(\"go test -update\" in this folder accepts it)", file, got, want)
	}
}

var all = flag.Bool("long", false, "run all trials, not a sample")

// Long reports whether the tests run with -long.
func Long() bool { return *all }

// Trials returns the number of trials: the size of the sample, or all with -long.
func Trials(sample, trials int) int {
	if *all {
		return trials
	}
	return sample
}

// Guarded is [GuardedSlice] for one value.
func Guarded[T any](t *testing.T, atEnd bool) *T {
	t.Helper()
	return &GuardedSlice[T](t, 1, atEnd)[0]
}

// Must returns a function that ends the test if err is not nil, and otherwise returns the value:
// Must(board.Lookup("blitz"))(t).
func Must[T any](value T, err error) func(failer) T {
	return func(t failer) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// failer is a test of Go's or of another package.
type failer interface {
	Helper()
	Fatal(...any)
}

// NoError ends the test if err is not nil.
func NoError(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
