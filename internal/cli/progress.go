package cli

import (
	"os"

	"github.com/seed-09dcdc84/ur/internal/progress"
)

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
