package testkit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

// counter counts failures.
type counter struct{ failures int }

func (*counter) Helper()                 {}
func (c *counter) Errorf(string, ...any) { c.failures++ }
func (c *counter) Fatal(...any)          { c.failures++ }
func (c *counter) Fatalf(string, ...any) { c.failures++ }

// Each check fails once where it must, and else not.
func TestChecks(t *testing.T) {
	for want := range 2 {
		err := []error{nil, errors.New("x")}[want]
		for name, check := range map[string]func(c T){
			"ErrorIf":     func(c T) { ErrorIf(c, want == 1, "it") },
			"FatalIf":     func(c T) { FatalIf(c, want == 1, "it") },
			"Equal":       func(c T) { Equal(c, want, 0, "it") },
			"MustEqual":   func(c T) { MustEqual(c, want, 0, "it") },
			"Near":        func(c T) { Near(c, float64(want), 0, 0.5, "it") },
			"NoError":     func(c T) { NoError(c, err) },
			"WantError":   func(c T) { WantError(c, errors.New("x"), "xy"[:1+want], "it") },
			"WantErrorIs": func(c T) { WantErrorIs(c, err, nil, "it") },
			"WantText":    func(c T) { WantText(c, "x", "xy"[:1+want]) },
		} {
			c := new(counter)
			check(c)
			Equal(t, c.failures, want, "%s: failures", name)
		}
	}
}

// Most damages change the file, and each is the same for its seed.
func TestDamaged(t *testing.T) {
	file := []byte("first line\nsecond line\nthird line\n")
	changed := 0
	for seed := range uint64(400) {
		one := Damaged(file, seed)
		FatalIf(t, !bytes.Equal(one, Damaged(file, seed)), "seed %d damages in two ways", seed)
		if !bytes.Equal(one, file) {
			changed++
		}
	}
	ErrorIf(t, changed < 320, "%d of 400 damages change the file", changed)
}

// Set-ups set up: a list of zeros, an empty text or a living context would blind tests.
func TestSetUps(t *testing.T) {
	list, n := make([]int, 3), 0
	Fill(list, func() int { n++; return n })
	Equal(t, list, []int{1, 2, 3}, "list")
	Equal(t, Written(t, func(w io.Writer) error { return ErrorOf(w.Write([]byte("x"))) }), "x", "text")
	WantErrorIs(t, CanceledContext().Err(), context.Canceled, "context")
}
