// Package protocol lets other programs play with a player of Reversi: boards and tournament
// managers that speak NBoard's protocol ([Session.NBoard]) or GTP ([Session.GTP]). Both are lines of text on
// two streams. An invalid line is answered with an error, or ignored where the protocol has
// none, and never ends the session.
package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Session is a game in progress and its player.
type Session struct {
	// Player makes a player with a search depth in plies, or the default one if depth is 0.
	Player func(depth int) (reversi.Player, error)
	Name   string // of the program
	Ponder bool   // think on the opponent's time

	player reversi.Player
	record board.Record
}

// maxLine bounds a line of a protocol.
const maxLine = 1 << 20

// errLong reports a line that is too long.
var errLong = fmt.Errorf("the line is longer than %d bytes", maxLine)

// errQuit ends a session.
var errQuit = errors.New("quit")

// serve answers line by line, until the input or the context ends, or answer returns errQuit. A
// line that is too long gets only errLong.
func (s *Session) serve(ctx context.Context, in io.Reader, out io.Writer, answer func(ctx context.Context, line string, tooLong bool) (string, error)) error {
	s.record = board.Record{From: board.StartPosition()}
	if err := s.think(0); err != nil {
		return err
	}
	defer func() { s.stopPondering() }()
	lines := bufio.NewReader(in)
	for {
		line, tooLong, err := readLine(lines)
		if err == io.EOF && line == "" && !tooLong {
			return ctx.Err()
		}
		if err != nil && err != io.EOF {
			return err
		}
		text, stop := answer(ctx, strings.TrimSpace(line), tooLong)
		if _, err := io.WriteString(out, text); err != nil {
			return err
		}
		if stop == errQuit {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// readLine reads a line, and discards one that is too long.
func readLine(in *bufio.Reader) (line string, tooLong bool, err error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(text)+len(part) > maxLine {
			tooLong, text = true, nil
		}
		if !tooLong {
			text = append(text, part...)
		}
		if err != bufio.ErrBufferFull {
			return string(text), tooLong, err
		}
	}
}

// think makes the player with a search depth.
func (s *Session) think(depth int) error {
	p, err := s.Player(depth)
	if err != nil {
		return err
	}
	s.stopPondering()
	s.player = p
	s.player.NewGame(0)
	return nil
}

// ponderer is a player that can think on the opponent's time.
type ponderer interface {
	Ponder(ctx context.Context, p board.Position, reply board.Square)
	StopPondering()
}

// ponder lets the player think at the position behind its move, if it is wanted.
func (s *Session) ponder(ctx context.Context, c reversi.Choice) {
	player, ok := s.player.(ponderer)
	if !s.Ponder || !ok {
		return
	}
	next, err := s.record.End().Play(c.Square)
	if err != nil {
		return
	}
	reply := board.None
	if len(c.Line) > 1 && c.Line[0] == c.Square {
		reply = c.Line[1]
	}
	player.Ponder(ctx, next, reply)
}

func (s *Session) stopPondering() {
	if player, ok := s.player.(ponderer); ok {
		player.StopPondering()
	}
}

// play makes a move at the end of the record, and a pass before it where the side to move
// has no other.
func (s *Session) play(move board.Square) error {
	p := s.record.End()
	if move != board.Pass && p.Moves() == 0 && !p.Over() {
		if err := s.record.Add(board.Pass); err != nil {
			return err
		}
	}
	return s.record.Add(move)
}

// squareText writes a move as protocols do.
func squareText(s board.Square) string {
	if s == board.Pass {
		return "PASS"
	}
	return strings.ToUpper(s.String())
}

// line writes moves one behind the other.
func line(moves []board.Square) string {
	var text strings.Builder
	for _, m := range moves {
		text.WriteString(squareText(m))
	}
	return text.String()
}

// show draws the board.
func show(p board.Position) string {
	var text strings.Builder
	text.WriteString("  A B C D E F G H\n")
	squares := p.Text()
	for row := range 8 {
		fmt.Fprintf(&text, "%d", row+1)
		for column := range 8 {
			text.WriteByte(' ')
			text.WriteByte(squares[8*row+column])
		}
		text.WriteByte('\n')
	}
	fmt.Fprintf(&text, "%s to move", p.Side.Name())
	return text.String()
}
