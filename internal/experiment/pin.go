package experiment

import (
	"fmt"
	"runtime"

	"github.com/seed-09dcdc84/ur/internal/affinity"
)

// AnyCore is the [Pin] to whatever core the thread runs on.
const AnyCore = affinity.Any

// Pin keeps the measuring thread on one core, so it does not lose its caches or move between
// fast and slow cores. Threads started by an engine are not pinned.
type Pin struct {
	Core int // as the operating system numbers them, or [AnyCore]
}

// Pinning is the core of a run.
type Pinning struct {
	Core   *int   `json:"core,omitempty"`   // the thread's core
	Reason string `json:"reason,omitempty"` // why it was not kept anywhere
}

// PinError reports why a run cannot stay on the requested core.
type PinError struct {
	Core int
	Err  error
}

func (e *PinError) Error() string { return fmt.Sprintf("core %d: %v", e.Core, e.Err) }
func (e *PinError) Unwrap() error { return e.Err }

// Check returns a [*PinError] if the requested core cannot be used: before a long preparation,
// and not after it.
func (p *Pin) Check() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, undo, err := p.pinned()
	if err == nil {
		undo()
	}
	return err
}

// pinned pins the calling thread, which must be locked to its goroutine, and returns an undo
// function. A failure is only noted in the Pinning, unless the user requested a core by its
// number: then it is a [*PinError].
func (p *Pin) pinned() (done Pinning, undo func(), err error) {
	if p == nil {
		return Pinning{Reason: "not asked for"}, func() {}, nil
	}
	core, undo, err := affinity.Pin(p.Core)
	switch {
	case err == nil:
		return Pinning{Core: &core}, undo, nil
	case p.Core == AnyCore:
		return Pinning{Reason: err.Error()}, func() {}, nil
	}
	return Pinning{}, nil, &PinError{p.Core, err}
}
