package cli

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// NewProgress returns a bar on stderr that counts to total. The bar is invisible unless stderr
// is a terminal. It is safe for concurrent use.
func NewProgress(env *Env, total int, what string) *progressbar.ProgressBar {
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(env.Stderr),
		progressbar.OptionSetVisibility(IsTerminal(env.Stderr) && os.Getenv("TERM") != "dumb"),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
	)
}

// PartBar is a bar on stderr for the finished part of a task without counts. It is visible
// where [NewProgress] is.
type PartBar struct{ *progressbar.ProgressBar }

// partSteps is how finely a partBar moves.
const partSteps = 10_000

func NewPartBar(env *Env, what string) PartBar {
	return PartBar{progressbar.NewOptions(partSteps,
		progressbar.OptionSetWriter(env.Stderr),
		progressbar.OptionSetVisibility(IsTerminal(env.Stderr) && os.Getenv("TERM") != "dumb"),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
	)}
}

// done sets the finished part of the task, 0 to 1.
func (b PartBar) Done(part float64) { b.Set(int(part * partSteps)) }
