package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// PutFile puts a regular file into the fleet's store, unless it is there, and returns its
// SHA-256 sum, the name used by workers.
func (c *Conn) PutFile(ctx context.Context, file string) (sum string, err error) {
	f, err := openRegular(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if sum, err = sumOf(f); err != nil {
		return "", err
	}
	there := false
	err = c.retryRequest(ctx, func(ctx context.Context) error {
		_, err := c.files.GetInfo(ctx, sum)
		if there = err == nil; errors.Is(err, jetstream.ErrObjectNotFound) {
			return nil
		}
		return err
	})
	if err != nil || there {
		return sum, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	_, err = c.files.Put(ctx, jetstream.ObjectMeta{Name: sum, Description: filepath.Base(file)}, f)
	return sum, err
}

// openRegular opens a regular file. A pipe or a device could block for ever, and has no stable
// content.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	return os.Open(name)
}

// sumOf returns the SHA-256 sum of the rest of a file.
func sumOf(f io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// checked holds, by path, the cached files with the right sum at their first use by this
// process.
var checked sync.Map

// isWhole reports whether a cached file has the sum of its name. It is read once by every
// process: its content may have been exchanged since it was fetched.
func isWhole(file, sum string) bool {
	if _, ok := checked.Load(file); ok {
		return true
	}
	f, err := openRegular(file)
	if err != nil {
		return false
	}
	defer f.Close()
	if got, err := sumOf(f); err != nil || got != sum {
		return false
	}
	checked.Store(file, nil)
	return true
}

// getFile returns the path of a file of the fleet's store in a folder of this machine. It
// is fetched unless a file with the sum is there. A file that is not in the store is a
// [*Failure].
func (c *Conn) getFile(ctx context.Context, folder, sum string) (file string, err error) {
	if !isSum(sum) {
		return "", Failf("invalid name of a file %q (want a SHA-256 sum)", sum)
	}
	file = filepath.Join(folder, sum)
	if isWhole(file, sum) {
		return file, nil
	}
	object, err := c.files.Get(ctx, sum)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return "", Failf("file %s is not in the store of the fleet (run the command again, which sends it)", sum)
	}
	if err != nil {
		return "", fmt.Errorf("file %s of the fleet: %w", sum, err)
	}
	defer object.Close()
	err = safefile.Write(file, func(w io.Writer) error {
		switch got, err := sumOf(io.TeeReader(object, w)); {
		case err != nil:
			return fmt.Errorf("file %s of the fleet: %w", sum, err)
		case got != sum:
			return fmt.Errorf("file %s of the fleet is damaged: its SHA-256 sum differs from its name", sum)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	checked.Store(file, nil)
	return file, nil
}

// An Experiment describes a fleet's work, without its division into tasks.
type Experiment struct {
	Kind string          `json:"kind"` // name of the [Kind] that computes its tasks
	Code string          `json:"code"` // version of the code
	Spec json.RawMessage `json:"spec"` // settings, in the form of the kind

	// Files are the SHA-256 sums of the files named by the settings. They are in the fleet's
	// store before the experiment is.
	Files []string `json:"files,omitempty"`
}

// ID names the experiment by the hash of its JSON. Equal experiments have equal results, so a
// repeated request finds the earlier ones.
func (e Experiment) ID() string {
	data, err := json.Marshal(e)
	if err != nil { // Spec is not JSON; Check rejects it
		data = e.Spec
	}
	return hashContent(data)
}

// taskKey names a task and its result, as EXPERIMENT.TASK.
func taskKey(experiment string, work []byte) string { return experiment + "." + hashContent(work) }

// hashContent returns the first 128 bits of a SHA-256 in hexadecimal.
func hashContent(data []byte) string {
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

// tokenForm matches a name that can be a part of a subject or a key, and sumForm a SHA-256 sum.
var (
	tokenForm = text.Regexp(`^[-0-9A-Za-z]{1,64}$`)
	sumForm   = text.Regexp(`^[0-9a-f]{64}$`)
)

func isToken(name string) bool { return tokenForm().MatchString(name) }
func isSum(name string) bool   { return sumForm().MatchString(name) }

// A Result is a task's result, sealed against damage on the way.
type Result struct {
	Worker  string          `json:"worker"`            // worker's name
	Seconds float64         `json:"seconds"`           // computing time
	Output  json.RawMessage `json:"output,omitempty"`  // the kind's form, as json.Marshal writes it
	Failure json.RawMessage `json:"failure,omitempty"` // likewise
	Sum     string          `json:"sum"`               // see seal
}

const maxResult = 8 << 20 // longest accepted result, in bytes

// sealOf returns the expected Sum: the SHA-256 of the result's place and content. The worker
// and the computing time are not sealed.
func (r Result) sealOf(key string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d\n", key, len(r.Output))
	h.Write(r.Output)
	h.Write(r.Failure)
	return hex.EncodeToString(h.Sum(nil))
}

func (r Result) encodeSealed(key string) ([]byte, error) {
	r.Sum = r.sealOf(key)
	return json.Marshal(r)
}

// decodeResult reads a task's stored result, and rejects a damaged or misplaced one.
func decodeResult(data []byte, key string) (Result, error) {
	var r Result
	if len(data) > maxResult {
		return r, fmt.Errorf("result of task %s has %d bytes (want at most %d)", key, len(data), maxResult)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("result of task %s: %w", key, err)
	}
	if r.Sum != r.sealOf(key) {
		return r, fmt.Errorf("result of task %s by %q is damaged: its checksum does not match its contents",
			key, r.Worker)
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

// Failf returns a [*Failure] with a formatted message.
func Failf(format string, args ...any) *Failure {
	return &Failure{Message: fmt.Sprintf(format, args...)}
}
