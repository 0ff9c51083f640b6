package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// NBoard speaks version 2 of NBoard's engine protocol (Chris Welty) on in and out. The board
// sends the game so far, and requests moves ("go"), hints ("hint 4") and signs of life ("ping
// 1"). The protocol has no error reply: an invalid line is reported in a "status" and changes
// nothing.
func (s *Session) NBoard(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.serve(ctx, in, out, func(ctx context.Context, line string, tooLong bool) (string, error) {
		if tooLong {
			return "status Error: " + errLong.Error() + "\n", nil
		}
		text, err := s.nboard(ctx, line)
		if err != nil && err != errQuit {
			return text + "status Error: " + strings.ReplaceAll(err.Error(), "\n", " ") + "\n", nil
		}
		return text, err
	})
}

func (s *Session) nboard(ctx context.Context, line string) (string, error) {
	command, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch command {
	case "":
		return "", nil
	case "nboard":
		return "set myname " + s.Name + "\n", nil
	case "quit":
		return "", errQuit
	case "ping":
		if _, err := strconv.Atoi(rest); err != nil {
			return "", fmt.Errorf("ping: invalid number %q (want an integer)", rest)
		}
		return "pong " + rest + "\n", nil
	case "set":
		return s.nboardSet(rest)
	case "move":
		name, _, _ := strings.Cut(rest, "/")
		move, err := board.ParseSquare(name)
		if err != nil {
			return "", err
		}
		return "", s.play(move)
	case "go":
		return s.nboardGo(ctx)
	case "hint":
		return s.nboardHint(ctx, rest)
	case "learn":
		return "learned\n", nil
	case "analyze":
		return "", errors.New("unsupported command analyze")
	}
	return "", fmt.Errorf("unknown command %.40q", command)
}

func (s *Session) nboardSet(rest string) (string, error) {
	what, value, _ := strings.Cut(rest, " ")
	switch what {
	case "depth":
		depth, err := strconv.Atoi(value)
		if err != nil || depth < 1 || depth > 60 {
			return "", fmt.Errorf("set depth: %q (want 1 to 60)", value)
		}
		return "", s.think(depth)
	case "game":
		r, err := ParseGGF(value)
		if err != nil {
			return "", err
		}
		s.record = r
		return "", nil
	case "contempt", "timer", "timers", "myname":
		return "", nil // nothing follows from it
	}
	return "", fmt.Errorf("unknown setting %q (want depth or game)", what)
}

// nboardGo thinks and answers with a move; it does not make it: the board sends it back.
func (s *Session) nboardGo(ctx context.Context) (string, error) {
	begin := time.Now()
	c, err := s.player.Choose(ctx, s.record.End(), reversi.Limits{})
	if err != nil {
		return "", err
	}
	s.ponder(ctx, c)
	return fmt.Sprintf("status Thinking\n=== %s/%.2f/%.2f\nnodestats %d %.3f\nstatus\n",
		squareText(c.Square), c.Score, time.Since(begin).Seconds(), c.Nodes, time.Since(begin).Seconds()), nil
}

// nboardHint values the moves and sends the best of them.
func (s *Session) nboardHint(ctx context.Context, rest string) (string, error) {
	most, err := strconv.Atoi(rest)
	if err != nil || most < 1 {
		return "", fmt.Errorf("hint: invalid number of moves %q (want 1 or more)", rest)
	}
	c, err := s.player.Choose(ctx, s.record.End(), reversi.Limits{AllMoves: true})
	if err != nil {
		return "", err
	}
	depth := strconv.Itoa(c.Depth)
	if c.Exact {
		depth = "100%"
	}
	var text strings.Builder
	text.WriteString("status Thinking\n")
	for i, h := range c.Moves[:min(most, len(c.Moves))] {
		moves := []board.Square{h.Square}
		if i == 0 && len(c.Line) > 0 && c.Line[0] == h.Square {
			moves = c.Line
		}
		fmt.Fprintf(&text, "search %s %.2f 0 %s\n", line(moves), h.Score, depth)
	}
	fmt.Fprintf(&text, "nodestats %d %.3f\nstatus\n", c.Nodes, c.Elapsed.Seconds())
	return text.String(), nil
}

// ParseGGF reads a game in the Generic Game Format of GGS, as NBoard sends it. Only the board and the
// moves count:
//
//	(;GM[Othello]BO[8 64 squares *]B[F5]W[D6/0.5/1.2];)
func ParseGGF(text string) (board.Record, error) {
	r := board.Record{From: board.StartPosition()}
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "(;") || !strings.HasSuffix(text, ";)") {
		return r, errors.New("a game begins with (; and ends with ;)")
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "(;"), ";)")
	var moves []string
	for text != "" {
		tag, rest, ok := strings.Cut(text, "[")
		if !ok {
			return r, fmt.Errorf("game: invalid tag %q (want a name and a value in brackets)", text)
		}
		value, rest, ok := strings.Cut(rest, "]")
		if !ok {
			return r, fmt.Errorf("game: the value of %s has no end", strings.TrimSpace(tag))
		}
		text = strings.TrimSpace(rest)
		switch strings.TrimSpace(tag) {
		case "GM":
			if !strings.EqualFold(value, "Othello") {
				return r, fmt.Errorf("game: unknown game %q (want Othello)", value)
			}
		case "BO":
			p, err := parseGGFBoard(value)
			if err != nil {
				return r, fmt.Errorf("game: %w", err)
			}
			r.From = p
		case "B", "W":
			moves = append(moves, strings.TrimSpace(tag)+value)
		}
	}
	return addGGFMoves(r, moves)
}

func parseGGFBoard(value string) (board.Position, error) {
	size, rest, _ := strings.Cut(value, " ")
	if size != "8" {
		return board.Position{}, fmt.Errorf("board of size %q (want 8)", size)
	}
	rest = strings.Join(strings.Fields(rest), "")
	if len(rest) != 65 {
		return board.Position{}, fmt.Errorf("board of %d characters (want 64 squares and the side to move)", len(rest))
	}
	return board.ParsePosition(rest[:64], rest[64:])
}

// addGGFMoves plays moves, each after the letter of its player.
func addGGFMoves(r board.Record, moves []string) (board.Record, error) {
	p := r.From
	for i, m := range moves {
		name, _, _ := strings.Cut(m[1:], "/")
		s, err := board.ParseSquare(name)
		if err != nil {
			return r, fmt.Errorf("game: move %d: %w", i+1, err)
		}
		side := board.Black
		if m[0] == 'W' {
			side = board.White
		}
		if side != p.Side {
			return r, fmt.Errorf("game: move %d by %s, but %s is to move", i+1, side.Name(), p.Side.Name())
		}
		if p, err = p.Play(s); err != nil {
			return r, fmt.Errorf("game: move %d: %w", i+1, err)
		}
		r.Moves = append(r.Moves, s)
	}
	return r, nil
}
