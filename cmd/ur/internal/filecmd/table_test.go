package filecmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// program has the commands of this package alone.
var program = cli.Program{Name: "ur", Commands: Commands}

// TestCheckDamagedTables damages tables of every encoding. A damage that "ur check --residual"
// accepts changes nothing, or of a .rgu, which has no checksums, values by less than twice the
// tolerance and the description in the header.
func TestCheckDamagedTables(t *testing.T) {
	for _, encoding := range []solve.Encoding{solve.Compact, solve.Float64, solve.RGUPercent16,
		solve.RGUFloat32, solve.RGUFloat64} {
		for pieces := 1; pieces <= 2; pieces++ {
			t.Run(fmt.Sprintf("%s/pieces=%d", encoding, pieces), func(t *testing.T) {
				testDamagedTable(t, encoding, pieces)
			})
		}
	}
}

func testDamagedTable(t *testing.T, encoding solve.Encoding, pieces int) {
	name := filepath.Join(t.TempDir(), "table."+encoding.Format())
	err := solvetest.Table(t, pieces).Write(t.Context(), name, solve.WriteOptions{
		Encoding: encoding, Meta: json.RawMessage(`{"author":"a test"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	whole := testkit.Must(os.ReadFile(name))(t)
	values, meta := readTable(t, name)
	read := func(file []byte) testkit.Outcome {
		testkit.NoError(t, os.WriteFile(name, file, 0o666))
		var stdout, stderr bytes.Buffer
		err := program.Run(t.Context(), []string{"check", "--residual", name}, strings.NewReader(""), &stdout, &stderr)
		if failed, ok := errors.AsType[*cli.ExitError](err); ok && failed.Code == cli.BadUsage {
			return testkit.Refused
		}
		if err != nil {
			t.Fatal(err)
		}
		got, gotMeta := readTable(t, name)
		difference := 0.0
		for i, v := range got {
			difference = max(difference, math.Abs(v-values[i]))
		}
		switch {
		case len(got) != len(values) || difference > 2*encoding.Residual():
			return testkit.Changed
		case difference == 0 && gotMeta == meta && slices.Equal(got, values):
			return testkit.Same
		case encoding.Format() == "rgu":
			return testkit.Reported
		}
		return testkit.Changed
	}
	testkit.TryDamage(t, encoding.String(), whole, read)
	if encoding.Format() != "rgu" {
		return
	}
	for name, test := range map[string]struct {
		file []byte
		want testkit.Outcome
	}{
		"another author":           {bytes.Replace(whole, []byte("a test"), []byte("a pest"), 1), testkit.Reported},
		"other rules":              {bytes.Replace(whole, []byte("bell"), []byte("ball"), 1), testkit.Refused},
		"rules without their name": {bytes.Replace(whole, []byte("paths"), []byte("patks"), 1), testkit.Refused},
	} {
		if got := read(test.file); got != test.want {
			t.Errorf("%s: outcome %d, want %d", name, got, test.want)
		}
	}
}

// readTable returns the values and the description of a table.
func readTable(t *testing.T, name string) (values []float64, meta string) {
	t.Helper()
	table := testkit.Must(solve.Open(name, board.Finkel()))(t)
	defer table.Close()
	for rank := range table.Index().Positions(table.Pieces()) {
		values = append(values, table.At(rank))
	}
	return values, string(table.Info().Meta)
}

// flat is a table of Finkel's rules in which every position is worth the same.
func flat(t *testing.T, pieces int) *solve.Table {
	t.Helper()
	index := testkit.Must(solve.IndexOf(board.Finkel()))(t)
	return solve.NewTable(index, pieces, slices.Repeat([]float64{0.5}, index.Positions(pieces)))
}

// A conversion that is interrupted leaves nothing, whatever it writes.
func TestTableConvertInterrupted(t *testing.T) {
	folder := t.TempDir()
	in := filepath.Join(folder, "in.urt")
	testkit.NoError(t, flat(t, 4).Write(t.Context(), in, solve.WriteOptions{}))
	for _, out := range []string{"out.urt", "out.rgu"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var stdout, stderr bytes.Buffer
		err := program.Run(ctx, []string{"convert", in, filepath.Join(folder, out)}, strings.NewReader(""),
			&stdout, &stderr)
		if code := program.Report(&stderr, err); code != cli.Interrupted || stderr.String() != "ur: interrupted\n" ||
			stdout.Len() > 0 {
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
		err := flat(t, 5).Write(ctx, filepath.Join(folder, "out"),
			solve.WriteOptions{Encoding: encoding, Progress: func(int64, int64) { cancel() }})
		if code := cli.ExitCode(err); code != cli.Interrupted {
			t.Errorf("%v: exit code %d, error %v", encoding, code, err)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 0 {
			t.Errorf("%v: %d files are left, %v", encoding, len(files), err)
		}
	}
}
