// Package progress reports a task's progress on a terminal or in a log.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Kind is the form of a line of progress.
type Kind int

// The kinds.
const (
	Counts Kind = iota // finished steps of all
	Parts              // the finished part in per cent, of a task without counts; see [Bar.Done]
	Waits              // the time so far, of a task of unknown length
	Words              // the description alone
)

// Bar reports a task's progress: on a terminal by one line, drawn anew, and elsewhere by
// a line after five seconds of silence, then after twice as long, up to a minute. It is safe for
// concurrent use.
type Bar struct {
	to       io.Writer
	terminal bool
	kind     Kind

	mutex       sync.Mutex
	what        string
	done, total int
	begun       time.Time
	wait        time.Duration // time until the next line
	steady      bool          // the wait stays as it is
	timer       *time.Timer   // nil before the begin and after the end
	drawn       bool          // a line is on the terminal
}

const (
	// silence is the longest time without output, unless it is a terminal.
	silence = 5 * time.Second
	// mostSilence bounds the doubled times.
	mostSilence = time.Minute
	// redraw is the time between two drawings on a terminal.
	redraw = 200 * time.Millisecond
	// partSteps is how finely the bar of [Parts] moves.
	partSteps = 10_000
	// progressOff is the variable that switches progress off when it is "off": for scripts that
	// compare stderr.
	progressOff = "UR_PROGRESS"
)

// New returns a bar of a task with a number of steps, which only [Counts] have. An output with a
// method Quiet, the time since its last line, gets no line beside others.
func New(to io.Writer, terminal bool, kind Kind, total int, what string) *Bar {
	b := &Bar{to: to, terminal: terminal, kind: kind, what: what, total: total, begun: time.Now(), wait: silence}
	if kind != Counts {
		b.total = partSteps
	}
	if terminal {
		b.wait = redraw
	}
	if os.Getenv(progressOff) != "off" {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		b.timer = time.AfterFunc(b.wait, b.printTick)
	}
	return b
}

func (b *Bar) changeLocked(f func()) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	f()
}

// Add counts finished steps.
func (b *Bar) Add(n int) { b.changeLocked(func() { b.done += n }) }

// Set sets the number of finished steps.
func (b *Bar) Set(n int) { b.changeLocked(func() { b.done = n }) }

// Done sets the finished part of the task, 0 to 1.
func (b *Bar) Done(part float64) { b.Set(int(part * partSteps)) }

// Describe names the task's phase.
func (b *Bar) Describe(what string) { b.changeLocked(func() { b.what = what }) }

// Show sets the task's phase, and its finished steps of all.
func (b *Bar) Show(what string, done, all int) {
	b.changeLocked(func() {
		if what != b.what {
			b.begun = time.Now()
		}
		b.what, b.done, b.total = what, done, all
	})
}

// Every prints a line each time, without a terminal.
func (b *Bar) Every(wait time.Duration) {
	b.changeLocked(func() {
		if b.timer != nil && !b.terminal {
			b.wait, b.steady = wait, true
			b.timer.Reset(wait)
		}
	})
}

// Hide removes the bar from the terminal until it is drawn again.
func (b *Bar) Hide() { b.changeLocked(b.eraseLine) }

// Println prints a line above the bar.
func (b *Bar) Println(line string) {
	b.changeLocked(func() {
		b.eraseLine()
		fmt.Fprintln(b.to, line)
	})
}

// Clear ends the progress and removes the bar from the terminal.
func (b *Bar) Clear() {
	b.changeLocked(func() {
		if b.timer != nil {
			b.timer.Stop()
			b.timer = nil
		}
		b.eraseLine()
	})
}

func (b *Bar) eraseLine() {
	if b.drawn {
		fmt.Fprint(b.to, "\r\x1b[K")
		b.drawn = false
	}
}

// printTick prints a line, unless there is no terminal and another one was printed in the meantime.
func (b *Bar) printTick() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	wait := b.wait
	quiet := mostSilence
	if out, ok := b.to.(interface{ Quiet() time.Duration }); ok {
		quiet = out.Quiet()
	}
	switch {
	case b.timer == nil:
		return
	case b.terminal:
		fmt.Fprintf(b.to, "\r\x1b[K%.79s", b.formatLine()+b.estimateRemaining()) // a line that wraps cannot be erased
		b.drawn = true
	case quiet < b.wait:
		wait -= quiet
	case b.formatLine() != "":
		fmt.Fprintln(b.to, b.formatLine())
		if !b.steady {
			b.wait = min(2*b.wait, mostSilence)
		}
		wait = b.wait
	}
	b.timer.Reset(wait)
}

func (b *Bar) formatLine() string {
	switch b.kind {
	case Counts:
		return fmt.Sprintf("%s: %s of %s", b.what, text.Grouped(b.done), text.Grouped(b.total))
	case Parts:
		return fmt.Sprintf("%s: %.0f %%", b.what, 100*float64(b.done)/float64(b.total))
	case Waits:
		return fmt.Sprintf("%s: %s so far", b.what, time.Since(b.begun).Round(time.Second))
	}
	return b.what
}

// estimateRemaining estimates the remaining time from the steps so far: nothing in the first second.
func (b *Bar) estimateRemaining() string {
	elapsed := time.Since(b.begun)
	if b.done <= 0 || b.total < b.done || elapsed < time.Second {
		return ""
	}
	left := elapsed.Seconds() * float64(b.total-b.done) / float64(b.done)
	return fmt.Sprintf(", %s left", time.Duration(left*float64(time.Second)).Round(time.Second))
}
