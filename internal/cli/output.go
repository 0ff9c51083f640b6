package cli

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// Output remembers the first error of writing and drops everything after it, so commands need
// not check every printed line: run reports it. Long-running commands check Err to stop early.
// Writes are safe for concurrent use.
type Output struct {
	To  io.Writer
	Err error

	mutex sync.Mutex
	last  time.Time // of the last write
}

func (o *Output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.Err != nil {
		return 0, o.Err
	}
	n, err := o.To.Write(p)
	o.Err, o.last = err, time.Now()
	return n, err
}

// Quiet returns the time since the last write.
func (o *Output) Quiet() time.Duration {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return time.Since(o.last)
}

// WriteJSON writes one value as a line of JSON.
func WriteJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
