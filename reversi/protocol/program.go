package protocol

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// How long a program may take: to start, and to answer without a limit of time; and to answer
// besides a limit.
const (
	checkTime  = time.Minute
	answerTime = 10 * time.Minute
)

var marginTime = 5 * time.Second // a test does not wait so long

// Program is another program as a player. It is a [reversi.Player], [reversi.Follower] and [reversi.Preparer], and
// must be closed. A program that resigns loses its game by a [*match.ForfeitError] of [reversi.ErrResigned]. One that
// moves illegally, does not answer in time, or ends loses it by another, is killed, and started again for the next game.
type Program struct {
	name  string
	start func() (*process.Lines, error)
	gtp   *gtp // nil if the program does not run
	fresh bool // nothing of the game was sent

	record board.Record // record of the game
	broken error        // ends all use in this game
}

// NewProgram returns a player that starts a program when it is needed. Close ends it.
func NewProgram(name string, args []string) *Program {
	p := &Program{name: name, start: func() (*process.Lines, error) { return process.StartLines(args) }}
	p.NewGame(0)
	return p
}

// Name returns the name given to NewProgram.
func (p *Program) Name() string { return p.name }

// NewGame forgets the previous game.
func (p *Program) NewGame(uint64) {
	p.record, p.fresh, p.broken = board.Record{From: board.StartPosition()}, true, nil
}

// Follow notes the moves of the game.
func (p *Program) Follow(r board.Record) { p.record = r }

// Prepare starts the program, unless it runs, and waits a minute at most for its first reply.
func (p *Program) Prepare(ctx context.Context) {
	if p.gtp != nil || p.broken != nil {
		return
	}
	lines, err := p.start()
	if err != nil {
		p.broken = fmt.Errorf("%s: %w", p.name, err)
		return
	}
	p.gtp = &gtp{Lines: lines}
	limited, cancel := context.WithTimeoutCause(ctx, checkTime, fmt.Errorf("no answer within %v", checkTime))
	defer cancel()
	if err := p.gtp.begin(limited); err != nil {
		p.fail(ctx, err)
	}
}

// Check returns the error of a program that cannot play.
func (p *Program) Check(ctx context.Context) error {
	p.Prepare(ctx)
	if forfeit, ok := errors.AsType[*match.ForfeitError](p.broken); ok {
		return fmt.Errorf("%s: %w", p.name, forfeit.Err) // no game is lost
	}
	return p.broken
}

// Choose asks the program for its move. A pass is not asked for. After an error the program is not
// asked again in this game.
func (p *Program) Choose(ctx context.Context, at board.Position, l reversi.Limits) (reversi.Choice, error) {
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
	if p.Prepare(ctx); p.broken != nil {
		return c, p.broken
	}
	limit := answerTime
	if bound := l.Time + l.Clock.Left; bound > 0 {
		limit = bound + marginTime
	}
	limited, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
	defer cancel()
	begin := time.Now()
	square, err := p.gtp.choose(limited, p.fresh, p.record, l)
	c.Elapsed = time.Since(begin)
	if err == nil {
		if _, err = at.Play(square); err != nil {
			err = fmt.Errorf("illegal move: %w", err)
		}
	}
	if err != nil {
		p.fail(ctx, fmt.Errorf("after %q: %w", p.record.Text(), err))
		return c, p.broken
	}
	c.Square, p.fresh = square, false
	return c, nil
}

// fail notes why the program cannot go on, and kills it unless it has only resigned.
func (p *Program) fail(ctx context.Context, err error) {
	if !errors.Is(err, reversi.ErrResigned) {
		p.gtp.Kill()
		p.gtp = nil
	}
	if p.broken = ctx.Err(); p.broken == nil {
		p.broken = &match.ForfeitError{Player: p.name, Err: err}
	}
}

// Close ends the program.
func (p *Program) Close() {
	p.broken = errors.New("the program is closed")
	if p.gtp != nil {
		p.gtp.Close("quit")
	}
}
