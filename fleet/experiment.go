package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// An Experiment describes a fleet's work, without its division into tasks.
type Experiment struct {
	Kind string          `json:"kind"` // name of the [Kind] that computes its tasks
	Code string          `json:"code"` // version of the code
	Spec json.RawMessage `json:"spec"` // settings, in the form of the kind

	// Files are the SHA-256 sums of the files named by the settings. They are in the fleet's
	// store before the experiment is.
	Files []string `json:"files,omitempty"`
}

// ID names the experiment: the first 128 bits of the SHA-256 of its JSON, in hexadecimal. Equal
// experiments have equal results, so a repeated request finds the earlier ones.
func (e Experiment) ID() string {
	data, err := json.Marshal(e)
	if err != nil { // Spec is not JSON; Check rejects it
		data = e.Spec
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// Check returns an error that names the part of the experiment that cannot be sent.
func (e Experiment) Check() error {
	switch {
	case !isToken(e.Kind):
		return fmt.Errorf("experiment: kind is %q (want letters, digits and hyphens)", e.Kind)
	case !isToken(e.Code):
		return fmt.Errorf("experiment: version of the code is %q (want letters, digits and hyphens)", e.Code)
	case !json.Valid(e.Spec):
		return errors.New("experiment: settings are not JSON")
	}
	for _, sum := range e.Files {
		if !isSum(sum) {
			return fmt.Errorf("experiment: invalid name of a file %q (want a SHA-256 sum)", sum)
		}
	}
	return nil
}

// maxToken is the longest name allowed in a subject or a key.
const maxToken = 64

// isToken reports whether a name can be a part of a subject.
func isToken(name string) bool {
	for _, c := range []byte(name) {
		if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return name != "" && len(name) <= maxToken
}

// isSum reports whether a name is a SHA-256 sum in lower-case hexadecimal.
func isSum(name string) bool {
	data, err := hex.DecodeString(name)
	return err == nil && len(data) == sha256.Size && hex.EncodeToString(data) == name
}

// A Result is a task's result, sealed against damage on the way.
type Result struct {
	Worker  string          `json:"worker"`            // worker's name
	Seconds float64         `json:"seconds"`           // computing time
	Output  json.RawMessage `json:"output,omitempty"`  // the kind's form, as json.Marshal writes it
	Failure json.RawMessage `json:"failure,omitempty"` // likewise
	Sum     string          `json:"sum"`               // see seal
}

// maxResult is the longest accepted result, in bytes.
const maxResult = 8 << 20

// sealOf returns the expected Sum: the SHA-256 of the result's place and content. The worker
// and the computing time are not sealed.
func (r Result) sealOf(experiment string, task uint64) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s.%d\n%d\n", experiment, task, len(r.Output))
	h.Write(r.Output)
	h.Write(r.Failure)
	return hex.EncodeToString(h.Sum(nil))
}

// encodeSealed seals a result and returns it as it is stored.
func (r Result) encodeSealed(experiment string, task uint64) ([]byte, error) {
	r.Sum = r.sealOf(experiment, task)
	return json.Marshal(r)
}

// decodeResult reads a task's stored result, and rejects a damaged or misplaced one.
func decodeResult(data []byte, experiment string, task uint64) (Result, error) {
	var r Result
	if len(data) > maxResult {
		return r, fmt.Errorf("result of task %d has %d bytes (want at most %d)", task, len(data), maxResult)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("result of task %d: %w", task, err)
	}
	if r.Sum != r.sealOf(experiment, task) {
		return r, fmt.Errorf("result of task %d by %q is damaged: its checksum does not match its contents", task, r.Worker)
	}
	return r, nil
}

// A Failure is an error of a task, not of the machine: every worker would meet it, so it is a
// result like any other. Detail is set by the kind of experiment; clients use it to distinguish
// failures.
type Failure struct {
	Message string          `json:"message"`
	Detail  json.RawMessage `json:"detail,omitempty"`
}

func (f *Failure) Error() string { return f.Message }
