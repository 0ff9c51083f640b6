package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// connect returns a player whose program is a function on pipes.
func connect(t *testing.T, run func(in io.Reader, out io.Writer) error) *Program {
	p := NewProgram("other", nil)
	p.start = func() (*process.Lines, error) {
		fromUs, toProgram := io.Pipe()
		fromProgram, toUs := io.Pipe()
		go func() {
			err := run(fromUs, toUs)
			toUs.CloseWithError(err)
			fromUs.Close()
		}()
		return process.NewLines(toProgram, fromProgram), nil
	}
	t.Cleanup(p.Close)
	return p
}

// serveGreedy is the other end of GTP, with greedy as its player.
func serveGreedy(in io.Reader, out io.Writer) error {
	return session().GTP(context.Background(), in, out)
}

// A match against greedy behind a protocol is the match against greedy.
func TestMatchAgainstAProgram(t *testing.T) {
	m := reversi.Match{Players: []string{"random", "greedy"}, Pairs: 20, Seed: 3}
	want := testkit.Must(m.Play(t.Context()))(t)
	m.New = func(player string) (reversi.Player, error) {
		if player == "greedy" {
			return connect(t, serveGreedy), nil
		}
		return reversi.ParsePlayer(player, reversi.Env{})
	}
	got := testkit.Must(m.Play(t.Context()))(t)
	passes := 0
	for i, g := range got.Scores[0].Games {
		testkit.Equal(t, g.Text(), want.Scores[0].Games[i].Text(), "game %d", i)
		if slices.Contains(g.Moves, board.Pass) {
			passes++
		}
	}
	testkit.ErrorIf(t, passes == 0, "no game has a pass")
}

// A program that resigns, ends, hangs or moves illegally loses that game and all discs, and plays on in the next.
func TestForfeits(t *testing.T) {
	before := marginTime
	marginTime = 50 * time.Millisecond
	defer func() { marginTime = before }()
	for reply, want := range map[string]string{
		"= resign\n\n": "the program resigned", "": "unexpected EOF", "= a1\n\n": "illegal move: a1", "...\n": "no answer within",
		"? no\n\n": "genmove white: no", "= pass\n\n": "illegal move",
	} {
		genmoves := 0
		p := connect(t, func(in io.Reader, out io.Writer) error {
			s, lines := session(), bufio.NewScanner(in)
			s.player, _ = s.Player()
			s.record.From = board.StartPosition()
			commands := s.gtpCommands()
			for lines.Scan() {
				id, words := splitLine(lines.Text())
				if words[0] == "genmove" {
					genmoves++
				}
				if genmoves == 5 {
					genmoves++
					if _, err := io.WriteString(out, reply); reply == "" {
						return err
					}
					continue
				}
				text, err := "", error(nil)
				if command, ok := commands[words[0]]; ok {
					text, err = command(t.Context(), words[1:])
				}
				_, _ = io.WriteString(out, formatReply(id, text, err))
			}
			return nil
		})
		var failures []error
		m := reversi.Match{Players: []string{"random", "other"}, Pairs: 2, Seed: 3, Limits: reversi.Limits{Time: time.Second},
			Forfeit: func(err error) { failures = append(failures, err) },
			New: func(player string) (reversi.Player, error) {
				if player == "other" {
					return p, nil
				}
				return reversi.ParsePlayer(player, reversi.Env{})
			}}
		s := testkit.Must(m.Play(t.Context()))(t).Scores[0]
		testkit.Equal(t, s.Forfeits, map[int]int{0: 1}, "forfeits by %q", reply)
		testkit.ErrorIf(t, s.Games[0].End().Over() || !s.Games[1].End().Over() || s.Discs < 64-3*64, "%q: score %+v", reply, s)
		if reply == "= resign\n\n" { // no failure
			testkit.Equal(t, s.ResignedGames(), [2]int64{0, 1}, "resigned games")
			testkit.Equal(t, len(failures), 0, "failures of a program that resigned")
			continue
		}
		testkit.ErrorIf(t, len(failures) != 1 || !strings.Contains(failures[0].Error(), want), "%q: %v (want %s)", reply, failures, want)
	}
}

// scripted answers lines from a list, and notes them.
func scripted(heard *[]string, answer func(line string) string) func(io.Reader, io.Writer) error {
	return func(in io.Reader, out io.Writer) error {
		l := process.NewLines(nil, in)
		for {
			line, err := l.Receive(context.Background())
			if err != nil {
				return err
			}
			*heard = append(*heard, line)
			if _, err := io.WriteString(out, answer(line)); err != nil {
				return err
			}
		}
	}
}

