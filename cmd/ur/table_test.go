package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// TestCheckDamagedTables damages tables of every encoding, with -long of more than one size. A damage that
// "ur check --residual" accepts changes nothing, or of a .rgu, which has no checksums, values by less than
// twice the tolerance and the description in the header.
func TestCheckDamagedTables(t *testing.T) {
	for _, encoding := range []solve.Encoding{solve.Compact, solve.Float64, solve.RGUPercent16,
		solve.RGUFloat32, solve.RGUFloat64} {
		for pieces := 1; pieces <= testkit.Trials(1, 2); pieces++ {
			t.Run(fmt.Sprintf("%s/pieces=%d", encoding, pieces), func(t *testing.T) {
				testDamagedTable(t, encoding, pieces)
			})
		}
	}
}

func testDamagedTable(t *testing.T, encoding solve.Encoding, pieces int) {
	name := filepath.Join(t.TempDir(), "table."+encoding.Format())
	options := solve.WriteOptions{Encoding: encoding, Meta: json.RawMessage(`{"author":"a test"}`)}
	testkit.NoError(t, solvetest.Table(t, pieces).Write(t.Context(), name, options))
	whole := testkit.Must(os.ReadFile(name))(t)
	values, meta := readTable(t, name)
	read := func(file []byte) testkit.Outcome {
		testkit.NoError(t, os.WriteFile(name, file, 0o666))
		switch _, stderr, code := runUr(t.Context(), "check", "--residual", name); code {
		case 0:
		case cli.BadUsage:
			return testkit.Refused
		default:
			t.Fatalf("exit code %d: %s", code, stderr)
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
		testkit.Equal(t, read(test.file), test.want, "%s: outcome", name)
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
