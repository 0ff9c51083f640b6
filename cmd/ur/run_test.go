package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
)

// cancelAfter returns a context that ends as if somebody pressed Ctrl-C.
func cancelAfter(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(d, cancel)
	return ctx
}

// An interrupted match must print the games that it finished.
func TestMatchInterrupted(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"match", "first", "random", "--games", "1000000000", "--json"}
	err := run(cancelAfter(t, 100*time.Millisecond), args, strings.NewReader(""), &stdout, &stderr)
	if code := report(&stderr, err); code != exitInterrupted {
		t.Fatalf("exit code %d, want %d: %v", code, exitInterrupted, err)
	}
	var r matchReport
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatalf("%v in %q", err, stdout.String())
	}
	if r.Games == 0 || r.Games == 1000000000 || r.Wins[0]+r.Wins[1] != r.Games {
		t.Errorf("the report is of %d games with wins %v", r.Games, r.Wins)
	}
	if stderr.String() != "ur: interrupted\n" {
		t.Errorf("stderr %q", stderr.String())
	}
}

// A game that is interrupted while it waits for a human must end at once, and leave
// its record.
func TestPlayInterrupted(t *testing.T) {
	silent, _ := io.Pipe() // nobody ever types
	file := filepath.Join(t.TempDir(), "game.txt")
	var stdout, stderr bytes.Buffer
	args := []string{"play", "--light", "first", "--dark", "human", "--seed", "1", "--record", file}
	err := run(cancelAfter(t, 50*time.Millisecond), args, silent, &stdout, &stderr)
	if code := exitCode(err); code != exitInterrupted {
		t.Errorf("exit code %d, want %d: %v", code, exitInterrupted, err)
	}
	record, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(record), "\n1 L 3 in-A2 ") || !strings.HasSuffix(string(record), "\nresult unfinished\n") {
		t.Errorf("record:\n%s", record)
	}
}

// An evaluation answers what it has read before it waits for more, and can be
// interrupted while it waits.
func TestEvalAnswersBeforeItWaits(t *testing.T) {
	stdin, typist := io.Pipe()
	reader, stdout := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- run(ctx, []string{"eval"}, stdin, stdout, io.Discard) }()

	request, err := json.Marshal(map[string]any{"board": board.StartPosition(7).Numbers(), "roll": 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := typist.Write(append(request, '\n')); err != nil {
		t.Fatal(err)
	}
	var answer evalAnswer
	if err := json.NewDecoder(reader).Decode(&answer); err != nil || len(answer.Futures) != 1 {
		t.Errorf("answer %+v, error %v", answer, err)
	}
	cancel()
	if err := <-done; exitCode(err) != exitInterrupted {
		t.Errorf("error %v, want an interruption", err)
	}
}

func TestEvalRefusesLongLines(t *testing.T) {
	long := strings.Repeat(" ", maxLine+1)
	var stdout bytes.Buffer
	err := run(t.Context(), []string{"eval"}, strings.NewReader(long+"\n\n"+long), &stdout, io.Discard)
	if exitCode(err) != exitUsage {
		t.Errorf("error %v, want one of usage", err)
	}
	want := `{"line":1,"error":"the line is longer than 1048576 bytes"}
{"line":3,"error":"the line is longer than 1048576 bytes"}
`
	if stdout.String() != want {
		t.Errorf("output %q, want %q", stdout.String(), want)
	}
}

// A reader of stdout that has gone away is told nothing, and the exit code is 1.
func TestClosedPipe(t *testing.T) {
	for _, args := range [][]string{
		{"play", "--light", "first", "--dark", "first", "--seed", "1"},
		{"play", "--seed", "1"},
		{"match", "first", "random", "--games", "2"},
		{"engines", "list"},
		{"brain", "show"},
		{"version"},
		{"help"},
	} {
		reader, stdout, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reader.Close()
		var stderr bytes.Buffer
		err = run(t.Context(), args, strings.NewReader("1\n1\n1\n"), stdout, &stderr)
		stdout.Close()
		if code := report(&stderr, err); code != exitFailure || !errors.Is(err, syscall.EPIPE) || stderr.Len() > 0 {
			t.Errorf("ur %s: exit code %d, error %v, stderr %q", strings.Join(args, " "), code, err, stderr.String())
		}
	}
}

// Colour must add nothing but colour: without its escape codes the board is the
// plain one.
func TestBoardInColor(t *testing.T) {
	escape := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, p := range engine.EdgePositions() {
		for roll := range board.MaxRoll + 1 {
			moves := p.Moves(nil, roll)
			plain := newGrid(newPalette(false), p, moves).String()
			colored := newGrid(newPalette(true), p, moves).String()
			if escape.MatchString(plain) || !escape.MatchString(colored) || escape.ReplaceAllString(colored, "") != plain {
				t.Fatalf("%s, roll %d:\n%s%s", p, roll, colored, plain)
			}
			checkBoard(t, p, moves, plain)
		}
	}
}

// checkBoard checks that every piece and every move of a position is drawn, in 11
// lines of one width.
func checkBoard(t *testing.T, p board.Position, moves []board.Move, drawn string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(drawn, "\n"), "\n")
	for _, line := range lines[1:] {
		if len(lines) != 11 || len([]rune(line)) != 68 {
			t.Fatalf("%d lines, one of them %d wide:\n%s", len(lines), len([]rune(line)), drawn)
		}
	}
	for side, glyph := range glyphs {
		if n := strings.Count(drawn, glyph); n != p.Pieces() {
			t.Errorf("%s has %d pieces drawn, want %d:\n%s", board.Side(side), n, p.Pieces(), drawn)
		}
	}
	if n := strings.Count(drawn, "✿"); n != 5 {
		t.Errorf("%d rosettes:\n%s", n, drawn)
	}
	for i := range board.MaxMoves {
		number := "(" + string(rune('1'+i)) + ")"
		if got := strings.Count(drawn, number) == 1; got != (i < len(moves)) {
			t.Errorf("%s, %d moves: %s is drawn %d times:\n%s", p, len(moves), number, strings.Count(drawn, number), drawn)
		}
	}
}

