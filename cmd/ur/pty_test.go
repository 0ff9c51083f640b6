//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play/session"
)

// terminal is a pseudo-terminal with a program behind it.
type terminal struct {
	t     *testing.T
	file  *os.File
	cmd   *exec.Cmd
	ended chan struct{}

	mutex sync.Mutex
	shown bytes.Buffer // all that was written to it
}

// startTerminal runs "ur" on a terminal, with its cache in a folder.
func startTerminal(t *testing.T, cache string, env []string, args ...string) *terminal {
	t.Helper()
	return startWindow(t, pty.Winsize{Rows: 24, Cols: 80}, cache, env, args...)
}

// startWindow is startTerminal for a window of a size.
func startWindow(t *testing.T, size pty.Winsize, cache string, env []string, args ...string) *terminal {
	t.Helper()
	cmd := exec.Command("ur", args...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "HOME="+cache, "TERM=xterm-256color",
		"NO_COLOR=", "LC_ALL=C.UTF-8")
	cmd.Env = append(cmd.Env, env...)
	testkit.NoError(t, cmd.Err)
	file, err := pty.StartWithSize(cmd, &size)
	testkit.SkipOn(t, err) // there is no pseudo-terminal
	term := &terminal{t: t, file: file, cmd: cmd, ended: make(chan struct{})}
	go term.read()
	t.Cleanup(func() {
		cmd.Process.Kill() //nolint:errcheck // it has ended, or does now
		file.Close()
	})
	return term
}

// read keeps what is written to the terminal, until nobody does any more.
func (term *terminal) read() {
	defer close(term.ended)
	var buf [4096]byte
	for {
		n, err := term.file.Read(buf[:])
		term.mutex.Lock()
		term.shown.Write(buf[:n])
		term.mutex.Unlock()
		if err != nil {
			return
		}
	}
}

// text is what was written so far.
func (term *terminal) text() string {
	term.mutex.Lock()
	defer term.mutex.Unlock()
	return term.shown.String()
}

// until waits for a condition.
func (term *terminal) until(what string, is func() bool) {
	term.t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(10 * time.Millisecond) {
		testkit.FatalIf(term.t, time.Now().After(end), "in vain: %s\n%q", what, term.text())
	}
}

// shows waits for a text.
func (term *terminal) shows(text string) {
	term.t.Helper()
	term.until(text, func() bool { return strings.Contains(term.text(), text) })
}

// types sends keys.
func (term *terminal) types(keys string) {
	term.t.Helper()
	testkit.Must(io.WriteString(term.file, keys))(term.t)
}

// exits waits for the end of the program and checks its exit code, -1 of one that was killed.
func (term *terminal) exits(want int) {
	term.t.Helper()
	done := make(chan error, 1)
	go func() { done <- term.cmd.Wait() }()
	select {
	case err := <-done:
		if _, ended := errors.AsType[*exec.ExitError](err); !ended {
			testkit.NoError(term.t, err)
		}
		testkit.Equal(term.t, term.cmd.ProcessState.ExitCode(), want, "exit code")
	case <-time.After(patience):
		term.t.Fatalf("it does not end:\n%q", term.text())
	}
}

// waiting returns the games that wait in a cache.
func waiting(t *testing.T, cache string) []session.Saved {
	t.Helper()
	return testkit.Must(session.Store{Folder: filepath.Join(cache, "ur", "games")}.List())(t)
}

// turnsKept counts the turns of the game that is being played, by its file.
func turnsKept(cache string) int {
	files, _ := filepath.Glob(filepath.Join(cache, "ur", "games", "*.jsonl"))
	if len(files) != 1 {
		return 0
	}
	text, _ := os.ReadFile(files[0])
	_, rest, _ := strings.Cut(string(text), `"turns":"`)
	moves, _, _ := strings.Cut(rest, `"`)
	return len(strings.Fields(moves))
}

// However a game ends that nobody has finished, it is kept with every move, recorded unless it was
// killed, and can be gone on with.
func TestInterruptedGamesAreKept(t *testing.T) {
	ends := map[string]func(term *terminal){
		"kill":   func(term *terminal) { term.cmd.Process.Kill() },                  //nolint:errcheck // waited for below
		"hangup": func(term *terminal) { term.cmd.Process.Signal(syscall.SIGHUP) },  //nolint:errcheck // the same
		"term":   func(term *terminal) { term.cmd.Process.Signal(syscall.SIGTERM) }, //nolint:errcheck // the same
		"ctrl-c": func(term *terminal) { term.types("\x03") },
		"quit":   func(term *terminal) { term.types("q"); term.shows("Quit?"); term.types("y") },
	}
	codes := map[string]int{"kill": -1, "hangup": 130, "term": 130, "ctrl-c": 130, "quit": 0}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			testkit.SkipIf(t, name == "hangup" && signal.Ignored(syscall.SIGHUP),
				"who runs the test has hangups ignored, as nohup does")
			t.Parallel()
			cache := t.TempDir()
			file := filepath.Join(cache, "game.txt")
			term := startTerminal(t, cache, nil, "play", "--dark", "greedy", "--seed", "7", "--record", file)
			term.shows("your move")
			term.types("1")
			term.until("a kept game", func() bool { return turnsKept(cache) > 1 })
			turns := turnsKept(cache)
			end(term)
			term.exits(codes[name])
			record, _ := os.ReadFile(file) // none of a game that was killed
			testkit.ErrorIf(t, name != "kill" && !strings.HasSuffix(string(record), "\nresult unfinished\n"),
				"record %q", record)
			games := waiting(t, cache)
			testkit.FatalIf(t, len(games) != 1 || len(games[0].Game.Turns) < turns,
				"there are %+v, want one of %d turns", games, turns)
			again := startTerminal(t, cache, nil, "play")
			again.shows("Saved game: human against greedy")
			again.types("\r")
			again.shows("A3-B1") // a move of the second turn
			again.types("u")     // all of it taken back
			again.until("no game kept", func() bool { return turnsKept(cache) == 0 })
			again.types("q")
			again.exits(0)
		})
	}
}

