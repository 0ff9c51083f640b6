package solve

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve/internal/tablefile"
	"pgregory.net/rapid"
)

// madeUp returns a table whose values follow from their ranks alone, by no rule of the game, so that
// a value at a wrong place shows.
func madeUp(pieces int) *Table {
	values := make([]float64, finkel.Positions(pieces))
	for rank := range values {
		values[rank] = float64(board.Mix(uint64(rank))>>11) / (1<<53 - 1)
	}
	return NewTable(finkel, pieces, values)
}

// valuesOffset is the offset of the values of a .urt with short metadata.
const valuesOffset = 4096

// castagnoli is the table of the checksums.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// widths holds the bytes of a value.
var widths = map[Encoding]int{Compact: 2, Float64: 8, RGUPercent16: 2, RGUFloat32: 4, RGUFloat64: 8}

// encodingsOf lists all encodings.
var encodingsOf = []Encoding{Compact, Float64, RGUPercent16, RGUFloat32, RGUFloat64}

// writeMadeUp writes a made-up table into a folder of the test.
func writeMadeUp(t testing.TB, pieces int, o WriteOptions) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), fmt.Sprintf("table.%s", o.Encoding.Format()))
	testkit.NoError(t, madeUp(pieces).Write(t.Context(), name, o))
	return name
}

// opened opens a table for a test, without its residual.
func opened(t testing.TB, name string) *Table {
	t.Helper()
	f := testkit.Must(openFile(name))(t)
	t.Cleanup(func() { testkit.NoError(t, f.Close()) })
	return f
}

// Every value must come back from every encoding, by rank and by position, as near as
// the encoding says. The rounding of a compact table is too small to matter.
func TestTableFilesKeepTheirValues(t *testing.T) {
	testkit.Near(t, Compact.Rounding(), 0, 1e-5, "the largest error of a compact table")
	for _, encoding := range encodingsOf {
		for _, pieces := range []int{1, 2, 3}[:testkit.Trials(2, 3)] {
			t.Run(fmt.Sprintf("%v,%d", encoding, pieces), func(t *testing.T) {
				f := opened(t, writeMadeUp(t, pieces, WriteOptions{Encoding: encoding}))
				testkit.NoError(t, f.Verify(t.Context(), nil))
				testkit.Equal(t, []any{f.Info().Encoding, f.Pieces(), string(f.Info().Meta)},
					[]any{encoding, pieces, "{}"}, "encoding, pieces and meta data")
				compareTables(t, f, madeUp(pieces), encoding.Rounding())
			})
		}
	}
}

// compareTables compares all values by rank and some of them by position.
func compareTables(t *testing.T, got, want *Table, tolerance float64) {
	t.Helper()
	worst, positions := 0.0, positionsOf(t, finkel, want.Pieces())
	for rank, p := range positions {
		d := math.Abs(got.At(rank) - want.At(rank))
		if worst = max(worst, d); !(d <= tolerance*(1+1e-9)) {
			t.Fatalf("rank %d is worth %v, want %v", rank, got.At(rank), want.At(rank))
		}
		if rank%17 == 0 && (got.Win(p) != got.At(rank) || got.Win(p.Mirror()) != got.At(rank)) {
			t.Fatalf("%v is worth %v, by its rank %v", board.Finkel().FormatPosition(p), got.Win(p), got.At(rank))
		}
	}
	testkit.ErrorIf(t, worst < tolerance/100, "%g is no bound: the largest error is %g", tolerance, worst)
}

