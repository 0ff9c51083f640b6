package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// NBoard speaks version 2 of NBoard's engine protocol (Chris Welty) on in and out. The board
// sends the game so far, and requests moves ("go"), hints ("hint 4") and signs of life ("ping
// 1"). The protocol has no error reply: an error is reported in a "status".
func (s *Session) NBoard(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.serve(ctx, in, out, grammar{s.nboardCommands(),
		func(line string) (id string, words []string) { return "", strings.Fields(line) },
		func(_, text string, err error) string {
			if err != nil {
				return "status Error: " + err.Error() + "\n"
			}
			return text
		}})
}

func (s *Session) nboardCommands() map[string]command {
	return map[string]command{
		"nboard": constant("set myname " + s.Name + "\n"),
		"learn":  constant("learned\n"),
		"quit":   quit,
		"ping": func(_ context.Context, words []string) (string, error) {
			n, err := number(words, 0)
			return fmt.Sprintf("pong %d\n", n), err
		},
		"set": func(_ context.Context, words []string) (string, error) {
			what := strings.Join(words[:min(1, len(words))], "")
			switch what {
			case "depth":
				depth, err := number(words[1:], 1)
				if err != nil || depth > 60 {
					return "", errors.New("set depth: " + strings.Join(words[1:], " ") + " (want 1 to 60)")
				}
				return "", s.think(depth)
			case "game":
				r, err := parseGGF(strings.Join(words[1:], " "))
				if err == nil {
					s.record, s.implied = r, nil
				}
				return "", err
			case "contempt", "timer", "timers", "myname":
				return "", nil // nothing follows from it
			}
			return "", fmt.Errorf("unknown setting %.40q (want depth or game)", what)
		},
		"move": func(_ context.Context, words []string) (string, error) {
			name, _, _ := strings.Cut(strings.Join(words, " "), "/")
			move, err := board.ParseSquare(name)
			if err != nil {
				return "", err
			}
			p := s.record.End()
			if move != board.Pass && p.Moves() == 0 {
				return "", s.play(p.Side.Other(), move)
			}
			return "", s.play(p.Side, move)
		},
		// The board sends the move back, which makes it.
		"go": func(ctx context.Context, _ []string) (string, error) {
			begin := time.Now()
			c, err := s.choose(ctx, reversi.Limits{}, true)
			seconds := time.Since(begin).Seconds()
			return fmt.Sprintf("status Thinking\n=== %s/%.2f/%.2f\nnodestats %d %.3f\nstatus\n",
				squareText(c.Square), c.Score, seconds, c.Nodes, seconds), err
		},
		"hint": s.hint,
	}
}

// number reads a word that is a number of at least least.
func number(words []string, least int) (int, error) {
	if len(words) == 1 {
		if n, err := strconv.Atoi(words[0]); err == nil && n >= least {
			return n, nil
		}
	}
	return 0, fmt.Errorf("invalid number %.40q (want %d or more)", strings.Join(words, " "), least)
}

// hint values the moves and sends the best of them.
func (s *Session) hint(ctx context.Context, words []string) (string, error) {
	most, err := number(words, 1)
	if err != nil {
		return "", err
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
		text.WriteString("search ")
		for _, m := range moves {
			text.WriteString(squareText(m))
		}
		fmt.Fprintf(&text, " %.2f 0 %s\n", h.Score, depth)
	}
	fmt.Fprintf(&text, "nodestats %d %.3f\nstatus\n", c.Nodes, c.Elapsed.Seconds())
	return text.String(), nil
}

// squareText writes a move as NBoard does.
func squareText(s board.Square) string { return strings.ToUpper(s.String()) }

// nboard is a program's end of NBoard's protocol. Before every move the program gets the whole
// game. The protocol has no clocks.
type nboard struct {
	*process.Lines
	pings int
}

func (n *nboard) begin(ctx context.Context) error { return n.ping(ctx, "nboard 2") }