// The terminal is given back as it was, and what comes of the game is said below.
func TestTerminalIsGivenBack(t *testing.T) {
	cache := t.TempDir()
	term := startTerminal(t, cache, nil, "play", "--dark", "first", "--seed", "1", "--record",
		filepath.Join(cache, "game.txt"))
	term.shows("your move")
	term.types("x")
	term.shows("Resign for Light?")
	term.types("yq")
	term.exits(0)
	<-term.ended
	text := term.text()
	on, off := strings.LastIndex(text, "\x1b[?1049h"), strings.LastIndex(text, "\x1b[?1049l")
	testkit.FatalIf(t, on < 0 || off < on, "the screen is left on:\n%q", text[max(0, len(text)-400):])
	testkit.WantText(t, text[off:], "Dark (first) wins after 0 turns: Light resigns. Seed 1.")
	record := testkit.ReadText(t, filepath.Join(cache, "game.txt"))
	testkit.ErrorIf(t, !strings.HasSuffix(record, "\nresult light resigned\n"), "the record is %s", record)
	testkit.Equal(t, len(waiting(t, cache)), 0, "games that wait")
}

// Where a screen cannot be filled, or is not wanted, it is played line by line, and kept all the same.
func TestLineModeOnATerminal(t *testing.T) {
	for name, test := range map[string]struct {
		env  []string
		args []string
		want string
	}{
		"window": {nil, nil, "┌──────┬"},
		"dumb":   {[]string{"TERM=dumb"}, nil, "┌──────┬"},
		"lines":  {nil, []string{"--ui", "lines"}, "┌──────┬"},
		"locale": {[]string{"LC_ALL=C"}, []string{"--ui", "lines"}, "+------+"},
		"reader": {nil, []string{"--ui", "words"}, "Light, you threw 3.\r\n1: a piece enters on A2.\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cache := t.TempDir()
			args := append([]string{"play", "--dark", "greedy", "--seed", "1"}, test.args...)
			size := pty.Winsize{Rows: 24, Cols: 80}
			if name == "window" {
				size = pty.Winsize{Rows: 18, Cols: 60} // too small for the full screen
			}
			term := startWindow(t, size, cache, test.env, args...)
			term.shows(test.want)
			testkit.ErrorIf(t, strings.Contains(term.text(), "\x1b[?1049h"), "the screen is filled")
			term.shows("our move")
			term.types("\r") // the only move
			term.until("a kept game", func() bool { return turnsKept(cache) > 1 })
			term.types("q\r")
			term.shows("Go on with: ur play --resume")
			term.exits(0)
		})
	}
}

// Puzzles fill a terminal, and the score is printed below.
func TestPuzzlesOnATerminal(t *testing.T) {
	term := startTerminal(t, t.TempDir(), nil, "puzzle", "2")
	term.shows("Puzzle 2 (1 of 1)")
	term.types("1")
	term.shows("enter next")
	term.types("q")
	term.exits(0)
	<-term.ended
	_, below, _ := strings.Cut(term.text(), "\x1b[?1049l")
	testkit.WantText(t, below, "of 1 puzzle right")
}

// A binary file is not written to a terminal.
func TestNoBinaryOnATerminal(t *testing.T) {
	folder := t.TempDir()
	table, net := filepath.Join(folder, "one.urt"), filepath.Join(folder, "a.safetensors")
	mustRun(t, "solve", "--pieces", "1", "-o", table)
	train := []string{"train", "td", "--pieces", "2", "--hidden", "4", "--moves", "20", "-o"}
	mustRun(t, append(train, net)...)
	for _, args := range [][]string{
		{"convert", table, "/dev/tty", "--to", "percent16"}, {"convert", net, "/dev/stdout", "--to", "safetensors"},
		append(train, "/dev/tty"), {"bench", "run", "--cpuprofile", "/dev/tty"},
	} {
		term := startTerminal(t, folder, nil, args...)
		term.exits(2)
		<-term.ended
		testkit.WantText(t, term.text(), ": the content is binary, and /dev/", " is a terminal (want a file)")
	}
}

// A command that reads positions from a terminal says so.
func TestPositionsFromTerminal(t *testing.T) {
	t.Parallel()
	term := startTerminal(t, t.TempDir(), nil, "eval", "greedy")
	term.shows("from the terminal; Ctrl-D ends the input")
	term.types("\x04")
	term.exits(2) // no position came
}
