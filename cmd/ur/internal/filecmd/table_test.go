package filecmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/solve"
)

// flat is a table of Finkel's rules in which every position is worth the same.
func flat(t *testing.T, pieces int) *solve.Table {
	t.Helper()
	index, err := solve.IndexOf(board.Finkel())
	if err != nil {
		t.Fatal(err)
	}
	return solve.NewTable(index, slices.Repeat([]float64{0.5}, index.Positions(pieces)))
}

// A conversion that is interrupted leaves nothing, whatever it writes.
func TestTableConvertInterrupted(t *testing.T) {
	folder := t.TempDir()
	in := filepath.Join(folder, "in.urt")
	if err := flat(t, 4).Write(t.Context(), in, solve.WriteOptions{}); err != nil {
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
		// The first report presses Ctrl-C.
		err := flat(t, 5).Write(ctx, filepath.Join(folder, "out"), solve.WriteOptions{Encoding: encoding, Progress: func(int64, int64) { cancel() }})
		if code := cli.ExitCode(err); code != cli.Interrupted {
			t.Errorf("%v: exit code %d, error %v", encoding, code, err)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 0 {
			t.Errorf("%v: %d files are left, %v", encoding, len(files), err)
		}
	}
}
