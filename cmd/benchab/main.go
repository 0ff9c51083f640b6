// Command benchab answers "did my commit make it slower?" for the benchmarks of any Go module
// under git:
//
//	go run github.com/seed-09dcdc84/ur/cmd/benchab@latest HEAD~1
//
// It imports the standard library, golang.org/x/perf, x/mod and x/sys, pprof/profile, and packages of this module with
// the same restriction.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/internal/progress"
	"github.com/seed-09dcdc84/ur/internal/text"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run runs a command line, and returns its exit code.
func run(args []string, stdout, stderr *os.File) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func(signaled <-chan struct{}) {
		<-signaled
		stop() // a second signal ends the process at once
	}(ctx.Done())
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a write to a closed pipe returns an error instead of killing
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newCommand()
	flags := c.flags()
	dir, err := os.Getwd()
	if err == nil {
		c.places, err = readSettings(flags, dir)
	}
	var words []string
	var closed atomic.Bool
	if err == nil {
		words, err = parse(flags, args)
		c.given = givenFlags(args)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err = io.WriteString(stdout, help(newCommand().flags()))
	case err != nil && (c.bisect || slices.Contains(args, "--bisect")): // a flag before it may be the wrong one
		err = &exitError{endBisect, err}
	case err == nil:
		info, statErr := stderr.Stat()
		show, end := showProgress(&watched{stderr, cancel, &closed}, statErr == nil && info.Mode()&os.ModeCharDevice != 0)
		err = c.run(ctx, words, &afterProgress{stdout, end}, show)
		end()
	}
	if closed.Load() || errors.Is(err, syscall.EPIPE) {
		return closedPipe
	}
	if exit, ok := errors.AsType[*exitError](err); err != nil && !(ok && exit.err == nil) {
		fmt.Fprintf(stderr, "benchab: %s\n", text.Lines(c.locate(err.Error())))
	}
	return exitCode(err)
}

// showProgress returns a function that shows the progress, and one that ends it. On a terminal, a line is redrawn.
// Elsewhere each phase gets a line when it begins, and another one every ten seconds.
func showProgress(stderr io.Writer, terminal bool) (show func(ab.Progress), end func()) {
	bar := progress.New(stderr, terminal, progress.Words, 0, "")
	bar.Every(10 * time.Second)
	phase := ""
	return func(p ab.Progress) {
		switch {
		case p.Plan != "":
			bar.Println("plan: " + p.Plan)
			return
		case p.Phase != phase && !terminal && os.Getenv("UR_PROGRESS") != "off":
			bar.Println(line(p))
		}
		phase = p.Phase
		bar.Describe(line(p))
	}, bar.Clear
}

// watched is a pipe whose closing ends the run, as in "benchab 2>&1 | head -1".
type watched struct {
	io.Writer
	end    func()
	closed *atomic.Bool
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		w.closed.Store(true)
		w.end()
	}
	return n, err
}

// afterProgress is an output that ends the progress before its first line: both may be one terminal.
type afterProgress struct {
	io.Writer
	end func()
}

func (w *afterProgress) Write(p []byte) (int, error) {
	w.end()
	return w.Writer.Write(p)
}

// line returns a line of progress.
func line(p ab.Progress) string {
	line := p.Phase
	if p.Round > 0 {
		line += fmt.Sprintf(", round %d", p.Round)
	}
	if p.Rows > 0 {
		line += fmt.Sprintf(": %d of %d decided", p.Decided, p.Rows)
	}
	if p.Left > 0 {
		line += fmt.Sprintf(", at most %v left", p.Left.Round(time.Second))
	}
	return line
}

// Exit codes, as all commands of this module have them.
const (
	done        = 0
	failure     = 1
	badUsage    = 2
	slower      = 3
	undecided   = 4
	skipCommit  = 125 // exit code for "git bisect run"
	endBisect   = 128 // the same
	interrupted = 130
	closedPipe  = 141 // the reader of stdout or stderr has gone, as by SIGPIPE
)

// exitError is an error with an exit code.
type exitError struct {
	code int
	err  error // nil where the report has the verdict
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage returns a usage error.
func usage(format string, args ...any) error {
	return &exitError{badUsage, fmt.Errorf(format, args...)}
}

// inputError names the flag of an error of the input; it returns others as they are.
func inputError(err error) error {
	wrong, ok := errors.AsType[*ab.InputError](err)
	switch {
	case !ok:
		return err
	case wrong.Field == "" || wrong.Field == "Base":
		return &exitError{badUsage, err}
	case wrong.Field == "Key":
		return usage("--by: %s", wrong.Msg)
	case wrong.Field == "HigherBetter":
		return usage("--higher-better: %s", wrong.Msg)
	}
	return usage("--%s: %s", strings.ToLower(wrong.Field), wrong.Msg)
}

// exitCode returns the exit code of an error.
func exitCode(err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return done
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, context.Canceled):
		return interrupted
	}
	return failure
}
