package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
)

// An evaluation answers what it has read before it waits for more, and can be
// interrupted while it waits.
func TestEvalAnswersBeforeItWaits(t *testing.T) {
	stdin, typist := io.Pipe()
	reader, stdout := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- Program().Run(ctx, []string{"eval", "brain"}, stdin, stdout, io.Discard) }()

	request, err := json.Marshal(map[string]any{"board": board.StartPosition(7).Numbers(), "roll": 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := typist.Write(append(request, '\n')); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Moves []struct{ Value int32 }
	}
	if err := json.NewDecoder(reader).Decode(&answer); err != nil || len(answer.Moves) != 1 {
		t.Errorf("answer %+v, error %v", answer, err)
	}
	cancel()
	if err := <-done; cli.ExitCode(err) != cli.Interrupted {
		t.Errorf("error %v, want an interruption", err)
	}
}

// playKind returns the kind of players of a name.
func playKind(name string) any {
	kinds := play.Kinds()
	return kinds[slices.IndexFunc(kinds, func(k play.Kind) bool { return k.Name == name })]
}

// learner returns the learner of a name.
func learner(name string) any {
	methods := train.Methods()
	return methods[slices.IndexFunc(methods, func(m train.Method) bool { return m.Name == name })]
}

// Parts that cannot take their place are bad usage of every command.
func TestRefusedParts(t *testing.T) {
	program := Program(engine.Oracle(), nil, playKind("random"), learner("td"))
	var stderr bytes.Buffer
	err := program.Run(t.Context(), []string{"engines"}, nil, io.Discard, &stderr)
	if code := program.Report(&stderr, err); code != cli.BadUsage {
		t.Errorf("exit code %d, error %v", code, err)
	}
	for _, want := range []string{"name \"array16/scalar\" is already registered", "register <nil>: unknown type", "name \"random\" is already registered", "name \"td\" is already registered"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr %q does not say that %s", stderr.String(), want)
		}
	}
	if err := Program().Run(t.Context(), []string{"engines"}, nil, io.Discard, io.Discard); err != nil {
		t.Errorf("without engines: %v", err)
	}
}

func TestEvalRefusesLongLines(t *testing.T) {
	long := strings.Repeat(" ", cli.MaxLine+1)
	var stdout bytes.Buffer
	err := Program().Run(t.Context(), []string{"eval", "brain"}, strings.NewReader(long+"\n\n"+long), &stdout, io.Discard)
	if cli.ExitCode(err) != cli.BadUsage {
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
		{"engines"},
		{"show", "brain"},
		{"version"},
		{"help"},
	} {
		reader, stdout, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reader.Close()
		var stderr bytes.Buffer
		err = Program().Run(t.Context(), args, strings.NewReader("1\n1\n1\n"), stdout, &stderr)
		stdout.Close()
		if code := Program().Report(&stderr, err); code != cli.Failure || !errors.Is(err, syscall.EPIPE) || stderr.Len() > 0 {
			t.Errorf("ur %s: exit code %d, error %v, stderr %q", strings.Join(args, " "), code, err, stderr.String())
		}
	}
}