// GTP gets the clock, only the moves it lacks, and all of them after a move taken back.
func TestGTPConversation(t *testing.T) {
	var heard []string
	p := connect(t, scripted(&heard, func(line string) string {
		switch {
		case line == "set_game Othello":
			return "? unknown command\n\n"
		case line == "genmove black" && slices.Contains(heard, "play white c3") && !slices.Contains(heard, "time_settings 0 2 1"):
			return "= C4\n\n"
		case line == "genmove black":
			return "welcome\n= D3\n\n"
		}
		return "=\n\n"
	}))
	p.NewGame(0)
	r := board.Record{From: board.StartPosition()}
	choose := func(l reversi.Limits, want string) {
		t.Helper()
		p.Follow(r)
		c, err := p.Choose(t.Context(), r.End(), l)
		testkit.FatalIf(t, err != nil || c.Square.String() != want, "%v, %v", c.Square, err)
	}
	choose(reversi.Limits{Clock: reversi.Clock{Left: 90500 * time.Millisecond}}, "d3")
	for _, s := range []string{"d3", "c3"} {
		square, _ := board.ParseSquare(s)
		testkit.NoError(t, r.Add(square))
	}
	choose(reversi.Limits{Clock: reversi.Clock{Left: 80 * time.Second}}, "c4")
	r.Moves = r.Moves[:0]
	choose(reversi.Limits{Time: 2 * time.Second}, "d3")
	want := []string{"protocol_version", "set_game Othello", "boardsize 8",
		"clear_board", "time_settings 90 0 0", "time_left black 90 0", "genmove black",
		"play white c3", "time_left black 80 0", "genmove black",
		"clear_board", "time_settings 0 2 1", "genmove black"}
	testkit.Equal(t, heard, want, "sent")
}

// A program that ends, refuses or talks nonsense is an error of the game, and is not asked again.
func TestBrokenPrograms(t *testing.T) {
	for name, c := range map[string]struct{ reply, want string }{
		"refuses":  {"? no\n\n", "protocol_version: no"},
		"resigns":  {"= resign\n\n", "the program resigned"},
		"nonsense": {"= Z9\n\n", `invalid square "z9"`},
	} {
		var heard []string
		p := connect(t, scripted(&heard, func(string) string { return c.reply }))
		p.NewGame(0)
		for range 2 {
			_, err := p.Choose(t.Context(), board.StartPosition(), reversi.Limits{})
			testkit.WantError(t, err, c.want, "%s", name)
		}
	}
	gone := errors.New("exit status 3: out of memory")
	ended := connect(t, func(in io.Reader, _ io.Writer) error {
		_, _ = in.Read(make([]byte, 1))
		return gone
	})
	testkit.WantErrorIs(t, ended.Check(t.Context()), gone, "a program that ended")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	silent := connect(t, func(in io.Reader, _ io.Writer) error { _, err := io.Copy(io.Discard, in); return err })
	testkit.WantErrorIs(t, silent.Check(ctx), context.DeadlineExceeded, "a silent program")
	deaf := connect(t, func(io.Reader, io.Writer) error { time.Sleep(100 * time.Millisecond); return nil })
	testkit.WantErrorIs(t, deaf.Check(ctx), context.DeadlineExceeded, "a program that never reads")
	endless := connect(t, func(in io.Reader, out io.Writer) error {
		go io.Copy(io.Discard, in)
		_, err := io.WriteString(out, strings.Repeat("x", process.MaxLine+1))
		return err
	})
	testkit.WantError(t, endless.Check(t.Context()), "a line is longer than 1048576 bytes", "an endless line")
	var heard []string
	twice := connect(t, scripted(&heard, func(string) string { return "= d3\n\n= d3\n\n" }))
	_, err := twice.Choose(t.Context(), board.StartPosition(), reversi.Limits{})
	testkit.WantError(t, err, `the reply "= d3" came before its command, as a second reply does`, "two replies")
}

// A process is started and ended; its last message is part of the error. One that closes its output
// or hangs is noticed before its end.
func TestProcess(t *testing.T) {
	switch os.Getenv("REVERSI_OPPONENT") {
	case "ends":
		fmt.Fprintln(os.Stderr, "no licence")
		os.Exit(3)
	case "closes":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "hangs":
		for in := bufio.NewScanner(os.Stdin); in.Scan() && in.Text() != "clear_board"; {
			fmt.Print("=\n\n")
		}
		time.Sleep(time.Hour)
	}
	before := marginTime
	marginTime = 50 * time.Millisecond
	defer func() { marginTime = before }()
	for mode, want := range map[string]string{
		"ends": "exit status 3: no licence", "closes": "the program has closed its output", "hangs": "no answer within 70ms",
	} {
		t.Setenv("REVERSI_OPPONENT", mode)
		p := NewProgram("other", []string{os.Args[0], "-test.run=TestProcess"})
		err := p.Check(t.Context())
		if mode == "hangs" && err == nil {
			_, err = p.Choose(t.Context(), board.StartPosition(), reversi.Limits{Time: 20 * time.Millisecond})
		}
		testkit.WantError(t, err, want, "a program that %s", mode)
		p.Close()
	}
}
