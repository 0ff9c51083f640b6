package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/progress"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/term"
)

// Output is a command's output, which reports the first error of writing when it ends.
// Long-running commands check Err to stop early. Writes are safe for concurrent use.
type Output struct {
	text.Writer

	mutex sync.Mutex
	last  time.Time // time when it was written last
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

// IsTerminal reports whether w is a terminal and not a file, pipe or buffer.
func IsTerminal(w io.Writer) bool {
	if out, ok := w.(*Output); ok {
		w = out.To
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// WantsColor reports whether w shows colour and the user has not disabled it, by NO_COLOR
// (https://no-color.org) or a dumb terminal.
func WantsColor(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Bar reports progress on stderr.
type Bar = progress.Bar

// NewProgress returns a bar that counts to total.
func NewProgress(env *Env, total int, what string) *Bar {
	return newBar(env, progress.Counts, total, what)
}

// NewPartBar returns a bar for the finished part of a task without counts; see [progress.Bar.Done].
func NewPartBar(env *Env, what string) *Bar { return newBar(env, progress.Parts, 0, what) }

// NewWait returns a bar for a task of unknown length.
func NewWait(env *Env, what string) *Bar { return newBar(env, progress.Waits, 0, what) }

func newBar(env *Env, kind progress.Kind, total int, what string) *Bar {
	return progress.New(env.Stderr, IsTerminal(env.Stderr) && os.Getenv("TERM") != "dumb", kind, total, what)
}

// Size is a number of bytes in words of three digits: "276 MB", "1.47 GB".
func Size(bytes int64) string {
	value, unit := float64(bytes), "bytes"
	for _, next := range []string{"kB", "MB", "GB", "TB"} {
		if value < 1000 {
			break
		}
		value, unit = value/1000, next
	}
	if unit == "bytes" {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%.3g %s", value, unit)
}

// Hundredths rounds a time to a clock's precision.
func Hundredths(x float64) float64 { return math.Round(x*100) / 100 }
