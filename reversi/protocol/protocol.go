// Package protocol connects players and programs of Reversi by GTP, the Go Text Protocol. A
// [Session] is a player for other programs, such as boards and tournament managers; a [Program] is
// another program as a player.
package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Session is a game in progress and its player. An invalid line is answered with an error, changes
// nothing, and never ends the session.
type Session struct {
	Player func() (reversi.Player, error) // makes the player
	Name   string                         // program name
	Ponder bool                           // think on the opponent's time

	player reversi.Player
	record board.Record
	marks  []int // the number of moves before each command that moved, and before the pass it implied
}

// command answers to the words behind its name.
type command func(ctx context.Context, words []string) (string, error)

// errQuit ends a session.
var errQuit = errors.New("quit")

// constant is a command with always the same answer.
func constant(text string) command {
	return func(context.Context, []string) (string, error) { return text, nil }
}

// GTP speaks version 2 of the Go Text Protocol (Gunnar Farneback), as programs of Othello
// use it: squares are those of Othello, d3 and the like, and a pass is "pass". It answers line by
// line, until the input or the context ends, or a command returns errQuit.
func (s *Session) GTP(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	s.record, s.marks = board.Record{From: board.StartPosition()}, nil
	if s.player, err = s.Player(); err != nil {
		return err
	}
	s.player.NewGame(0)
	defer func() { reversi.StopPondering(s.player) }()
	commands := s.gtpCommands()
	lines := bufio.NewReader(in)
	for {
		line, problem, err := text.ReadLine(lines, process.MaxLine)
		if err == io.EOF {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		text, quit := answerLine(ctx, commands, string(line), problem)
		if _, err := io.WriteString(out, text); err != nil || quit {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// answerLine answers a line, or the problem of one.
func answerLine(ctx context.Context, commands map[string]command, line string, problem error) (reply string, quit bool) {
	if problem != nil {
		return formatReply("", "", problem), false
	}
	id, words := splitLine(line)
	text, err := "", errors.New("unknown command")
	switch {
	case len(words) > 0 && commands[words[0]] != nil:
		text, err = commands[words[0]](ctx, words[1:])
	case len(words) == 0 && id != "":
		err = errors.New("no command")
	case len(words) == 0:
		return "", false
	}
	if err == errQuit {
		return formatReply(id, text, nil), true
	}
	return formatReply(id, text, err), false
}

// toMove makes side the one to move, by a pass if it must be.
func (s *Session) toMove(side board.Side) error {
	if p := s.record.End(); p.Side != side && s.record.Add(board.Pass) != nil {
		return fmt.Errorf("illegal move: %s is to move", p.Side.Name())
	}
	return nil
}

// play makes a move of a side at the end of the record, and the other side's pass before it where
// that has no other move.
func (s *Session) play(side board.Side, move board.Square) error {
	before := len(s.record.Moves)
	if err := s.toMove(side); err != nil {
		return err
	}
	if move != board.Pass || len(s.record.Moves) == before { // otherwise the pass was made already
		if err := s.record.Add(move); err != nil {
			s.record.Moves = s.record.Moves[:before]
			return fmt.Errorf("illegal move: %w", err)
		}
	}
	s.marks = append(s.marks, before)
	return nil
}

// undo takes back the last move, with the pass that its command implied.
func (s *Session) undo() error {
	last := len(s.marks) - 1
	if last < 0 {
		return errors.New("cannot undo")
	}
	s.record.Moves, s.marks = s.record.Moves[:s.marks[last]], s.marks[:last]
	return nil
}
