package cli

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// NewProgress returns a bar on stderr that counts to total, and that nobody sees
// unless stderr is a terminal. It may be used from several goroutines.
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

// PartBar is a bar on stderr that shows how much of a task is done, for tasks that
// count nothing. It is seen as [NewProgress] is.
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

// done shows that a part of the task, 0 to 1, is done.
func (b PartBar) Done(part float64) { b.Set(int(part * partSteps)) }