// The best hint must be the move that the brain itself makes, for either side.
func TestHintsAgreeWithTheBrain(t *testing.T) {
	brain := play.Brain{Spec: "brain", Weights: ur.DefaultBrain()}
	seat, err := brain.Sit(engine.Oracle())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range engine.EdgePositions() {
		for roll := range board.MaxRoll + 1 {
			turn := &play.Turn{Position: p, Roll: roll, Moves: p.Moves(nil, roll)}
			if len(turn.Moves) == 0 {
				continue
			}
			choice, err := seat.Choose(t.Context(), turn)
			if err != nil {
				t.Fatal(err)
			}
			var drawn strings.Builder
			adviser{brain: brain}.advise(&screen{out: &drawn, paint: newPalette(false)}, turn)
			for i, line := range strings.Split(strings.TrimSpace(drawn.String()), "\n")[1:] {
				if strings.HasSuffix(line, "best") != (i == choice) {
					t.Errorf("%s, roll %d: the brain plays move %d:\n%s", p, roll, choice+1, drawn.String())
				}
			}
		}
	}
}

// A file appears under its name when it is saved, and not before.
func TestSavedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.txt")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	write := func(text string) *savedFile {
		f, err := createFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != "old" {
			t.Fatalf("before it is saved the file is %q, %v", got, err)
		}
		return f
	}
	write("lost").discard()
	if err := write("new").save(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "new" {
		t.Errorf("the file is %q, %v", got, err)
	}
	if files, err := filepath.Glob(name + "*"); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
}

func TestExitCodes(t *testing.T) {
	tests := map[int]error{
		exitDone:         nil,
		exitFailure:      errors.New("failure"),
		exitUsage:        usageError("usage"),
		exitVerification: verificationError("verification"),
		exitInconclusive: inconclusiveError("inconclusive"),
		exitInterrupted:  context.Canceled,
	}
	for want, err := range tests {
		if got := exitCode(err); got != want {
			t.Errorf("%v: exit code %d, want %d", err, got, want)
		}
	}
}