// A table answers for every position of games that are not larger, and for larger ones
// when enough pieces are home.
func TestTableFilesKnowSmallerGames(t *testing.T) {
	for _, encoding := range encodingsOf {
		f, two := opened(t, writeMadeUp(t, 2, WriteOptions{Encoding: encoding})), madeUp(2)
		rapid.Check(t, func(t *rapid.T) {
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
			p := board.Finkel().Random(rng, rapid.IntRange(1, board.FinkelPieces).Draw(t, "pieces"))
			if p.Pieces()-min(p.Home(board.Light), p.Home(board.Dark)) > 2 {
				t.Skip()
			}
			testkit.Near(t, f.Win(p), two.Win(p), 1e-5, "%v: %v is worth", encoding, p.Numbers())
		})
		for turn, want := range []float64{1, 0} {
			p := testkit.Must(board.Finkel().FromSquares(2, board.Side(turn), [2]uint32{}, [2]int{2, 0}))(t)
			testkit.Equal(t, f.Win(p), want, "%v: %v is worth", encoding, board.Finkel().FormatPosition(p))
		}
	}
}

// Each byte of a file that changes must be found, and the place told to the block.
func TestVerifyFindsEveryChange(t *testing.T) {
	for _, encoding := range []Encoding{Compact, Float64} {
		name := writeMadeUp(t, 2, WriteOptions{Encoding: encoding, Meta: []byte(`{"author":"somebody"}`)})
		sound := testkit.Must(os.ReadFile(name))(t)
		rng := rand.New(rand.NewPCG(1, uint64(encoding)))
		for i := 0; i < len(sound); i += 1 + i/64*rng.IntN(16) {
			b := bytes.Clone(sound)
			b[i] ^= 1 << rng.IntN(8)
			err := verifyBytes(t, name, b)
			problem := faultOf(err)
			testkit.FatalIf(t, problem.Path != name || problem.Offset < 0 || problem.Offset > int64(len(b)),
				"%v: a change at byte %d gives the error %v", encoding, i, err)
			testkit.ErrorIf(t, i < 8 && problem.Offset != 0 || i >= valuesOffset && i < len(b)-8 &&
				problem.Offset != valuesOffset,
				"%v: a change at byte %d is told to be at %d", encoding, i, problem.Offset)
		}
	}
}

// Whatever byte of the data of a file changes, no value is told that was not written: it
// is no number, and Err says where the file is damaged.
func TestDamagedValuesAreNotTold(t *testing.T) {
	for _, encoding := range []Encoding{Compact, Float64} {
		name := writeMadeUp(t, 2, WriteOptions{Encoding: encoding})
		whole := testkit.Must(os.ReadFile(name))(t)
		sound := opened(t, name)
		begin := valuesOffset
		end := begin + widths[encoding]*finkel.Positions(2)
		for at := begin; at < end; at += (end - begin) / 7 {
			bent := slices.Clone(whole)
			bent[at] ^= 0x10
			damagedName := filepath.Join(t.TempDir(), "damaged.urt")
			testkit.WriteText(t, damagedName, string(bent))
			damaged := opened(t, damagedName)
			testkit.Equal(t, damaged.Err(), nil, "damage before anything is read")
			for rank := range finkel.Positions(2) {
				if v := damaged.At(rank); v == v && v != sound.At(rank) {
					t.Fatalf("%s, byte %d: the value of rank %d is %v, was %v", encoding, at, rank, v, sound.At(rank))
				}
			}
			fault := faultOf(damaged.Err())
			testkit.ErrorIf(t, fault.Path != damagedName || int(fault.Offset) > at,
				"%s, byte %d: damage %v", encoding, at, damaged.Err())
			r := damaged.Reference()
			testkit.ErrorIf(t, r.Err() == nil || r.At(faultyRank(damaged)) == r.At(faultyRank(damaged)),
				"%s, byte %d: its reference hides the damage: %v", encoding, at, r.Err())
			testkit.WantErrorAs[*TableError](t, testkit.ErrorOf(damaged.Certify(t.Context(), 0)), "",
				"%s, byte %d: certify", encoding, at)
			for _, to := range []Encoding{0, RGUFloat64} {
				err := damaged.encodeTo(t.Context(), io.Discard, WriteOptions{Encoding: to})
				testkit.WantErrorAs[*TableError](t, err, "", "%s, byte %d: write as %s", encoding, at, to)
			}
		}
		testkit.NoError(t, sound.Err())
	}
}

