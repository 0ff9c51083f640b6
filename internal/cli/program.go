package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

// Env holds a command's streams.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer // results
	Stderr io.Writer // progress and messages
}

// Program is a command line: a tree of commands under one name.
type Program struct {
	Name    string // typed name
	Short   string // its purpose, in one line
	Long    string // its help
	Example string // printed without arguments, too

	// Commands builds the commands, in the help's order, for one run.
	Commands func(env *Env) []*cobra.Command
	// Groups are the help's headings. Commands of no group are listed under the last.
	Groups []Group
	// Check is asked before every command, after the check of UR_DISABLE; nil checks nothing.
	Check func() error
	// Context may add values to every command's context; nil adds none.
	Context func(ctx context.Context, env *Env) context.Context
	// Explain may give an error an exit code, as [UsageError] does: it knows the errors of the
	// program's own packages. Nil leaves all unchanged.
	Explain func(error) error
}

// Group is a heading of the help with the names of its commands.
type Group struct {
	Title    string
	Commands []string
}

// Main runs the process's command line, and ends the process with its exit code. SIGINT,
// SIGTERM and SIGHUP cancel the command's context. It then prints or saves its finished
// work; a second signal ends the process at once.
func (p *Program) Main() {
	signal.Ignore(syscall.SIGPIPE) // a closed pipe, as in "ur eval | head", is an error of writing: files must be completed
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	err := p.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	os.Exit(p.Report(os.Stderr, err))
}

// Run executes one command line, without the program's name. It is Main without
// the process: tests call it with buffers.
func (p *Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	out := &Output{Writer: text.Writer{To: stdout}}
	root := p.Tree(&Env{Stdin: stdin, Stdout: out, Stderr: &Output{Writer: text.Writer{To: stderr}}})
	if len(args) > 0 && args[0] == "--" {
		args = args[1:] // typed as "go tool NAME -- play"
	}
	root.SetArgs(args)
	// Otherwise "NAME bogus --help" would print the help of NAME.
	if found, rest, err := root.Find(args); err == nil && found.HasSubCommands() && len(rest) > 0 &&
		!strings.HasPrefix(rest[0], "-") && rest[0] != cobra.ShellCompRequestCmd && rest[0] != cobra.ShellCompNoDescRequestCmd {
		return knownCommand(found, rest)
	}
	err := root.ExecuteContext(ctx)
	if out.Err != nil {
		return &outputError{out.Err}
	}
	var exit *ExitError
	if err != nil && p.Explain != nil && !errors.As(err, &exit) {
		return p.Explain(err)
	}
	return err
}

// Tree builds the tree of commands for one run.
func (p *Program) Tree(env *Env) *cobra.Command {
	root := NewGroup(p.Name, p.Short, p.Long, p.Commands(env)...)
	root.Args = knownCommand
	root.SetIn(env.Stdin)
	root.SetOut(heedless{env.Stdout})
	root.SetErr(env.Stderr)
	root.CompletionOptions.DisableNoDescFlag = true
	root.InitDefaultCompletionCmd()
	p.groupCommands(root)
	version := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return printVersion(cmd, env.Stdout)
		}
		_, err := fmt.Fprintf(env.Stdout, "%s.\n\n%s\n\n%q lists all commands.\n", p.Short, p.Example, p.Name+" help")
		return err
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := cmp.Or(checkFlagGroups(cmd), checkEmptyFlags(cmd)); err != nil {
			return err
		}
		if p.Context != nil {
			cmd.SetContext(p.Context(cmd.Context(), env))
		}
		// Code without CPU requirements would hide a mistake in UR_DISABLE.
		if err := cpu.Available(p.Name, nil); err != nil {
			return UsageError("%w", err)
		}
		if p.Check == nil {
			return nil
		}
		return p.Check()
	}
	root.Example = p.Example
	root.SilenceErrors = true
	root.SilenceUsage = true
	setDefaults(root)
	rejectUnknownTopics(root)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpTemplate(helpTemplate)
	return root
}

// heedless hides errors of writing from cobra, which would report them a second time: [Output]
// keeps the first.
type heedless struct{ to io.Writer }