// ping sends a line, and waits until the program has followed it.
func (n *nboard) ping(ctx context.Context, text string) error {
	n.pings++
	_, err := n.ask(ctx, fmt.Sprintf("%s\nping %d", text, n.pings), fmt.Sprintf("pong %d", n.pings))
	return err
}

// ask sends a line, and returns the rest of the next line with a prefix; it skips all before it.
func (n *nboard) ask(ctx context.Context, text, prefix string) (string, error) {
	err := n.Send(ctx, text)
	for err == nil {
		if text, err = n.Receive(ctx); err == nil {
			if rest, ok := strings.CutPrefix(text, prefix); ok {
				return strings.TrimSpace(rest), nil
			}
		}
	}
	return "", err
}

func (n *nboard) choose(ctx context.Context, _ bool, r board.Record, _ reversi.Limits) (board.Square, error) {
	if err := n.ping(ctx, "set game "+formatGGF(r)); err != nil {
		return board.None, err
	}
	reply, err := n.ask(ctx, "go", "===")
	if err != nil {
		return board.None, err
	}
	move, _, _ := strings.Cut(reply, "/")
	return board.ParseSquare(strings.ToLower(strings.TrimSpace(move)))
}

// formatGGF writes a game in the Generic Game Format of GGS, on one line.
func formatGGF(r board.Record) string {
	var text strings.Builder
	side := r.From.Side
	squares := strings.NewReplacer("X", "*").Replace(r.From.Text() + " " + side.String())
	fmt.Fprintf(&text, "(;GM[Othello]PC[reversi]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 %s]", squares)
	for _, s := range r.Moves {
		move := "PA"
		if s != board.Pass {
			move = squareText(s)
		}
		fmt.Fprintf(&text, "%s[%s]", strings.ToUpper(side.Name()[:1]), move)
		side = side.Other()
	}
	return text.String() + ";)"
}

// parseGGF reads a game in the Generic Game Format of GGS, as NBoard sends it. Only the board and the
// moves count:
//
//	(;GM[Othello]BO[8 64 squares *]B[F5]W[D6/0.5/1.2];)
func parseGGF(text string) (board.Record, error) {
	r := board.Record{From: board.StartPosition()}
	body, opened := strings.CutPrefix(strings.TrimSpace(text), "(;")
	body, closed := strings.CutSuffix(body, ";)")
	if !opened || !closed {
		return r, errors.New("a game begins with (; and ends with ;)")
	}
	var moves [][2]string // colour and move
	for body != "" {
		tag, rest, ok := strings.Cut(body, "[")
		value, rest, ended := strings.Cut(rest, "]")
		tag, body = strings.TrimSpace(tag), strings.TrimSpace(rest)
		if !ok || !ended {
			return r, fmt.Errorf("game: invalid tag %.40q (want a name and a value in brackets)", tag)
		}
		switch tag {
		case "GM":
			if !strings.EqualFold(value, "Othello") {
				return r, fmt.Errorf("game: unknown game %.40q (want Othello)", value)
			}
		case "BO":
			size, squares, _ := strings.Cut(value, " ")
			squares = strings.Join(strings.Fields(squares), "")
			if size != "8" || len(squares) != 65 {
				return r, fmt.Errorf("game: invalid board %.80q (want 8, 64 squares and the side to move)", value)
			}
			var err error
			if r.From, err = board.ParsePosition(squares[:64], squares[64:]); err != nil {
				return r, fmt.Errorf("game: %w", err)
			}
		case "B", "W":
			moves = append(moves, [2]string{tag, value})
		}
	}
	p := r.From
	for i, m := range moves {
		name, _, _ := strings.Cut(m[1], "/")
		side, _ := board.ParseSide(m[0])
		s, err := board.ParseSquare(name)
		if err == nil && side != p.Side {
			err = fmt.Errorf("%s is to move", p.Side.Name())
		}
		if err == nil {
			p, err = p.Play(s)
		}
		if err != nil {
			return r, fmt.Errorf("game: move %d: %w", i+1, err)
		}
		r.Moves = append(r.Moves, s)
	}
	return r, nil
}
