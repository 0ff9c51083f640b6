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

// Run shows an interface on a terminal until somebody leaves it, and returns the session as
// it is then. Colour asks for colours that the terminal has; without it none are sent. When
// it was left by Ctrl-C or a signal, the error is [cli.ErrInterrupted].
func Run(ctx context.Context, c Config, in io.Reader, out io.Writer, color bool) (*session.Session, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // of what thinks still
	m := New(ctx, c)
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()}
	if !color {
		options = append(options, tea.WithColorProfile(colorprofile.Ascii))
	}
	_, err := tea.NewProgram(m, options...).Run()
	switch {
	case m.interrupted, ctx.Err() != nil:
		err = cli.ErrInterrupted
	case errors.Is(err, tea.ErrInterrupted):
		err = cli.ErrInterrupted
	}
	return m.s, err
}
