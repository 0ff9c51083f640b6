package filecmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/solve"
)

// finkelIndex numbers the positions of Finkel's rules.
var finkelIndex = sync.OnceValue(func() *solve.Index {
	index, err := solve.NewIndex(board.Finkel())
	if err != nil {
		panic(err)
	}
	return index
})

// flat is a table in which every position is worth the same, and that tells when it is
// being read.
type flat struct {
	pieces int
	read   func()
}

func (f flat) Index() *solve.Index        { return finkelIndex() }
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
		err := program.Run(ctx, []string{"convert", in, filepath.Join(folder, out)}, strings.NewReader(""), &stdout, &stderr)
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
