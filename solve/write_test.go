package solve

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve/internal/tablefile"
)

// A write that fails, for whatever reason, leaves what was there and nothing else.
func TestWriteTableLeavesNothingBehind(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table")
	testkit.WriteText(t, name, "old")
	for cause, test := range map[string]struct {
		ctx   context.Context
		table *Table
		meta  string
	}{
		"a value":        {t.Context(), wrong(math.NaN()), ""},
		"another value":  {t.Context(), wrong(1.001), ""},
		"a context":      {testkit.CanceledContext(), madeUp(2), ""},
		"meta data":      {t.Context(), madeUp(1), "[1]"},
		"much meta data": {t.Context(), madeUp(1), `{"a":"` + strings.Repeat("x", tablefile.MaxMeta) + `"}`},
	} {
		for _, encoding := range encodingsOf {
			err := test.table.Write(test.ctx, name, WriteOptions{encoding, []byte(test.meta), nil})
			testkit.WantError(t, err, "", "%v: %s is no error", encoding, cause)
			testkit.Equal(t, testkit.ReadText(t, name), "old", "%v: %s leaves", encoding, cause)
			files := testkit.Must(os.ReadDir(filepath.Dir(name)))(t)
			testkit.Equal(t, len(files), 1, "%v: %s leaves files", encoding, cause)
		}
	}
	testkit.WantError(t, madeUp(1).Write(t.Context(), name, WriteOptions{Encoding: 77}), "",
		"an unknown encoding is no error")
}

// Where the disk is full the error says so.
func TestWriteTableToFullDisk(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(os.Stat("/dev/full")))
	for _, encoding := range encodingsOf {
		testkit.WantError(t, madeUp(2).Write(t.Context(), "/dev/full", WriteOptions{Encoding: encoding}), "",
			"%v", encoding)
	}
}

// Progress never goes back and ends with everything.
func TestProgressOfTables(t *testing.T) {
	for _, encoding := range encodingsOf {
		var last, all int64
		see := func(done, total int64) {
			testkit.ErrorIf(t, done < last || done > total, "%v: %d of %d after %d", encoding, done, total, last)
			last, all = done, total
		}
		f := opened(t, writeMadeUp(t, 2, WriteOptions{Encoding: encoding, Progress: see}))
		testkit.Equal(t, last == all && all > 0, true, "%v: writing ends at %d of %d", encoding, last, all)
		last, all = 0, 0
		testkit.NoError(t, f.Verify(t.Context(), see))
		testkit.Equal(t, last, all, "%v: verifying ends at", encoding)
		testkit.Equal(t, all == 0, encoding.Format() == "rgu", "%v: there is nothing to verify", encoding)
		err := f.Verify(testkit.CanceledContext(), nil)
		testkit.WantErrorIs(t, err, context.Canceled, "%v: verifying after the end", encoding)
	}
}

// Many goroutines may read and verify at once; the race detector looks on.
func TestReadersAtOnce(t *testing.T) {
	for _, encoding := range encodingsOf {
		f, two := opened(t, writeMadeUp(t, 2, WriteOptions{Encoding: encoding})), madeUp(2)
		var reading sync.WaitGroup
		for range 4 {
			reading.Go(func() {
				for rank := range finkel.Positions(2) {
					if got := f.At(rank); math.Abs(got-two.At(rank)) > 1e-5 {
						t.Errorf("rank %d is worth %v", rank, got)
						return
					}
				}
				testkit.Equal(t, f.Verify(t.Context(), nil), nil, "%v: the error of verifying", encoding)
			})
		}
		reading.Wait()
	}
}

// wrong returns a table with a value that no game has.
func wrong(value float64) *Table {
	t := madeUp(1)
	t.values[99] = value
	return t
}
