package cli

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Output is the output of a command, which reports the first error of writing when it ends.
// Long-running commands check Err to stop early. Writes are safe for concurrent use.
type Output struct {
	text.Writer

	mutex sync.Mutex
	last  time.Time // of the last write
}

func (o *Output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.last = time.Now()
	return o.Writer.Write(p)
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
