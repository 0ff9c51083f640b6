package tui

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Run shows an interface on a terminal until the user quits, and returns the session in its
// final state. Without colour, no colours are sent. After Ctrl-C or a signal, the error is
// [cli.ErrInterrupted].
func Run(ctx context.Context, c Config, in io.Reader, out io.Writer, color bool) (*session.Session, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // of running work
	m := New(ctx, c)
	err := show(ctx, m, &m.interrupted, in, out, color)
	return m.s, err
}

// show runs a model on a terminal until it quits. interrupted reports Ctrl-C afterwards.
func show(ctx context.Context, m tea.Model, interrupted *bool, in io.Reader, out io.Writer, color bool) error {
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()}
	if !color {
		options = append(options, tea.WithColorProfile(colorprofile.Ascii))
	}
	_, err := tea.NewProgram(m, options...).Run()
	switch {
	case *interrupted, ctx.Err() != nil:
		err = cli.ErrInterrupted
	case errors.Is(err, tea.ErrInterrupted):
		err = cli.ErrInterrupted
	}
	return err
}