func (w heedless) Write(p []byte) (int, error) {
	_, _ = w.to.Write(p)
	return len(p), nil
}

// groupCommands puts the commands under the help's headings.
func (p *Program) groupCommands(root *cobra.Command) {
	of := map[string]string{}
	last := ""
	for _, g := range p.Groups {
		last = g.Title
		root.AddGroup(&cobra.Group{ID: g.Title, Title: g.Title + ":"})
		for _, name := range g.Commands {
			of[name] = g.Title
		}
	}
	root.SetHelpCommandGroupID(last)
	for _, c := range root.Commands() {
		if c.GroupID = of[c.Name()]; c.GroupID == "" {
			c.GroupID = last
		}
	}
}

// printVersion runs the command "version", or prints the version alone.
func printVersion(root *cobra.Command, stdout io.Writer) error {
	for _, c := range root.Commands() {
		if c.Name() == "version" {
			return c.RunE(c, nil)
		}
	}
	_, err := fmt.Fprintln(stdout, root.Name(), process.Version())
	return err
}

// outputError is an error of writing to stdout.
type outputError struct{ err error }

func (e *outputError) Error() string { return "writing the output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// Report writes the message of an error of [Program.Run] and returns the exit code. Text from a
// file or an argument is quoted, so it cannot control the terminal. A closed pipe on stdout is
// not reported, but one to another program is.
func (p *Program) Report(stderr io.Writer, err error) int {
	switch {
	case err == nil || ExitCode(err) == ClosedPipe:
	case ExitCode(err) == Interrupted:
		fmt.Fprintf(stderr, "%s: interrupted\n", p.Name)
	default:
		fmt.Fprintf(stderr, "%s: %s\n", p.Name, errorMessage(err))
	}
	return ExitCode(err)
}

// Exit codes of the command line.
const (
	Done               = 0
	Failure            = 1
	BadUsage           = 2   // bad usage or bad input
	FailedVerification = 3   // a gate or verification failed
	Inconclusive       = 4   // an undecided comparison
	Interrupted        = 130 // SIGINT or SIGTERM
	ClosedPipe         = 141 // the reader of stdout has gone, as by SIGPIPE
)

// ExitError is an error with an exit code. Any other error is a failure, exit code 1.
type ExitError struct {
	Code int
	err  error
}

func (e *ExitError) Error() string { return e.err.Error() }
func (e *ExitError) Unwrap() error { return e.err }

// ErrInterrupted ends an interrupted command after it has printed or saved its finished work.
var ErrInterrupted = &ExitError{Interrupted, errors.New("interrupted")}

// UsageError is an error in the user's command line or input: exit code 2. The message names
// the problem, its place, and the right form.
func UsageError(format string, args ...any) error {
	return &ExitError{BadUsage, fmt.Errorf(format, args...)}
}

// VerificationError is a failed gate or verification: exit code 3.
func VerificationError(format string, args ...any) error {
	return &ExitError{FailedVerification, fmt.Errorf(format, args...)}
}

// InconclusiveError is an undecided comparison: exit code 4.
func InconclusiveError(format string, args ...any) error {
	return &ExitError{Inconclusive, fmt.Errorf(format, args...)}
}

// ExitCode returns the exit code of an error of [Program.Run].
func ExitCode(err error) int {
	var exit *ExitError
	var output *outputError
	switch {
	case err == nil:
		return Done
	case errors.As(err, &output) && errors.Is(err, syscall.EPIPE):
		return ClosedPipe
	case errors.Is(err, context.Canceled): // whatever it interrupted
		return Interrupted
	case errors.As(err, &exit):
		return exit.Code
	case errors.Is(err, syscall.EISDIR):
		return BadUsage
	}
	return Failure
}

// errorMessage returns an error's text. A folder in the place of a file is named in the same
// words by all commands.
func errorMessage(err error) string {
	message := err.Error()
	var file *fs.PathError
	if errors.Is(err, syscall.EISDIR) && errors.As(err, &file) {
		message = strings.Replace(message, file.Error(), file.Path+" is a folder (want a file)", 1)
	}
	return text.Lines(message)
}
