package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// gtpCommands are the supported commands of GTP.
var gtpCommands = []string{
	"boardsize", "clear_board", "final_score", "genmove", "known_command", "komi", "list_commands", "name", "play",
	"protocol_version", "quit", "reg_genmove", "set_game", "showboard", "time_left", "time_settings", "undo", "version",
}

// gtp is the state of a session of GTP.
type gtp struct {
	*Session
	main time.Duration    // of a game for each side; 0 for none
	left [2]time.Duration // of each side; 0 if unknown
	move time.Duration    // of each move; 0 for no limit

	implied []int // numbers of the passes in the record that a command of the next move implied
}

// GTP speaks version 2 of the Go Text Protocol (Gunnar Farneback), as programs of Othello
// use it: squares are those of Othello, d3 and the like, and a pass is "pass".
func (s *Session) GTP(ctx context.Context, in io.Reader, out io.Writer) error {
	g := &gtp{Session: s}
	return s.serve(ctx, in, out, func(ctx context.Context, line string, tooLong bool) (string, error) {
		if tooLong {
			return "? " + errLong.Error() + "\n\n", nil
		}
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(strings.Map(printable, line))
		if len(words) == 0 {
			return "", nil
		}
		id := ""
		if _, err := strconv.Atoi(words[0]); err == nil {
			id, words = words[0], words[1:]
		}
		if len(words) == 0 {
			return "?" + id + " no command\n\n", nil
		}
		text, err := g.answer(ctx, words[0], words[1:])
		if err != nil && err != errQuit {
			return "?" + id + " " + strings.ReplaceAll(err.Error(), "\n", " ") + "\n\n", nil
		}
		return "=" + id + " " + text + "\n\n", err
	})
}

// printable drops control characters, as GTP asks for.
func printable(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case r < 32 || r == 127:
		return -1
	}
	return r
}

func (g *gtp) answer(ctx context.Context, command string, words []string) (string, error) {
	switch command {
	case "protocol_version":
		return "2", nil
	case "name":
		return g.Name, nil
	case "version":
		return "1", nil
	case "list_commands":
		return strings.Join(gtpCommands, "\n"), nil
	case "known_command":
		return strconv.FormatBool(len(words) == 1 && slices.Contains(gtpCommands, words[0])), nil
	case "quit":
		return "", errQuit
	case "boardsize":
		if len(words) != 1 || words[0] != "8" {
			return "", errors.New("unacceptable size")
		}
		return "", nil
	case "clear_board":
		g.record, g.implied = board.Record{From: board.StartPosition()}, nil
		g.left = [2]time.Duration{g.main, g.main}
		g.player.NewGame(0)
		return "", nil
	case "komi":
		return "", nil // Othello has none
	case "set_game":
		if name := strings.Join(words, " "); !strings.EqualFold(name, "Othello") && !strings.EqualFold(name, "Reversi") {
			return "", errors.New("unsupported game")
		}
		return "", nil
	case "showboard":
		return "\n" + show(g.record.End()), nil
	case "undo":
		return "", g.undo()
	case "play":
		return "", g.playWords(words)
	case "genmove", "reg_genmove":
		return g.generate(ctx, words, command == "genmove")
	case "time_settings", "time_left":
		return "", g.time(command, words)
	case "final_score":
		if !g.record.End().Over() {
			return "", errors.New("cannot score: the game is not over")
		}
		return g.score(), nil
	}
	return "", errors.New("unknown command")
}

func (g *gtp) undo() error {
	n := len(g.record.Moves)
	if n == 0 {
		return errors.New("cannot undo")
	}
	if slices.Contains(g.implied, n-2) {
		n--
	}
	g.cut(n - 1)
	return nil
}

// cut shortens the record to n moves.
func (g *gtp) cut(n int) {
	g.record.Moves = g.record.Moves[:n]
	g.implied = slices.DeleteFunc(g.implied, func(pass int) bool { return pass >= n })
}

// toMove makes color the side to move, by a pass if it must be.
func (g *gtp) toMove(color string) error {
	side, err := board.ParseSide(color)
	if err != nil {
		return err
	}
	p := g.record.End()
	if p.Side == side {
		return nil
	}
	if p.Moves() != 0 || p.Over() {
		return fmt.Errorf("illegal move: %s is to move", p.Side.Name())
	}
	g.implied = append(g.implied, len(g.record.Moves))
	return g.record.Add(board.Pass)
}

func (g *gtp) playWords(words []string) error {
	if len(words) != 2 {
		return errors.New("syntax error (want a colour and a square)")
	}
	s, err := board.ParseSquare(words[1])
	if err != nil {
		return fmt.Errorf("syntax error: %w", err)
	}
	before := len(g.record.Moves)
	if err := g.toMove(words[0]); err != nil {
		return err
	}
	if s == board.Pass && len(g.record.Moves) > before {
		g.implied = g.implied[:len(g.implied)-1]
		return nil // the pass was made already
	}
	if err := g.record.Add(s); err != nil {
		g.cut(before)
		return fmt.Errorf("illegal move: %w", err)
	}
	return nil
}

func (g *gtp) generate(ctx context.Context, words []string, play bool) (string, error) {
	if len(words) != 1 {
		return "", errors.New("syntax error (want a colour)")
	}
	if !play { // reg_genmove leaves the game and the clocks as they are
		moves, left := len(g.record.Moves), g.left
		defer func() { g.cut(moves); g.left = left }()
	}
	if err := g.toMove(words[0]); err != nil {
		return "", err
	}
	p := g.record.End()
	if p.Over() {
		return "pass", nil
	}
	limits := reversi.Limits{Time: g.move, Clock: reversi.Clock{Left: g.left[p.Side]}}
	begin := time.Now()
	c, err := g.player.Choose(ctx, p, limits)
	if err != nil {
		return "", err
	}
	if g.left[p.Side] > 0 {
		g.left[p.Side] = max(time.Millisecond, g.left[p.Side]-time.Since(begin))
	}
	if play {
		g.ponder(ctx, c)
		if err := g.record.Add(c.Square); err != nil {
			return "", err
		}
	}
	return c.Square.String(), nil
}

// time notes how long a side may think.
func (g *gtp) time(command string, words []string) error {
	var numbers []int
	for _, w := range words {
		if n, err := strconv.Atoi(w); err == nil && n >= 0 && n < 1e9 {
			numbers = append(numbers, n)
		}
	}
	switch {
	case command == "time_settings" && len(words) == 3 && len(numbers) == 3:
		g.main, g.move = time.Duration(numbers[0])*time.Second, 0
		if g.main == 0 && numbers[2] > 0 { // Canadian byo-yomi alone: seconds for a number of moves
			g.move = time.Duration(numbers[1]) * time.Second / time.Duration(numbers[2])
		}
		g.left = [2]time.Duration{g.main, g.main}
		return nil
	case command == "time_left" && len(words) == 3 && len(numbers) == 2:
		side, err := board.ParseSide(words[0])
		if err != nil {
			return err
		}
		g.left[side] = max(time.Millisecond, time.Duration(numbers[0])*time.Second)
		return nil
	}
	return errors.New("syntax error (want three whole numbers, or a colour and two)")
}

func (g *gtp) score() string {
	switch score := reversi.ScoreFor(g.record, board.Black); {
	case score > 0:
		return fmt.Sprintf("B+%d", score)
	case score < 0:
		return fmt.Sprintf("W+%d", -score)
	}
	return "0"
}