// A file that is cut while it is open is damaged. It does not end the process.
func TestOpenFileIsCut(t *testing.T) {
	testkit.SkipIf(t, runtime.GOOS == "windows", "a mapped file cannot be cut")
	name := writeMadeUp(t, 3, WriteOptions{Encoding: Float64})
	f := opened(t, name)
	testkit.NoError(t, os.Truncate(name, valuesOffset))
	fault := faultOf(f.Verify(t.Context(), nil))
	testkit.Equal(t, []any{fault.Path, fault.Offset}, []any{name, int64(valuesOffset)}, "the place of %v", fault)
	testkit.Equal(t, math.IsNaN(f.At(0)), true, "the value is no number")
	testkit.WantErrorAs[*TableError](t, f.Err(), "", "damage")
}

// faultyRank returns the first rank whose value is not a number.
func faultyRank(t *Table) (rank int) {
	for !math.IsNaN(t.At(rank)) {
		rank++
	}
	return rank
}

// faultOf returns an error's [TableError], and for any other error one without a path and with the offset -1.
func faultOf(err error) *TableError {
	if fault, ok := errors.AsType[*TableError](err); ok {
		return fault
	}
	return &TableError{Offset: -1}
}

// verifyBytes writes and verifies a file.
func verifyBytes(t *testing.T, name string, b []byte) error {
	t.Helper()
	testkit.WriteText(t, name, string(b))
	f, err := openFile(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Verify(t.Context(), nil), f.Close())
}

// A file with other than the positions of its game is no table.
func TestOpenCountsPositions(t *testing.T) {
	name := writeMadeUp(t, 2, WriteOptions{Encoding: Compact})
	b := testkit.Must(os.ReadFile(name))(t)
	b[12] = 3 // pieces
	object := b[64 : 64+binary.LittleEndian.Uint32(b[28:])]
	binary.LittleEndian.PutUint32(b[60:], crc32.Update(crc32.Checksum(b[:60], castagnoli), castagnoli, object))
	testkit.WantErrorAs[*TableError](t, verifyBytes(t, name, b), "values (want 263121", "a table of 2 pieces for 3")
}

// A file that was cut off, or to which something was added, is not even opened.
func TestOpenFindsWrongSizes(t *testing.T) {
	for _, encoding := range encodingsOf {
		name := writeMadeUp(t, 1, WriteOptions{Encoding: encoding})
		sound := testkit.Must(os.ReadFile(name))(t)
		for n := 0; n < len(sound); n += 1 + n/16 {
			err := verifyBytes(t, name, sound[:n])
			problem := faultOf(err)
			foreign := (n == 1 || n == 2) && problem.Offset >= 0 // "R" and "RG" may begin anything
			testkit.FatalIf(t, !foreign && (problem.Offset != int64(n) || !strings.Contains(problem.Msg, "truncated")),
				"%v: %d bytes of %d give the error %v", encoding, n, len(sound), err)
		}
		err := verifyBytes(t, name, append(bytes.Clone(sound), 0))
		testkit.Equal(t, faultOf(err).Offset, int64(len(sound)), "%v: the place of a byte too many (%v)", encoding, err)
	}
}

func TestOpenRefusesForeignFiles(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "foreign")
	for _, text := range []string{"hello, world", "\x7fELF", "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 100)} {
		err := verifyBytes(t, name, []byte(text))
		testkit.WantError(t, err, "not a table", "%q", text)
		testkit.Equal(t, faultOf(err).Offset, 0, "the place of the fault of %q", text)
	}
	for _, name := range []string{folder, os.DevNull} {
		testkit.WantError(t, testkit.ErrorOf(openFile(name)), "", "%s is opened as a table", name)
	}
	testkit.WantErrorIs(t, testkit.ErrorOf(openFile(filepath.Join(folder, "none"))), os.ErrNotExist,
		"a file that is not there")
}

