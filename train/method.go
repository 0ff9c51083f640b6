package train

import (
	"cmp"
	"context"
	"io"
	"time"
)

// Methods returns the ways to learn, those of [Register] last.
func Methods() []Method {
	registered.RLock()
	defer registered.RUnlock()
	return append(builtIn(), registered.methods...)
}

// builtIn returns the ways to learn of this module. A new one is a file with its learner and its
// configuration, and an entry here.
func builtIn() []Method {
	return []Method{evolveMethod(), treeMethod(), fitMethod(), tdMethod(), distillMethod()}
}

// Method is a way to learn.
type Method struct {
	Name string // as [Learner.Method] returns it

	// Unit is the unit of progress, as in "moves"; empty means games.
	Unit string

	// Growth is the Growth of a [Run], for methods with slow measurements.
	Growth float64

	// Default limits of a run; 0 means no limit.
	Games int64
	Time  time.Duration

	// New returns a configuration with its defaults.
	New func() Config

	// Draw draws the structure grown by a learner of this method, by the file extension, as in
	// ".svg"; nil if there is nothing to draw.
	Draw map[string]func(Learner, io.Writer) error
}

// Counted returns the unit of progress of the method's runs, as in "games".
func (m Method) Counted() string { return cmp.Or(m.Unit, "games") }

// Config is a pointer to a struct of settings. Learner reports an invalid field by a
// [*config.Error].
type Config interface {
	Learner(ctx context.Context) (Learner, error)
}
