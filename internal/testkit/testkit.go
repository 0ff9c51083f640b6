// Package testkit holds what tests of several packages share: a sandbox, files damaged on purpose, golden
// files, the variable UR_LONG, and the checks of kernels.
package testkit

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Update is the flag -update of tests with golden files.
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

// Long reports whether the variable UR_LONG is set: the tests then run all trials, not a sample.
func Long() bool { return os.Getenv("UR_LONG") != "" }

// Trials returns the number of trials: the size of the sample, or all with UR_LONG.
func Trials(sample, trials int) int {
	if Long() {
		return trials
	}
	return sample
}

// Guarded is [GuardedSlice] for one value.
func Guarded[T any](t *testing.T, atEnd bool) *T {
	t.Helper()
	return &GuardedSlice[T](t, 1, atEnd)[0]
}

// CheckGuardPages evaluates up to five boards before and behind an inaccessible page. draw makes a board and
// returns its value; bind returns an evaluator whose weights lie there as well.
func CheckGuardPages[B any](t *testing.T, draw func(*B) int32, bind func(atEnd bool) func([]int32, []B)) {
	t.Helper()
	for _, atEnd := range []bool{false, true} {
		evaluate := bind(atEnd)
		for n := 1; n <= 5; n++ {
			boards, got, want := GuardedSlice[B](t, n, atEnd), GuardedSlice[int32](t, n, atEnd), make([]int32, n)
			for i := range boards {
				want[i] = draw(&boards[i])
			}
			evaluate(got, boards)
			Equal(t, got, want, "%d values", n)
		}
	}
}

// ErrorIf reports a failure if a condition holds.
func ErrorIf(t T, failed bool, format string, args ...any) {
	t.Helper()
	if failed {
		t.Errorf(format, args...)
	}
}

// FatalIf is [ErrorIf], but ends the test.
func FatalIf(t T, failed bool, format string, args ...any) {
	t.Helper()
	if failed {
		t.Fatalf(format, args...)
	}
}

// Equal reports a value other than the expected one. The format names the value.
func Equal[V any](t T, got, want V, format string, args ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %+v (want %+v)", fmt.Sprintf(format, args...), got, want)
	}
}

// MustEqual is [Equal], but ends the test.
func MustEqual[V any](t T, got, want V, format string, args ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: got %+v (want %+v)", fmt.Sprintf(format, args...), got, want)
	}
}

// Near reports a number whose distance from the expected one is not at most within. The format names the number.
func Near(t T, got, want, within float64, format string, args ...any) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %v (want %v within %g)", fmt.Sprintf(format, args...), got, want, within)
	}
}

// SkipOn skips a test or benchmark if err is not nil.
func SkipOn(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Skip(err)
	}
}

// SkipIf skips a test or benchmark if a condition holds.
func SkipIf(t testing.TB, skips bool, format string, args ...any) {
	t.Helper()
	if skips {
		t.Skipf(format, args...)
	}
}

// CanceledContext returns an ended context.
func CanceledContext() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// NeedLong skips a test with long work, unless all trials run.
func NeedLong(t testing.TB, does string) {
	t.Helper()
	if !Long() {
		t.Skip(does + " (want UR_LONG=1)")
	}
}

// WantError reports a missing error, and one without the text part. The format names what should fail.
func WantError(t T, err error, part, format string, args ...any) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: error %v (want one with %q)", fmt.Sprintf(format, args...), err, part)
	}
}

// WantText reports the parts missing in a text.
func WantText(t T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
}

// WantErrorAs is [WantError] for an error of a type.
func WantErrorAs[E error](t T, err error, part, format string, args ...any) {
	t.Helper()
	if _, ok := errors.AsType[E](err); !ok || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: error %v (want a %T with %q)", fmt.Sprintf(format, args...), err, *new(E), part)
	}
}

// WantErrorIs reports an error other than the expected one.
func WantErrorIs(t T, err, want error, format string, args ...any) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v (want %v)", fmt.Sprintf(format, args...), err, want)
	}
}

// ErrorOf returns the error of a call: ErrorOf(board.Lookup("senet")).
func ErrorOf[V any](_ V, err error) error { return err }

// Must returns a function that ends the test if err is not nil, and otherwise returns the value:
// Must(board.Lookup("blitz"))(t).
func Must[V any](value V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// T is a test, benchmark or fuzz target of package testing, or a test of package rapid.
type T interface {
	Helper()
	Errorf(string, ...any)
	Fatal(...any)
	Fatalf(string, ...any)
}

// NoError ends the test if err is not nil.
func NoError(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ReadText returns the text of a file.
func ReadText(t T, name string) string {
	t.Helper()
	return string(Must(os.ReadFile(name))(t))
}

// Rows returns the lines of a table in a file, each split at " => " into a number of fields, which may be
// empty. Empty lines are left out.
func Rows(t T, name string, fields int) (rows [][]string) {
	t.Helper()
	for line := range strings.SplitSeq(ReadText(t, name), "\n") {
		if line == "" {
			continue
		}
		row := strings.Split(line, " => ")
		if len(row) != fields {
			t.Fatalf("%s: %d fields in %q (want %d)", name, len(row), line, fields)
		}
		rows = append(rows, row)
	}
	return rows
}

// WriteText writes a file, and makes its folder if there is none.
func WriteText(t T, name, text string) {
	t.Helper()
	NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	NoError(t, os.WriteFile(name, []byte(text), 0o666))
}

// Fill sets every element of a list to a new value.
func Fill[V any](list []V, next func() V) {
	for i := range list {
		list[i] = next()
	}
}

// Written returns what a function writes.
func Written(t T, write func(io.Writer) error) string {
	t.Helper()
	var out strings.Builder
	NoError(t, write(&out))
	return out.String()
}

// TryDamage damages a file in 20 ways drawn from a seed, or with UR_LONG in 500. read must return an error or the
// content of the whole file: a change accepted silently fails the test.
func TryDamage[V any](t *testing.T, name string, file []byte, want V, read func([]byte) (V, error)) {
	t.Helper()
	got, err := read(file)
	NoError(t, err)
	MustEqual(t, got, want, "%s, undamaged", name)
	for seed := range uint64(Trials(20, 500)) {
		if got, err := read(Damaged(file, seed)); err == nil {
			Equal(t, got, want, "%s, damaged by seed %d and accepted", name, seed)
		}
	}
}

// Damaged returns a damaged copy of a non-empty file. Each seed damages a file in one way.
func Damaged(file []byte, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 20))
	at := random.IntN(len(file))
	length := 1 + random.IntN(min(64, len(file)-at))
	data := bytes.Clone(file)
	switch seed % 8 {
	case 0:
		data[at] ^= 1 << random.IntN(8)
	case 1:
		data[at] = "0123456789abcXYZ \"\n"[random.IntN(19)]
	case 2: // bytes are lost
		return append(data[:at], file[at+length:]...)
	case 3: // bytes are doubled
		return append(data[:at+length], file[at:]...)
	case 4:
		clear(data[at : at+length])
	case 5:
		return data[:at]
	case 6: // a line is lost, or the file ends with a line, as after a kill
		lines := bytes.SplitAfter(data, []byte("\n"))
		i := random.IntN(len(lines))
		if random.IntN(2) == 0 {
			return bytes.Join(lines[:i], nil)
		}
		return bytes.Join(append(lines[:i:i], lines[i+1:]...), nil)
	default:
		with := random.IntN(len(file))
		data[at], data[with] = data[with], data[at]
	}
	return data
}
