package protocol

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// ParseCommand reads "gtp:COMMAND". The command is split into words like a POSIX shell does it, with
// variables from lookup; no shell runs.
func ParseCommand(text string, lookup func(string) string) (args []string, err error) {
	line, ok := strings.CutPrefix(text, "gtp:")
	if !ok {
		return nil, fmt.Errorf("invalid program %q (want gtp:COMMAND)", text)
	}
	if args, err = process.SplitWords(line, lookup); err != nil {
		return nil, fmt.Errorf("invalid program %q: %w", text, err)
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return nil, fmt.Errorf("program %q: %w", text, err)
	}
	return args, nil
}

// How long a program may take: to start, and to answer without a limit of time; and to answer
// besides a limit.
const (
	checkTime  = time.Minute
	answerTime = 10 * time.Minute
)

var marginTime = 5 * time.Second // a test does not wait so long

// Program is a running program. It is a [reversi.Player] and a [reversi.Follower], and must be
// closed.
type Program struct {
	name  string
	gtp   *gtp
	ready bool // the program has answered
	fresh bool // nothing of the game was sent

	record board.Record // record of the game
	broken error        // ends all use
}

// Start starts a program. Close ends it.
func Start(name string, args []string) (*Program, error) {
	line, err := process.StartLines(args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return newProgram(name, line), nil
}

// newProgram returns a player whose program is at the other end of a line.
func newProgram(name string, line *process.Lines) *Program {
	p := &Program{name: name, gtp: &gtp{Lines: line}}
	p.NewGame(0)
	return p
}

// Name returns the name given to Start.
func (p *Program) Name() string { return p.name }

// NewGame forgets the previous game.
func (p *Program) NewGame(uint64) {
	p.record, p.fresh = board.Record{From: board.StartPosition()}, true
}

// Follow notes the moves of the game.
func (p *Program) Follow(r board.Record) { p.record = r }

// Choose asks the program for its move. A pass is not asked for. A program whose answer did not
// come, or was an error, is not asked again.
func (p *Program) Choose(ctx context.Context, at board.Position, l reversi.Limits) (reversi.Choice, error) {
	begin := time.Now()
	c := reversi.Choice{Square: board.None}
	if at.Over() {
		return c, reversi.ErrOver
	}
	if at.Moves() == 0 {
		return reversi.Choice{Square: board.Pass}, nil
	}
	if p.record.End() != at {
		p.record = board.Record{From: at}
	}
	if p.broken == nil {
		p.broken = p.ask(ctx, l, &c.Square)
	}
	c.Elapsed = time.Since(begin)
	return c, p.broken
}

func (p *Program) ask(ctx context.Context, l reversi.Limits, to *board.Square) error {
	limit := answerTime
	if bound := l.Time + l.Clock.Left; bound > 0 {
		limit = bound + marginTime
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
	defer cancel()
	if err := p.begin(ctx); err != nil {
		return err
	}
	s, err := p.gtp.choose(ctx, p.fresh, p.record, l)
	if err != nil {
		return fmt.Errorf("%s: after %q: %w", p.name, p.record.Text(), err)
	}
	*to, p.fresh = s, false
	return nil
}

// begin sends a session's first words, once.
func (p *Program) begin(ctx context.Context) error {
	if p.ready {
		return nil
	}
	if err := p.gtp.begin(ctx); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	p.ready = true
	return nil
}

// Check starts the conversation, so a program without GTP is noticed
// before the first game.
func (p *Program) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTime, fmt.Errorf("no answer within %v", checkTime))
	defer cancel()
	p.broken = p.begin(ctx)
	return p.broken
}

// Close ends the program.
func (p *Program) Close() {
	p.broken = errors.New("the program is closed")
	p.gtp.Close("quit")
}
