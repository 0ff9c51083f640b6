// Package opponent plays with other programs: a [Player] starts a program that speaks GTP or
// NBoard's protocol, follows a game with it, and asks it for moves. Package protocol is the other
// end.
package opponent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Command describes a program and its protocol.
type Command struct {
	protocol string // gtp or nboard
	args     []string
}

// ParseCommand reads "gtp:COMMAND" or "nboard:COMMAND". The command is split into words like a
// POSIX shell does it, with variables from lookup; no shell runs.
func ParseCommand(text string, lookup func(string) string) (Command, error) {
	name, line, _ := strings.Cut(text, ":")
	if name != "gtp" && name != "nboard" {
		return Command{}, fmt.Errorf("invalid program %q (want gtp:COMMAND or nboard:COMMAND)", text)
	}
	args, err := process.SplitWords(line, lookup)
	if err != nil {
		return Command{}, fmt.Errorf("invalid program %q: %w", text, err)
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return Command{}, fmt.Errorf("program %q: %w", text, err)
	}
	return Command{name, args}, nil
}

// answerTime is the longest time for an answer, besides the time for a move.
const answerTime = 10 * time.Minute

// Player is a running program. It is a [reversi.Player] and a [reversi.Follower], and must be
// closed.
type Player struct {
	name  string
	speak speaker
	line  *line
	ready bool // the program has answered

	stop   context.CancelFunc
	ended  chan struct{} // closed when the process has ended
	record board.Record  // of the game
	broken error         // ends all use
}

// speaker is a protocol, on a line.
type speaker interface {
	// begin sends the first words of a session.
	begin(ctx context.Context) error
	// newGame is called before the first move of every game.
	newGame()
	// choose sends the moves of the game and asks for the next.
	choose(ctx context.Context, r board.Record, l reversi.Limits) (board.Square, error)
	// quit is the last line of a session.
	quit() string
}

// Start starts a program. It ends with the context or by Close.
func Start(ctx context.Context, name string, c Command) (*Player, error) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	process.OwnGroup(cmd)
	messages := new(tail)
	cmd.Stderr = messages
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		stop()
		return nil, err
	}
	out, to := io.Pipe()
	cmd.Stdout = to
	if err := cmd.Start(); err != nil {
		stop()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := newPlayer(name, c.protocol, in, out)
	p.stop = stop
	go func() {
		defer close(p.ended)
		err := cmd.Wait()
		if err == nil {
			err = errors.New("the program has ended")
		}
		to.CloseWithError(messages.explain(err))
	}()
	return p, nil
}

// newPlayer returns a player whose program reads in and writes out.
func newPlayer(name, protocol string, in io.WriteCloser, out io.Reader) *Player {
	p := &Player{name: name, line: newLine(in, out), stop: func() {}, ended: make(chan struct{})}
	if protocol == "gtp" {
		p.speak = &gtp{line: p.line}
	} else {
		p.speak = &nboard{line: p.line}
	}
	return p
}

// Name returns the name given to Start.
func (p *Player) Name() string { return p.name }

// NewGame forgets the previous game.
func (p *Player) NewGame(uint64) {
	p.record = board.Record{From: board.StartPosition()}
	p.speak.newGame()
}

// Follow notes the moves of the game.
func (p *Player) Follow(r board.Record) { p.record = r }

// Choose asks the program for its move. A pass is not asked for. A program whose answer did not
// come, or was an error, is not asked again.
func (p *Player) Choose(ctx context.Context, at board.Position, l reversi.Limits) (reversi.Choice, error) {
	begin := time.Now()
	none := reversi.Choice{Square: board.None}
	if at.Over() {
		return none, reversi.ErrOver
	}
	if at.Moves() == 0 {
		return reversi.Choice{Square: board.Pass}, nil
	}
	if p.record.End() != at {
		p.record = board.Record{From: at}
	}
	if p.broken == nil {
		p.broken = p.ask(ctx, l, &none.Square)
	}
	none.Elapsed = time.Since(begin)
	return none, p.broken
}

func (p *Player) ask(ctx context.Context, l reversi.Limits, to *board.Square) error {
	limit := answerTime + l.Time + l.Clock.Left
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
	defer cancel()
	if !p.ready {
		if err := p.speak.begin(ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		p.ready = true
	}
	s, err := p.speak.choose(ctx, p.record, l)
	if err != nil {
		return fmt.Errorf("%s: after %q: %w", p.name, p.record.Text(), err)
	}
	*to = s
	return nil
}

// Check starts the conversation, so that a program that cannot speak its protocol is noticed
// before the first game.
func (p *Player) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTime, fmt.Errorf("no answer within %v", checkTime))
	defer cancel()
	if err := p.speak.begin(ctx); err != nil {
		p.broken = fmt.Errorf("%s: %w", p.name, err)
		return p.broken
	}
	p.ready = true
	return nil
}

// checkTime is how long a program may take to start.
const checkTime = time.Minute

// quitTime is how long a program may take to end.
const quitTime = time.Second

// Close ends the program.
func (p *Player) Close() {
	p.broken = errors.New("the program is closed")
	_ = p.line.send(p.speak.quit())
	_ = p.line.in.Close()
	select {
	case <-p.ended:
	case <-time.After(quitTime):
	}
	p.stop()
	for range p.line.lines { // until the program has ended
	}
}
