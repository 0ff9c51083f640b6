package solvecmd

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/solve"
)

// flat is a table in which every position is worth the same, and that tells when it is
// being read.
type flat struct {
	pieces int
	read   func()
}

func (f flat) Index() *solve.Index        { return solve.FinkelIndex() }
func (f flat) Pieces() int                { return f.pieces }
func (f flat) Win(board.Position) float64 { return 0.5 }
func (f flat) Err() error                 { return nil }
func (f flat) At(int) float64 {
	if f.read != nil {
		f.read()
	}
	return 0.5
}

// A conversion that is interrupted leaves nothing, whatever it writes.
func TestTableConvertInterrupted(t *testing.T) {
	folder := t.TempDir()
	in := filepath.Join(folder, "in.urt")
	if err := solve.WriteTable(t.Context(), in, flat{pieces: 4}, solve.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"out.urt", "out.rgu"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var stdout, stderr bytes.Buffer
		err := program.Run(ctx, []string{"table", "convert", in, filepath.Join(folder, out)}, strings.NewReader(""), &stdout, &stderr)
		if code := program.Report(&stderr, err); code != cli.Interrupted || stderr.String() != "ur: interrupted\n" || stdout.Len() > 0 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", out, code, stdout.String(), stderr.String())
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
			t.Errorf("%s: %d files are left, %v", out, len(files), err)
		}
	}
}

// Interrupted in the middle of writing, too, nothing is left.
func TestWriteTableInterrupted(t *testing.T) {
	folder := t.TempDir()
	for _, encoding := range []solve.Encoding{solve.Float64, solve.RGUPercent16} {
		ctx, cancel := context.WithCancel(t.Context())
		table := flat{5, cancel} // the first look-up presses Ctrl-C
		err := solve.WriteTable(ctx, filepath.Join(folder, "out"), table, solve.WriteOptions{Encoding: encoding})
		if code := cli.ExitCode(err); code != cli.Interrupted {
			t.Errorf("%v: exit code %d, error %v", encoding, code, err)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 0 {
			t.Errorf("%v: %d files are left, %v", encoding, len(files), err)
		}
	}
}

// A program may ask for one position after another and wait for each answer.
func TestTableGetAnswersBeforeItWaits(t *testing.T) {
	name := filepath.Join(t.TempDir(), "flat.urt")
	if err := solve.WriteTable(t.Context(), name, flat{pieces: 1}, solve.WriteOptions{Encoding: solve.Float64}); err != nil {
		t.Fatal(err)
	}
	stdin, typist := io.Pipe()
	reader, stdout := io.Pipe()
	done := make(chan error)
	go func() { done <- program.Run(t.Context(), []string{"table", "get", name}, stdin, stdout, io.Discard) }()
	for range 3 {
		line := `{"board":[1` + strings.Repeat(",0", 15) + ",1" + strings.Repeat(",0", 16) + "]}\n"
		if _, err := io.WriteString(typist, line); err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(line, "]}", `],"win":0.5}`, 1)
		got := make([]byte, len(want))
		if _, err := io.ReadFull(reader, got); err != nil || string(got) != want {
			t.Fatalf("answer %q, %v, want %q", got, err, want)
		}
	}
	typist.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
