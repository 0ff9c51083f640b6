package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

// Env holds the streams of a command.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer // results
	Stderr io.Writer // progress and messages
}

// Program is a command line: a tree of commands under one name.
type Program struct {
	Name    string // as it is typed
	Short   string // its purpose, in one line
	Long    string // its help
	Example string
	Welcome string // printed without arguments, instead of the help; "" for the help

	// Commands builds the commands, in the order of the help, for one run.
	Commands func(env *Env) []*cobra.Command
	// Groups are the headings of the help. Commands of no group are listed under the last.
	Groups []Group
	// Check is asked before every command; nil checks nothing.
	Check func() error
	// Context may add values to the context of every command; nil adds none.
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
// SIGTERM and SIGHUP cancel the context of the command. It then prints or saves its finished
// work; a second signal ends the process at once.
func (p *Program) Main() {
	ignoreClosedPipes()
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	err := p.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	os.Exit(p.Report(os.Stderr, err))
}

// Run executes one command line, without the name of the program. It is Main without
// the process: tests call it with buffers.
func (p *Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	out := &Output{To: stdout}
	root := p.root(&Env{Stdin: stdin, Stdout: out, Stderr: &Output{To: stderr}})
	if len(args) > 0 && args[0] == "--" {
		args = args[1:] // as in "go tool NAME -- play"
	}
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if out.Err != nil {
		return fmt.Errorf("writing the output: %w", out.Err)
	}
	var exit *ExitError
	if err != nil && p.Explain != nil && !errors.As(err, &exit) {
		return p.Explain(err)
	}
	return err
}

// root builds the tree of commands.
func (p *Program) root(env *Env) *cobra.Command {
	root := NewGroup(p.Name, p.Short, p.Long, p.Commands(env)...)
	root.AddCommand(newCompletionCommand(env, p.Name))
	p.group(root)
	version := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return runVersion(cmd)
		}
		if p.Welcome != "" {
			_, err := io.WriteString(env.Stdout, p.Welcome)
			return err
		}
		return cmd.Help()
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := cmp.Or(checkFlagGroups(cmd), checkEmptyFlags(cmd)); err != nil {
			return err
		}
		if p.Context != nil {
			cmd.SetContext(p.Context(cmd.Context(), env))
		}
		if p.Check == nil {
			return nil
		}
		return p.Check()
	}
	root.Example = p.Example
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.CompletionOptions.DisableDefaultCmd = true
	setDefaults(root)
	completeFlags(root)
	root.SetHelpCommand(newHelpCommand())
	root.SetFlagErrorFunc(flagError)
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	setHelp(root)
	// A single write; [Output] keeps its error, so it is reported once or not at all.
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var text bytes.Buffer
		out := cmd.OutOrStdout()
		cmd.SetOut(&text)
		help(cmd, args)
		cmd.SetOut(out)
		_, _ = out.Write(text.Bytes())
	})
	return root
}

// group puts the commands under the headings of the help.
func (p *Program) group(root *cobra.Command) {
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

// runVersion runs the command "version" for the flag of this name.
func runVersion(root *cobra.Command) error {
	for _, c := range root.Commands() {
		if c.Name() == "version" {
			return c.RunE(c, nil)
		}
	}
	return UsageError("%s has no version", root.Name())
}

// Report writes the message of an error of [Program.Run] and returns the exit code. Text from a
// file or an argument is quoted, so it cannot control the terminal. A closed pipe on stdout is
// not reported.
func (p *Program) Report(stderr io.Writer, err error) int {
	switch {
	case err == nil || errors.Is(err, syscall.EPIPE):
	case ExitCode(err) == Interrupted:
		fmt.Fprintf(stderr, "%s: interrupted\n", p.Name)
	default:
		fmt.Fprintf(stderr, "%s: %s\n", p.Name, text.Lines(err.Error()))
	}
	return ExitCode(err)
}
