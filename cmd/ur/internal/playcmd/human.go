package playcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
)

// errQuit ends a game that a human does not want to play on.
var errQuit = errors.New("quit")

// maxTypedLine is more than anybody types.
const maxTypedLine = 1000

// keyboard is the human players of a game: whoever's turn it is types.
type keyboard struct {
	screen  *screen
	in      *bufio.Reader
	adviser adviser // gives hints
	hints   bool    // on every turn
}

// Name returns "human".
func (k *keyboard) Name() string { return pick.Human }

// Sit returns the keyboard itself, which the players share.
func (k *keyboard) Sit(ur.Engine) (play.Seat, error) { return k, nil }

// Choose shows the moves and asks until one of them is typed.
func (k *keyboard) Choose(ctx context.Context, t *play.Turn) (int, error) {
	k.screen.question(t)
	if k.hints {
		k.adviser.advise(ctx, k.screen, t)
	}
	for {
		line, err := k.ask(t)
		if err != nil {
			return 0, err
		}
		switch line {
		case "q", "quit":
			return 0, errQuit
		case "h", "hint", "hints":
			k.adviser.advise(ctx, k.screen, t)
			continue
		case "?", "help":
			k.screen.printf("%s", playRules)
			continue
		}
		if number, err := strconv.Atoi(line); err == nil && 1 <= number && number <= len(t.Moves) {
			return number - 1, nil
		}
		k.screen.printf("  %s: want %s, ?, h or q\n", typed(line), choices(t))
	}
}

// ask prompts for a line and returns it in lower case without the space around.
func (k *keyboard) ask(t *play.Turn) (string, error) {
	_, err := fmt.Fprintf(k.screen.out, "  %s, your move (%s, ? help, h hints, q quit): ", k.screen.paint.Player(t.Side()), choices(t))
	if err != nil {
		return "", err
	}
	line, tooLong, err := cli.ReadLine(k.in, maxTypedLine)
	switch {
	case err == io.EOF:
		return "", cli.UsageError("the input ended in the middle of the game, in turn %d: type q to quit", t.Number+1)
	case err != nil:
		return "", err
	case tooLong != nil:
		line = []byte("a line too long to read")
	}
	return strings.ToLower(strings.TrimSpace(string(line))), nil
}

// choices says which numbers can be typed.
func choices(t *play.Turn) string {
	if len(t.Moves) == 1 {
		return "1"
	}
	return fmt.Sprintf("1-%d", len(t.Moves))
}

// typed repeats what was typed, as far as it can be shown.
func typed(line string) string {
	const most = 20
	if line == "" {
		return "Nothing typed"
	}
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "..."
	}
	return fmt.Sprintf("%q is not a move", line)
}
