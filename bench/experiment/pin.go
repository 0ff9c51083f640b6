package experiment

import "fmt"

// AnyCore is the [Pin] to whatever core the thread runs on.
const AnyCore = -1

// Pin keeps the measuring thread on one core, so that it does not lose its caches
// and does not change between fast and slow cores. Threads that an engine starts are
// not pinned.
type Pin struct {
	Core int // as the operating system numbers them, or [AnyCore]
}

// Pinning says where a run was measured.
type Pinning struct {
	Core   *int   `json:"core,omitempty"`   // that the thread was kept on
	Reason string `json:"reason,omitempty"` // why it was not kept anywhere
}

// PinError says why a run cannot stay on the core that was asked for.
type PinError struct {
	Core int
	Err  error
}

func (e *PinError) Error() string { return fmt.Sprintf("core %d: %v", e.Core, e.Err) }
func (e *PinError) Unwrap() error { return e.Err }

// pinned pins the calling thread, which must be locked to its goroutine, and returns
// what undoes it. What cannot be done is no error but said in the Pinning, unless
// the user asked for a core by its number; it is a [*PinError] then.
func (p *Pin) pinned() (done Pinning, undo func(), err error) {
	if p == nil {
		return Pinning{Reason: "not asked for"}, func() {}, nil
	}
	core, undo, err := pinThread(p.Core)
	switch {
	case err == nil:
		return Pinning{Core: &core}, undo, nil
	case p.Core == AnyCore:
		return Pinning{Reason: err.Error()}, func() {}, nil
	}
	return Pinning{}, nil, &PinError{p.Core, err}
}