// Values that are no probabilities are found behind sound checksums, too.
func TestVerifyFindsUnsoundValues(t *testing.T) {
	for _, encoding := range []Encoding{Float64, RGUFloat32, RGUFloat64} {
		for _, bad := range []float64{math.NaN(), -1, 200, math.Inf(1)} {
			name := writeMadeUp(t, 1, WriteOptions{Encoding: encoding})
			b := testkit.Must(os.ReadFile(name))(t)
			at := int64(len(b)) - int64(widths[encoding])
			switch encoding {
			case Float64:
				at = valuesOffset + 8*5
				binary.LittleEndian.PutUint64(b[at:], math.Float64bits(bad))
				data, sums := b[valuesOffset:len(b)-8], b[len(b)-8:]
				binary.LittleEndian.PutUint32(sums, crc32.Checksum(data, castagnoli))
				binary.LittleEndian.PutUint32(sums[4:], crc32.Checksum(sums[:4], castagnoli))
			case RGUFloat32:
				binary.BigEndian.PutUint32(b[at:], math.Float32bits(float32(bad)))
			default:
				binary.BigEndian.PutUint64(b[at:], math.Float64bits(bad))
			}
			err := verifyBytes(t, name, b)
			testkit.Equal(t, faultOf(err).Offset, at, "%v: the place of %v (%v)", encoding, bad, err)
		}
	}
}

// Opening a pipe would wait for a writer for ever.
func TestOpenTableRejectsPipes(t *testing.T) {
	testkit.WantError(t, testkit.ErrorOf(Open(testkit.Pipe(t), nil)), "not a regular file", "Open")
}

// bigTable returns a compact table of seven pieces: the one that UR_TABLE names, or
// one that is made up.
func bigTable(b *testing.B) (*Table, string) {
	b.Helper()
	testkit.SkipIf(b, testing.Short(), "writes a table of 276 MB")
	name := os.Getenv("UR_TABLE")
	if name == "" {
		name = writeMadeUp(b, board.FinkelPieces, WriteOptions{Encoding: Compact})
	}
	return opened(b, name), name
}

// BenchmarkLookup measures [Table.Win] of a table of seven pieces whose pages are in memory. Warm, 64
// positions are asked again and again. Cold, they come from all parts of the game, so that most values
// come from memory and not from a cache. The next position is not known before the last one is
// answered: it is the time that one look-up takes.
func BenchmarkLookup(b *testing.B) {
	t, _ := bigTable(b)
	for rank := 0; rank < finkel.Positions(t.Pieces()); rank += 4096 / 8 {
		t.At(rank) // a value of every page
	}
	for _, of := range []struct {
		cache     string
		positions int
	}{{"warm", 64}, {"cold", 1 << 20}} {
		rng, positions := rand.New(rand.NewPCG(1, 1)), make([]board.Position, of.positions)
		testkit.Fill(positions, func() board.Position { return board.Finkel().Random(rng, board.FinkelPieces) })
		b.Run("cache="+of.cache, func(b *testing.B) {
			next, lookups := 0, 0
			for b.Loop() {
				for range 64 {
					sign := math.Float64bits(t.Win(positions[next])) >> 63 // 0, but only when it is known
					next = (next + 1 + int(sign)) % len(positions)
				}
				lookups += 64
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(lookups), "ns/lookup")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkOpen measures opening a table of seven pieces, looking one position up and
// closing it.
func BenchmarkOpen(b *testing.B) {
	_, name := bigTable(b)
	start := board.StartPosition(board.FinkelPieces)
	for b.Loop() {
		f := testkit.Must(Open(name, nil))(b)
		f.Win(start)
		testkit.NoError(b, f.Close())
	}
}

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
