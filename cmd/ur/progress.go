package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// newProgress returns a bar on stderr that counts to total, and that nobody sees
// unless stderr is a terminal. It may be used from several goroutines.
func newProgress(env *environment, total int, what string) *progressbar.ProgressBar {
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(env.stderr),
		progressbar.OptionSetVisibility(isTerminal(env.stderr) && os.Getenv("TERM") != "dumb"),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
	)
}
