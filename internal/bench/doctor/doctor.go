// Package doctor examines whether a machine measures reliably: its clock frequency, its other
// load, the resolution of its timer, and the smallest difference it can detect.
//
// System information is read from files, through an [io/fs.FS], so tests can examine simulated
// machines. The rest is measured with an engine against itself.
package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur/internal/trials"
)

// Grade is the effect of a finding on measurements.
type Grade string

// The grades, the best first.
const (
	OK      Grade = "ok"
	Unknown Grade = "unknown" // cannot be read here
	Warn    Grade = "warn"    // moves figures, but not those measured side by side
	Bad     Grade = "bad"     // figures mean little until it is changed
)

// worse orders grades.
var worse = map[Grade]int{OK: 0, Unknown: 1, Warn: 2, Bad: 3}

// Finding is one thing found out about a machine.
type Finding struct {
	What     string `json:"what"`     // examined property
	Measured string `json:"measured"` // measured value
	Verdict  Grade  `json:"verdict"`
	Advice   string `json:"advice,omitempty"` // advice or explanation
}

// Report is the result of an examination: the JSON object of "ur bench doctor --json".
type Report struct {
	Schema   string    `json:"schema"` // ur.doctor/1
	CPU      string    `json:"cpu"`
	OS       string    `json:"os"`
	Arch     string    `json:"arch"`
	Date     string    `json:"date"` // RFC 3339, UTC
	Seed     uint64    `json:"seed"`
	Verdict  Grade     `json:"verdict"`         // the worst of the findings
	Findings []Finding `json:"findings"`        // one for each examination
	Noise    *Noise    `json:"noise,omitempty"` // nil when it was not measured

	Trials      []trials.Rates `json:"trials,omitempty"` // of --aa and --power
	Interrupted bool           `json:"interrupted,omitempty"`
}

// Examine examines a host: first its system information, then the noise of an engine against
// itself, and disturbances of the machine meanwhile. When ctx ends or the measurement fails, it
// returns the findings so far with the error.
func Examine(ctx context.Context, h Host, self Against) (Report, error) {
	r := Report{
		Schema: "ur.doctor/1", CPU: h.CPU.Name, OS: h.OS, Arch: h.Arch,
		Date: h.Now().UTC().Format(time.RFC3339), Seed: self.Seed,
	}
	for _, examine := range []func(Host) Finding{
		processor, caches, governor, turbo, smt, virtualisation, container,
		affinity, quota, load, clockSource, timer,
	} {
		r.Findings = append(r.Findings, examine(h))
	}
	before := h.counters()
	noise, err := self.measure(ctx)
	if err != nil {
		r.conclude()
		r.Interrupted = ctx.Err() != nil
		return r, err
	}
	r.Noise = &noise
	after := h.counters()
	r.Findings = append(r.Findings, others(h, before, after), steal(h, before, after), throttling(h, before, after), temperature(h))
	r.Findings = append(r.Findings, noise.findings()...)
	r.conclude()
	return r, nil
}

// conclude computes the verdict of the whole.
func (r *Report) conclude() {
	r.Verdict = OK
	for _, f := range r.Findings {
		if worse[f.Verdict] > worse[r.Verdict] {
			r.Verdict = f.Verdict
		}
	}
	if r.Verdict == Unknown {
		r.Verdict = OK // an unreadable file is not a finding
	}
}

// unknown is a finding that cannot be made here, with the reason.
func unknown(what, format string, args ...any) Finding {
	return Finding{What: what, Measured: fmt.Sprintf(format, args...), Verdict: Unknown}
}

// notLinux is the finding for files that exist on Linux only.
func notLinux(what string, h Host) Finding {
	return unknown(what, "cannot be read on %s: this program knows only where Linux keeps it", h.OS)
}
