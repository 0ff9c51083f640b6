package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Bar shows the progress of a task on stderr: a bar on a terminal, and elsewhere a line after
// [Silence], then after twice as long, up to a minute. It is safe for concurrent use.
type Bar struct {
	bar   *progressbar.ProgressBar // on a terminal
	lines *progressLines           // elsewhere
}

// NewProgress returns a bar that counts to total.
func NewProgress(env *Env, total int, what string) *Bar {
	return newBar(env, total, what, progressbar.OptionShowCount())
}

// partSteps is how finely the bar of [NewPartBar] moves.
const partSteps = 10_000

// NewPartBar returns a bar for the finished part of a task without counts; see [Bar.Done].
func NewPartBar(env *Env, what string) *Bar {
	return newBar(env, partSteps, what)
}

// NewWait reports a task of unknown length in lines, also on a terminal.
func NewWait(env *Env, what string) *Bar {
	if os.Getenv(progressOff) == "off" {
		return &Bar{lines: new(progressLines)}
	}
	return &Bar{lines: startLines(env.Stderr, what, -1, false)}
}

// progressOff is the variable that switches progress off when it is "off": for scripts that
// compare stderr.
const progressOff = "UR_PROGRESS"

func newBar(env *Env, total int, what string, options ...progressbar.Option) *Bar {
	if os.Getenv(progressOff) == "off" {
		return &Bar{lines: new(progressLines)}
	}
	if !IsTerminal(env.Stderr) || os.Getenv("TERM") == "dumb" {
		return &Bar{lines: startLines(env.Stderr, what, total, len(options) > 0)}
	}
	return &Bar{bar: progressbar.NewOptions(total, append(options,
		progressbar.OptionSetWriter(env.Stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
	)...)}
}

// Add counts finished steps.
func (b *Bar) Add(n int) {
	if b.bar != nil {
		_ = b.bar.Add(n)
		return
	}
	b.lines.change(func(l *progressLines) { l.done += n })
}

// Done sets the finished part of the task, 0 to 1.
func (b *Bar) Done(part float64) { b.Set(int(part * partSteps)) }

// Set sets the number of finished steps.
func (b *Bar) Set(n int) {
	if b.bar != nil {
		_ = b.bar.Set(n)
		return
	}
	b.lines.change(func(l *progressLines) { l.done = n })
}

// Show sets the phase of the task, and its finished steps of all.
func (b *Bar) Show(what string, done, all int) {
	if b.bar == nil {
		b.lines.change(func(l *progressLines) { l.what, l.done, l.total = what, done, all })
		return
	}
	if what != b.bar.State().Description {
		b.bar.Reset()
		b.bar.Describe(what)
	}
	b.bar.ChangeMax(all)
	b.Set(min(done, max(1, all)-1)) // at its end a bar would begin a new one
}

// Describe names the phase of the task.
func (b *Bar) Describe(what string) {
	if b.bar != nil {
		b.bar.Describe(what)
		return
	}
	b.lines.change(func(l *progressLines) { l.what = what })
}

// Hide removes the bar from the terminal until the next step.
func (b *Bar) Hide() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}

// Clear ends the progress and removes the bar from the terminal.
func (b *Bar) Clear() {
	if b.bar != nil {
		_ = b.bar.Clear()
		_ = b.bar.Exit()
		return
	}
	b.lines.stop()
}

// Silence is the longest time without output, unless stderr is a terminal.
const Silence = 5 * time.Second

// mostSilence bounds the doubled times.
const mostSilence = time.Minute

// progressLines prints the progress where no bar can be drawn.
type progressLines struct {
	to      io.Writer
	counted bool

	begun       time.Time
	mutex       sync.Mutex
	what        string
	done, total int
	wait        time.Duration
	timer       *time.Timer
	stopped     bool
}

func startLines(to io.Writer, what string, total int, counted bool) *progressLines {
	l := &progressLines{to: to, begun: time.Now(), counted: counted, what: what, total: total, wait: Silence}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.timer = time.AfterFunc(l.wait, l.tick)
	return l
}

func (l *progressLines) change(f func(l *progressLines)) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	f(l)
}

func (l *progressLines) stop() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.stopped = true
	if l.timer != nil {
		l.timer.Stop()
	}
}

// tick prints a line, unless another one was printed in the meantime.
func (l *progressLines) tick() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.stopped {
		return
	}
	if quiet := quietFor(l.to); quiet < l.wait {
		l.timer.Reset(l.wait - quiet)
		return
	}
	fmt.Fprintln(l.to, l.line())
	l.wait = min(2*l.wait, mostSilence)
	l.timer.Reset(l.wait)
}

func (l *progressLines) line() string {
	if l.total < 0 {
		return fmt.Sprintf("%s: %s so far", l.what, time.Since(l.begun).Round(time.Second))
	}
	if l.counted {
		return fmt.Sprintf("%s: %s of %s", l.what, text.Grouped(l.done), text.Grouped(l.total))
	}
	return fmt.Sprintf("%s: %.0f %%", l.what, 100*float64(l.done)/float64(l.total))
}

// quietFor returns the time since the last write to an output of a [Program].
func quietFor(w io.Writer) time.Duration {
	if out, ok := w.(*Output); ok {
		return out.quiet()
	}
	return mostSilence
}
