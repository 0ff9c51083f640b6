package abcommand

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
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
)

// Main runs the command line of a separate program, and returns its exit code.
func Main(name string, args []string, stdout, stderr *os.File) int {
	ctx, stop := signal.NotifyContext(context.Background(), endSignals...)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	c := New()
	flags := c.programFlags(name)
	words, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		var text bytes.Buffer
		help(&text, name, flags)
		_, err = stdout.Write(text.Bytes())
	case err != nil:
		err = usage("%w\nSee %q.", err, name+" --help")
	default:
		screen := newScreen(stderr)
		err = c.Run(ctx, words, stdout, screen.show)
		screen.clear()
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
	}
	return ExitCode(err)
}

// programFlags returns the flags of the separate program.
func (c *Command) programFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	c.Flags(flags)
	flags.StringVar(&c.output, "o", "", "short for --output")
	return flags
}

// WriteHelp writes the help of the separate program.
func WriteHelp(w io.Writer, name string) { help(w, name, New().programFlags(name)) }

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
		return fmt.Errorf("unknown flag --%s (want one of --%s)", found[1], strings.Join(Order(), ", --"))
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
func help(w io.Writer, name string, flags *flag.FlagSet) {
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s [BASE [HEAD]] [PACKAGES] [flags]\n\nFlags:\n", strings.ReplaceAll(Long, "NAME", name), name)
	for _, flagName := range Order() {
		f := flags.Lookup(flagName)
		kind, text := flag.UnquoteUsage(f)
		begin := "  --" + f.Name
		if f.Name == "output" {
			begin = "  -o, --output"
		}
		if kind != "" {
			begin += " " + kind
		}
		if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
			text += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(w, "%s\n        %s\n", begin, text)
	}
}

// screen shows one line of progress on a terminal, and elsewhere a line after five seconds of
// silence, then after twice as long, up to a minute.
type screen struct {
	to    *os.File // nil without a terminal
	plans *os.File // also without one
	shown bool

	last time.Time     // a line was printed without a terminal
	wait time.Duration // until the next one
}

// Times without output, where there is no terminal.
const (
	silence     = 5 * time.Second
	mostSilence = time.Minute
)

func newScreen(to *os.File) *screen {
	if info, err := to.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return &screen{plans: to, last: time.Now(), wait: silence}
	}
	return &screen{to: to, plans: to}
}

// show replaces the line.
func (s *screen) show(p ab.Progress) {
	if p.Plan != "" {
		s.clear()
		fmt.Fprintln(s.plans, Line(p))
		s.last = time.Now()
		return
	}
	if s.to == nil {
		if time.Since(s.last) >= s.wait {
			fmt.Fprintln(s.plans, Line(p))
			s.last, s.wait = time.Now(), min(2*s.wait, mostSilence)
		}
		return
	}
	const width = 79 // keeps lines from wrapping
	line := Line(p)
	fmt.Fprintf(s.to, "\r\x1b[K%s", line[:min(width, len(line))])
	s.shown = true
}

// clear removes the line.
func (s *screen) clear() {
	if s.shown {
		fmt.Fprint(s.to, "\r\x1b[K")
	}
}
