package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// gtpClock is the time of a game of GTP.
type gtpClock struct {
	main time.Duration    // time for each side's game; 0 for none
	left [2]time.Duration // each side's time left; 0 if unknown
	move time.Duration    // time for each move; 0 for no limit
}

// splitLine returns a line's identifier, "" for none, and its words, the command first.
func splitLine(line string) (id string, words []string) {
	line, _, _ = strings.Cut(line, "#")
	words = strings.Fields(strings.Map(printable, line))
	if len(words) > 0 {
		if _, err := strconv.Atoi(words[0]); err == nil {
			return words[0], words[1:]
		}
	}
	return "", words
}

// formatReply returns the reply with a text, or with an error on one line.
func formatReply(id, text string, err error) string {
	if err != nil {
		return "?" + id + " " + strings.ReplaceAll(err.Error(), "\n", " ") + "\n\n"
	}
	return "=" + id + " " + text + "\n\n"
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

func (s *Session) gtpCommands() map[string]command {
	clock := new(gtpClock)
	commands := map[string]command{
		"protocol_version": constant("2"), "name": constant(s.Name), "version": constant("1"),
		"komi": constant(""), // Othello has none
		"quit": func(context.Context, []string) (string, error) { return "", errQuit },
		"boardsize": func(_ context.Context, words []string) (string, error) {
			if len(words) != 1 || words[0] != "8" {
				return "", errors.New("unacceptable size")
			}
			return "", nil
		},
		"set_game": func(_ context.Context, words []string) (string, error) {
			if name := strings.ToLower(strings.Join(words, " ")); name != "othello" && name != "reversi" {
				return "", errors.New("unsupported game")
			}
			return "", nil
		},
		"clear_board": func(context.Context, []string) (string, error) {
			s.begin(board.StartPosition(), clock)
			return "", nil
		},
		"setboard": func(_ context.Context, words []string) (string, error) { // of our own: GTP has no such command
			if len(words) != 2 {
				return "", errors.New("syntax error (want 64 squares of X, O and -, and the side to move)")
			}
			p, err := board.ParsePosition(words[0], words[1])
			if err == nil {
				s.begin(p, clock)
			}
			return "", err
		},
		"showboard": func(context.Context, []string) (string, error) { return "\n" + show(s.record.End()), nil },
		"undo":      func(context.Context, []string) (string, error) { return "", s.undo() },
		"play": func(_ context.Context, words []string) (string, error) {
			if len(words) != 2 {
				return "", errors.New("syntax error (want a colour and a square)")
			}
			side, err := board.ParseSide(words[0])
			if err != nil {
				return "", err
			}
			move, err := board.ParseSquare(words[1])
			if err != nil {
				return "", fmt.Errorf("syntax error: %w", err)
			}
			return "", s.play(side, move)
		},
		"genmove": func(ctx context.Context, words []string) (string, error) { return s.generate(ctx, words, clock, true) },
		"reg_genmove": func(ctx context.Context, words []string) (string, error) { // leaves the game and the clocks as they are
			left := clock.left
			defer func() { clock.left = left }()
			return s.generate(ctx, words, clock, false)
		},
		"time_settings": clock.settings,
		"time_left":     clock.note,
		"final_score":   func(context.Context, []string) (string, error) { return s.finalScore() },
	}
	commands["known_command"] = func(_ context.Context, words []string) (string, error) {
		return strconv.FormatBool(len(words) == 1 && commands[words[0]] != nil), nil
	}
	commands["list_commands"] = func(context.Context, []string) (string, error) {
		return strings.Join(slices.Sorted(maps.Keys(commands)), "\n"), nil
	}
	return commands
}

// begin begins a game with a position and full clocks.
func (s *Session) begin(p board.Position, clock *gtpClock) {
	s.record, s.marks = board.Record{From: p}, nil
	clock.left = [2]time.Duration{clock.main, clock.main}
	s.player.NewGame(0)
}

// finalScore returns the score of the finished game, as "B+10", "W+10" or "0".
func (s *Session) finalScore() (string, error) {
	score := reversi.ScoreFor(s.record, board.Black)
	switch {
	case !s.record.End().Over():
		return "", errors.New("cannot score: the game is not over")
	case score > 0:
		return fmt.Sprintf("B+%d", score), nil
	case score < 0:
		return fmt.Sprintf("W+%d", -score), nil
	}
	return "0", nil
}

// generate lets the player move; play adds the move to the game.
func (s *Session) generate(ctx context.Context, words []string, clock *gtpClock, play bool) (string, error) {
	if len(words) != 1 {
		return "", errors.New("syntax error (want a colour)")
	}
	before := len(s.record.Moves)
	side, err := board.ParseSide(words[0])
	if err == nil {
		err = s.toMove(side)
	}
	if err != nil {
		return "", err
	}
	at := s.record.End()
	if at.Over() {
		return "pass", nil
	}
	begin := time.Now()
	c, err := s.player.Choose(ctx, at, reversi.Limits{Time: clock.move, Clock: reversi.Clock{Left: clock.left[side]}})
	if err == nil && play {
		err = s.record.Add(c.Square)
	}
	if err != nil || !play {
		s.record.Moves = s.record.Moves[:before]
	} else if s.marks = append(s.marks, before); s.Ponder {
		reversi.Ponder(ctx, s.player, at, c)
	}
	if clock.left[side] > 0 {
		clock.left[side] = max(time.Millisecond, clock.left[side]-time.Since(begin))
	}
	return c.Square.String(), err
}

// settings notes how long the sides may think.
func (c *gtpClock) settings(_ context.Context, words []string) (string, error) {
	n := wholeNumbers(words)
	if len(n) != 3 {
		return "", errors.New("syntax error (want three whole numbers)")
	}
	c.main, c.move = time.Duration(n[0])*time.Second, 0
	if c.main == 0 && n[2] > 0 { // Canadian byo-yomi alone: seconds for a number of moves
		c.move = time.Duration(n[1]) * time.Second / time.Duration(n[2])
	}
	c.left = [2]time.Duration{c.main, c.main}
	return "", nil
}

// note notes the time that a side has left.
func (c *gtpClock) note(_ context.Context, words []string) (string, error) {
	n := wholeNumbers(words[min(1, len(words)):])
	if len(n) != 2 {
		return "", errors.New("syntax error (want a colour and two whole numbers)")
	}
	side, err := board.ParseSide(words[0])
	if err == nil {
		c.left[side] = max(time.Millisecond, time.Duration(n[0])*time.Second)
	}
	return "", err
}

// wholeNumbers reads words that are all numbers from 0 to a billion; otherwise it returns none.
func wholeNumbers(words []string) (list []int) {
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 || n >= 1e9 {
			return nil
		}
		list = append(list, n)
	}
	return list
}

