package opponent

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// nboard is version 2 of NBoard's protocol. Before every move the program gets the whole game.
// The protocol has no clocks.
type nboard struct {
	*line
	pings int
}

func (n *nboard) quit() string { return "quit" }
func (n *nboard) newGame()     {}

func (n *nboard) begin(ctx context.Context) error {
	if err := n.send("nboard 2"); err != nil {
		return n.lost(ctx, err)
	}
	return n.ping(ctx)
}

// ping waits until the program has followed everything before it.
func (n *nboard) ping(ctx context.Context) error {
	n.pings++
	if err := n.send(fmt.Sprintf("ping %d", n.pings)); err != nil {
		return n.lost(ctx, err)
	}
	_, err := n.await(ctx, fmt.Sprintf("pong %d", n.pings))
	return err
}

// await returns the rest of the next line with a prefix, and skips all lines before it.
func (n *nboard) await(ctx context.Context, prefix string) (string, error) {
	for {
		text, err := n.receive(ctx)
		if err != nil {
			return "", err
		}
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			return strings.TrimSpace(rest), nil
		}
	}
}

func (n *nboard) choose(ctx context.Context, r board.Record, _ reversi.Limits) (board.Square, error) {
	if err := n.send("set game " + GGF(r)); err != nil {
		return board.None, n.lost(ctx, err)
	}
	if err := n.ping(ctx); err != nil {
		return board.None, err
	}
	if err := n.send("go"); err != nil {
		return board.None, n.lost(ctx, err)
	}
	reply, err := n.await(ctx, "===")
	if err != nil {
		return board.None, err
	}
	move, _, _ := strings.Cut(reply, "/")
	return board.ParseSquare(strings.ToLower(strings.TrimSpace(move)))
}

// GGF writes a game in the Generic Game Format of GGS, on one line.
func GGF(r board.Record) string {
	var text strings.Builder
	squares := strings.NewReplacer("X", "*").Replace(r.From.Text())
	mover := map[board.Side]string{board.Black: "*", board.White: "O"}
	fmt.Fprintf(&text, "(;GM[Othello]PC[reversi]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 %s %s]", squares, mover[r.From.Side])
	side := r.From.Side
	for _, s := range r.Moves {
		move := "PA"
		if s != board.Pass {
			move = strings.ToUpper(s.String())
		}
		fmt.Fprintf(&text, "%s[%s]", strings.ToUpper(side.Name()[:1]), move)
		side = side.Other()
	}
	return text.String() + ";)"
}
