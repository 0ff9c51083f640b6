package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Bar reports the progress of a task on stderr: on a terminal by one line that is redrawn, and
// elsewhere by a line after [Silence], then after twice as long, up to a minute. It is safe for
// concurrent use.
type Bar struct {
	to       io.Writer
	terminal bool
	counted  bool // done and total are counts

	mutex       sync.Mutex
	what        string
	done, total int // total is negative if unknown
	begun       time.Time
	wait        time.Duration // to the next line
	timer       *time.Timer   // nil before the begin and after the end
	drawn       bool          // a line is on the terminal
}

const (
	// Silence is the longest time without output, unless stderr is a terminal.
	Silence = 5 * time.Second
	// mostSilence bounds the doubled times.
	mostSilence = time.Minute
	// redraw is the time between two drawings on a terminal.
	redraw = 200 * time.Millisecond
	// partSteps is how finely the bar of [NewPartBar] moves.
	partSteps = 10_000
	// progressOff is the variable that switches progress off when it is "off": for scripts that
	// compare stderr.
	progressOff = "UR_PROGRESS"
)

// NewProgress returns a bar that counts to total.
func NewProgress(env *Env, total int, what string) *Bar { return newBar(env, total, what, true) }

// NewPartBar returns a bar for the finished part of a task without counts; see [Bar.Done].
func NewPartBar(env *Env, what string) *Bar { return newBar(env, partSteps, what, false) }

// NewWait returns a bar for a task of unknown length.
func NewWait(env *Env, what string) *Bar { return newBar(env, -1, what, false) }

func newBar(env *Env, total int, what string, counted bool) *Bar {
	terminal := IsTerminal(env.Stderr) && os.Getenv("TERM") != "dumb"
	b := &Bar{to: env.Stderr, terminal: terminal, counted: counted, what: what, total: total, begun: time.Now(), wait: Silence}
	if terminal {
		b.wait = redraw
	}
	if os.Getenv(progressOff) != "off" {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		b.timer = time.AfterFunc(b.wait, b.tick)
	}
	return b
}

// change changes the bar under its lock.
func (b *Bar) change(f func()) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	f()
}

// Add counts finished steps.
func (b *Bar) Add(n int) { b.change(func() { b.done += n }) }

// Set sets the number of finished steps.
func (b *Bar) Set(n int) { b.change(func() { b.done = n }) }

// Done sets the finished part of the task, 0 to 1.
func (b *Bar) Done(part float64) { b.Set(int(part * partSteps)) }

// Describe names the phase of the task.
func (b *Bar) Describe(what string) { b.change(func() { b.what = what }) }

// Show sets the phase of the task, and its finished steps of all.
func (b *Bar) Show(what string, done, all int) {
	b.change(func() {
		if what != b.what {
			b.begun = time.Now()
		}
		b.what, b.done, b.total = what, done, all
	})
}

// Hide removes the bar from the terminal until it is drawn again.
func (b *Bar) Hide() { b.change(b.erase) }

// Clear ends the progress and removes the bar from the terminal.
func (b *Bar) Clear() {
	b.change(func() {
		if b.timer != nil {
			b.timer.Stop()
			b.timer = nil
		}
		b.erase()
	})
}

func (b *Bar) erase() {
	if b.drawn {
		fmt.Fprint(b.to, "\r\x1b[K")
		b.drawn = false
	}
}

// tick prints a line, unless there is no terminal and another one was printed in the meantime.
func (b *Bar) tick() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	wait := b.wait
	switch quiet := quietFor(b.to); {
	case b.timer == nil:
		return
	case b.terminal:
		fmt.Fprintf(b.to, "\r\x1b[K%.79s", b.line()+b.remaining())
		b.drawn = true
	case quiet < b.wait:
		wait -= quiet
	default:
		fmt.Fprintln(b.to, b.line())
		b.wait = min(2*b.wait, mostSilence)
		wait = b.wait
	}
	b.timer.Reset(wait)
}

func (b *Bar) line() string {
	switch {
	case b.total < 0:
		return fmt.Sprintf("%s: %s so far", b.what, time.Since(b.begun).Round(time.Second))
	case b.counted:
		return fmt.Sprintf("%s: %s of %s", b.what, text.Grouped(b.done), text.Grouped(b.total))
	}
	return fmt.Sprintf("%s: %.0f %%", b.what, 100*float64(b.done)/float64(b.total))
}

// remaining estimates the remaining time from the steps so far: nothing in the first second.
func (b *Bar) remaining() string {
	elapsed := time.Since(b.begun)
	if b.done <= 0 || b.total < b.done || elapsed < time.Second {
		return ""
	}
	left := elapsed.Seconds() * float64(b.total-b.done) / float64(b.done)
	return fmt.Sprintf(", %s left", time.Duration(left*float64(time.Second)).Round(time.Second))
}

// quietFor returns the time since the last write to an output of a [Program].
func quietFor(w io.Writer) time.Duration {
	if out, ok := w.(*Output); ok {
		return out.quiet()
	}
	return mostSilence
}
