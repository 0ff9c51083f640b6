package opponent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// gtp is version 2 of the Go Text Protocol, as programs of Othello use it. The program keeps the
// game, and gets only the moves it lacks.
type gtp struct {
	*line
	known []board.Square // moves the program has
	fresh bool           // nothing of the game was sent
}

func (g *gtp) quit() string { return "quit" }
func (g *gtp) newGame()     { g.fresh = true }

// begin asks for the version, and selects the game of a program that knows several.
func (g *gtp) begin(ctx context.Context) error {
	g.fresh = true
	if _, err := g.command(ctx, "protocol_version"); err != nil {
		return err
	}
	for _, optional := range []string{"set_game Othello", "boardsize 8"} {
		if _, err := g.command(ctx, optional); err != nil && !isRefusal(err) {
			return err
		}
	}
	return nil
}

// refusal is an error reply.
type refusal struct{ command, text string }

func (r refusal) Error() string { return fmt.Sprintf("%s: %s", r.command, r.text) }

func isRefusal(err error) bool {
	_, ok := err.(refusal)
	return ok
}

// command sends a command and returns the text of the reply. Lines before the reply are skipped.
func (g *gtp) command(ctx context.Context, text string) (string, error) {
	if err := g.send(text); err != nil {
		return "", g.lost(ctx, err)
	}
	reply := ""
	for !strings.HasPrefix(reply, "=") && !strings.HasPrefix(reply, "?") {
		var err error
		if reply, err = g.receive(ctx); err != nil {
			return "", err
		}
	}
	for {
		more, err := g.receive(ctx)
		if err != nil {
			return "", err
		}
		if strings.TrimSpace(more) == "" {
			break
		}
		reply += "\n" + more
	}
	if strings.HasPrefix(reply, "?") {
		return "", refusal{text, strings.TrimSpace(reply[1:])}
	}
	return strings.TrimSpace(reply[1:]), nil
}

// choose brings the program to the end of the record, and lets it move.
func (g *gtp) choose(ctx context.Context, r board.Record, l reversi.Limits) (board.Square, error) {
	if r.From != board.StartPosition() {
		return board.None, fmt.Errorf("GTP cannot set up positions")
	}
	if err := g.follow(ctx, r, l); err != nil {
		return board.None, err
	}
	side := r.End().Side
	if left := l.Clock.Left; left > 0 {
		if err := g.optional(ctx, fmt.Sprintf("time_left %s %d 0", side.Name(), left/time.Second)); err != nil {
			return board.None, err
		}
	}
	reply, err := g.command(ctx, "genmove "+side.Name())
	if err != nil {
		return board.None, err
	}
	s, err := board.ParseSquare(strings.ToLower(reply))
	if err == nil {
		g.known = append(g.known, s)
	}
	return s, err
}

// follow sends the moves the program lacks; all of them after a move taken back.
func (g *gtp) follow(ctx context.Context, r board.Record, l reversi.Limits) error {
	if g.fresh || !begins(r.Moves, g.known) {
		if _, err := g.command(ctx, "clear_board"); err != nil {
			return err
		}
		if err := g.setTime(ctx, l); err != nil {
			return err
		}
		g.known, g.fresh = g.known[:0], false
	}
	side := r.From.Side
	for i, s := range r.Moves {
		if i >= len(g.known) {
			if _, err := g.command(ctx, fmt.Sprintf("play %s %s", side.Name(), s)); err != nil {
				return err
			}
			g.known = append(g.known, s)
		}
		side = side.Other()
	}
	return nil
}

// begins reports whether moves begin with those known.
func begins(moves, known []board.Square) bool {
	if len(known) > len(moves) {
		return false
	}
	for i, s := range known {
		if moves[i] != s {
			return false
		}
	}
	return true
}

// setTime sends the clock, or the time of a move. GTP counts whole seconds: less is left to the
// program's own settings.
func (g *gtp) setTime(ctx context.Context, l reversi.Limits) error {
	if left := l.Clock.Left; left >= time.Second {
		return g.optional(ctx, fmt.Sprintf("time_settings %d 0 0", left/time.Second))
	}
	if l.Time >= time.Second {
		return g.optional(ctx, fmt.Sprintf("time_settings 0 %d 1", l.Time/time.Second))
	}
	return nil
}

// optional sends a command that a program may refuse.
func (g *gtp) optional(ctx context.Context, text string) error {
	_, err := g.command(ctx, text)
	if isRefusal(err) {
		return nil
	}
	return err
}
