// Command benchab answers "did my commit make it slower?" for the benchmarks of any Go module
// under git:
//
//	go run github.com/seed-09dcdc84/ur/cmd/benchab@latest HEAD~1
//
// It imports the standard library and packages of this module with the same restriction.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run runs a command line, and returns its exit code.
func run(args []string, stdout, stderr *os.File) int {
	ctx, stop := signal.NotifyContext(context.Background(), endSignals...)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	c := newCommand()
	flags := c.flags()
	dir, err := os.Getwd()
	if err == nil {
		err = readSettings(flags, dir)
	}
	var words []string
	if err == nil {
		words, err = parse(flags, args)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		var text bytes.Buffer
		help(&text, newCommand().flags())
		_, err = stdout.Write(text.Bytes())
	case err != nil && exitCode(err) == badUsage:
	case err != nil:
		err = usage("%w\nSee \"benchab --help\".", err)
	default:
		screen := newScreen(stderr)
		err = c.run(ctx, words, stdout, screen.show)
		screen.end()
	}
	if err != nil {
		fmt.Fprintf(stderr, "benchab: %v\n", err)
	}
	return exitCode(err)
}

// parse parses flags, also between arguments; "--" ends them.
func parse(flags *flag.FlagSet, args []string) (words []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, flagError(flags, err)
		}
		rest := flags.Args()
		if len(rest) == 0 {
			return words, nil
		}
		if at := len(args) - len(rest); at > 0 && args[at-1] == "--" {
			return append(words, rest...), nil
		}
		words, args = append(words, rest[0]), rest[1:]
	}
}

// The errors of package flag, which has no types for them.
var (
	unknownFlag  = regexp.MustCompile(`^flag provided but not defined: -(.*)$`)
	invalidValue = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-([^:]*): parse error$`)
)

// flagError adds the right form to an error of package flag.
func flagError(flags *flag.FlagSet, err error) error {
	if found := unknownFlag.FindStringSubmatch(err.Error()); found != nil {
		return fmt.Errorf("unknown flag --%s (want one of --%s)", found[1], strings.Join(order, ", --"))
	}
	if found := invalidValue.FindStringSubmatch(err.Error()); found != nil {
		if f := flags.Lookup(found[2]); f != nil {
			kind, _ := flag.UnquoteUsage(f)
			return fmt.Errorf("--%s: invalid value %s (want %s, such as %s)", f.Name, found[1], kind, f.DefValue)
		}
	}
	return err
}

// help prints a description of the command and its flags.
func help(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprintf(w, "%s\n\nUsage:\n  benchab [BASE [HEAD]] [PACKAGES] [flags]\n\nFlags:\n", description)
	for _, name := range order {
		f := flags.Lookup(name)
		kind, text := flag.UnquoteUsage(f)
		begin := "  --" + f.Name
		if f.Name == "o" {
			begin = "  -o"
		}
		if kind != "" {
			begin += " " + kind
		}
		if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
			text += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(w, "%-24s%s\n", begin, strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", 24)))
	}
}

// line returns a line of progress.
func line(p ab.Progress) string {
	if p.Plan != "" {
		return "plan: " + p.Plan
	}
	line := p.Doing
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

// screen shows one line of progress on a terminal, and elsewhere a line after five seconds of
// silence, then after twice as long, up to a minute.
type screen struct {
	to       *os.File
	terminal bool
	ticker   *time.Ticker
	stop     chan struct{}

	mu     sync.Mutex
	latest string
	shown  bool
	last   time.Time     // a line was printed without a terminal
	wait   time.Duration // until the next one
}

// Times without output, where there is no terminal.
const (
	silence     = 5 * time.Second
	mostSilence = time.Minute
)

func newScreen(to *os.File) *screen {
	info, err := to.Stat()
	s := &screen{to: to, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0, ticker: time.NewTicker(time.Second),
		stop: make(chan struct{}), last: time.Now(), wait: silence}
	go func() {
		for {
			select {
			case <-s.ticker.C:
				s.breakSilence()
			case <-s.stop:
				return
			}
		}
	}()
	return s
}

// show replaces the line.
func (s *screen) show(p ab.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case p.Plan != "":
		s.clear()
		fmt.Fprintln(s.to, line(p))
		s.last = time.Now()
		return
	case s.terminal:
		const width = 79 // keeps lines from wrapping
		text := line(p)
		fmt.Fprintf(s.to, "\r\x1b[K%s", text[:min(width, len(text))])
		s.shown = true
	}
	s.latest = line(p)
}

// breakSilence prints the line where there is no terminal, when it is time.
func (s *screen) breakSilence() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.terminal && s.latest != "" && time.Since(s.last) >= s.wait {
		fmt.Fprintln(s.to, s.latest)
		s.last, s.wait = time.Now(), min(2*s.wait, mostSilence)
	}
}

// clear removes the line.
func (s *screen) clear() {
	if s.shown {
		fmt.Fprint(s.to, "\r\x1b[K")
	}
	s.shown = false
}

// end removes the line, and shows no further one.
func (s *screen) end() {
	s.ticker.Stop()
	close(s.stop)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
}