// show draws the board.
func show(p board.Position) string {
	var text strings.Builder
	text.WriteString("  A B C D E F G H\n")
	squares := strings.Split(p.Text(), "")
	for row := range 8 {
		fmt.Fprintf(&text, "%d %s\n", row+1, strings.Join(squares[8*row:8*row+8], " "))
	}
	if p.Over() {
		return text.String() + "the game is over: " + p.Verdict()
	}
	return text.String() + p.Side.Name() + " to move"
}

// gtp is a program's end of GTP. The program keeps the game, and gets only the moves it lacks.
type gtp struct {
	*process.Lines
	known []board.Square // moves the program has
}

// begin asks for the version, and selects the game of a program that knows several.
func (g *gtp) begin(ctx context.Context) error {
	if _, err := g.command(ctx, "protocol_version"); err != nil {
		return err
	}
	return g.optional(ctx, "set_game Othello", "boardsize 8")
}

// refusal is an error reply.
type refusal struct{ command, text string }

func (r refusal) Error() string { return fmt.Sprintf("%s: %s", r.command, r.text) }

// isReply reports whether a line is the first of a reply.
func isReply(line string) bool { return strings.HasPrefix(line, "=") || strings.HasPrefix(line, "?") }

// command sends a command and returns the reply's text. Other lines before the reply are skipped.
func (g *gtp) command(ctx context.Context, text string) (string, error) {
	for line, ok := g.Unread(); ok; line, ok = g.Unread() {
		if isReply(line) {
			return "", fmt.Errorf("the reply %.40q came before its command, as a second reply does (want one reply to each command)", line)
		}
	}
	err := g.Send(ctx, text)
	reply := ""
	for err == nil && !isReply(reply) {
		reply, err = g.Receive(ctx)
	}
	for more := ""; err == nil; {
		if more, err = g.Receive(ctx); strings.TrimSpace(more) == "" {
			break
		}
		reply += "\n" + more
	}
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("a line is longer than %d bytes", process.MaxLine)
	}
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(reply, "?") {
		return "", refusal{text, strings.TrimSpace(reply[1:])}
	}
	return strings.TrimSpace(reply[1:]), nil
}

// optional sends commands that a program may refuse.
func (g *gtp) optional(ctx context.Context, texts ...string) error {
	for _, text := range texts {
		if _, err := g.command(ctx, text); err != nil && !errors.As(err, new(refusal)) {
			return err
		}
	}
	return nil
}

// choose brings the program to the end of the record, and lets it move.
func (g *gtp) choose(ctx context.Context, fresh bool, r board.Record, l reversi.Limits) (board.Square, error) {
	if r.From != board.StartPosition() {
		return board.None, errors.New("GTP cannot set up positions")
	}
	if err := g.follow(ctx, fresh, r, l); err != nil {
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
	if strings.EqualFold(reply, "resign") {
		return board.None, reversi.ErrResigned
	}
	s, err := board.ParseSquare(strings.ToLower(reply))
	if err == nil {
		g.known = append(g.known, s)
	}
	return s, err
}

// follow sends the moves the program lacks: all of them in a fresh game, or after a move taken back.
// GTP counts whole seconds of time: less is left to the program's own settings.
func (g *gtp) follow(ctx context.Context, fresh bool, r board.Record, l reversi.Limits) error {
	if fresh || len(g.known) > len(r.Moves) || !slices.Equal(g.known, r.Moves[:len(g.known)]) {
		if _, err := g.command(ctx, "clear_board"); err != nil {
			return err
		}
		var err error
		switch left := l.Clock.Left; {
		case left >= time.Second:
			err = g.optional(ctx, fmt.Sprintf("time_settings %d 0 0", left/time.Second))
		case l.Time >= time.Second:
			err = g.optional(ctx, fmt.Sprintf("time_settings 0 %d 1", l.Time/time.Second))
		}
		if err != nil {
			return err
		}
		g.known = g.known[:0]
	}
	for i, s := range r.Moves[len(g.known):] {
		side := r.From.Side ^ board.Side((len(g.known)+i)&1)
		if _, err := g.command(ctx, fmt.Sprintf("play %s %s", side.Name(), s)); err != nil {
			return err
		}
	}
	g.known = append(g.known, r.Moves[len(g.known):]...)
	return nil
}
