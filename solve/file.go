package solve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/solve/internal/tablefile"
	"github.com/seed-09dcdc84/ur/solve/rgu"
	"github.com/seed-09dcdc84/ur/solve/urt"
)

// An Encoding is a file format together with how it represents values.
type Encoding uint8

// The encodings. [Compact] is the smallest, [Float64] keeps every bit, the others are RoyalUr's.
const (
	Compact      Encoding = 1 + iota // .urt, 2 bytes: the probability in steps of 1/65535
	Float64                          // .urt, 8 bytes: the probability in IEEE 754
	RGUPercent16                     // .rgu, 2 bytes: 100 percent in steps of 1/65535
	RGUFloat32                       // .rgu, 4 bytes: percent in IEEE 754
	RGUFloat64                       // .rgu, 8 bytes: percent in IEEE 754
)

// encodings holds the differences between encodings.
var encodings = map[Encoding]struct {
	format   string
	form     fmt.Stringer // urt.Precision or rgu.ValueType
	rounding float64
}{
	Compact:      {"urt", urt.Fixed16, 0.5 / tablefile.FixedOne},
	Float64:      {"urt", urt.Float64, 0},
	RGUPercent16: {"rgu", rgu.Percent16, 0.5 / tablefile.FixedOne},
	RGUFloat32:   {"rgu", rgu.Float32, 0.01 / (1 << 18)}, // half a step between 64 and 128
	RGUFloat64:   {"rgu", rgu.Float64, 1.0 / (1 << 52)},  // the error of conversion to percent and back
}

// Format returns the format's name and usual extension, "urt" or "rgu".
func (e Encoding) Format() string { return encodings[e].format }

// Values names the values' form: "u16", "percent16", "f32" or "f64".
func (e Encoding) Values() string { return encodings[e].form.String() }

// Rounding returns the largest error of an encoded value, in probability: 7.7e-6 for [Compact].
func (e Encoding) Rounding() float64 { return encodings[e].rounding }

// Residual returns the largest possible residual, as measured by [Table.Certify], of a table whose
// values are right to 1e-12 but for rounding. A rounded value moves its own side in the
// equation by the rounding at most, and the best among rounded values the other.
func (e Encoding) Residual() float64 { return 2*e.Rounding() + 1e-12 }

// Solves reports whether the values of a solution in another encoding, written in this one, are within its
// [Encoding.Residual]. In a finer one they are not.
func (e Encoding) Solves(from Encoding) bool { return 2*from.Rounding() <= e.Residual() }

// String returns format and values, as in "urt/u16".
func (e Encoding) String() string { return e.Format() + "/" + e.Values() }

// Info describes a table file. For a table in memory it is empty.
type Info struct {
	Encoding Encoding
	Entries  int   // values in the file; a .rgu has finished games among them
	Bytes    int64 // size of the file

	// Meta is a JSON object with other information about the file, such as its origin. It is
	// kept when a table is written in another encoding. It holds bytes: print it as a string.
	Meta json.RawMessage
}

// TableError reports a file that is not the table wanted: it is truncated, corrupted, not a table at
// all, for other rules or for too few pieces.
type TableError struct {
	Path   string // "" of a table in memory
	Offset int64  // faulty byte, from the start of the file; -1 when there is no single one
	Msg    string
}

// Error implements error.
func (e *TableError) Error() string {
	path := cmp.Or(e.Path, "the table")
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %s", path, e.Msg)
	}
	return fmt.Sprintf("%s: at byte %d: %s", path, e.Offset, e.Msg)
}

// Open opens a table file with any number of pieces and encoding, recognized by its first bytes. It
// returns a [*TableError] for an invalid file and, unless want is nil, for a table under other rules.
//
// A .urt file is memory-mapped and its header and size are checked, in well under a
// millisecond for Finkel's rules. Each further block (1 MiB) is checked against its checksum
// when a value in it is read for the first time; see [Table.Err]. [Table.Verify] checks all blocks
// at once. A .rgu is read into memory, and because the format has no checksums, all values are
// compared with the rules as by [Table.Certify]: for seven pieces that takes half a minute.
func Open(path string, want *board.Rules) (*Table, error) {
	t, err := openFile(path)
	if err != nil {
		return nil, err
	}
	e := t.info.Encoding
	switch {
	case want != nil && !t.rules.Equal(want):
		msg := fmt.Sprintf("a table of the rules %s (want %s)", t.rules.Name(), want.Name())
		if t.rules.Name() == want.Name() {
			msg = fmt.Sprintf("a table of other rules with the name %s (want these rules under a name of their own)",
				want.Name())
		}
		return nil, errors.Join(&TableError{path, -1, msg}, t.Close())
	case e.Format() == "rgu":
		if residual, _ := t.Certify(context.Background(), 0); !(residual <= e.Residual()) {
			return nil, &TableError{path, -1,
				fmt.Sprintf("not a solution: the residual is %.3g (want %.3g at most)", residual, e.Residual())}
		}
	}
	return t, nil
}

// openFile opens a table file without its residual.
func openFile(path string) (*Table, error) {
	file, unmap, err := tablefile.Map(path)
	if err != nil {
		return nil, withPath(err, path)
	}
	var t *Table
	err = tablefile.ReadMapped(0, func() (err error) {
		t, err = readTable(file)
		return err
	})
	if err != nil {
		return nil, errors.Join(withPath(err, path), unmap())
	}
	t.path, t.info.Bytes = path, int64(len(file))
	if t.info.Encoding.Format() == "rgu" {
		return t, unmap() // its values were copied
	}
	t.unmap = unmap
	return t, nil
}

// withPath completes an error from the formats to a TableError.
func withPath(err error, path string) error {
	if e, ok := errors.AsType[*tablefile.Error](err); ok {
		return &TableError{path, e.Offset, e.Msg}
	}
	return err
}

// readTable returns the table in a file, by its first bytes.
func readTable(file []byte) (*Table, error) {
	head := file[:min(len(file), len(urt.Magic))]
	switch {
	case string(head) == urt.Magic:
		return readURT(file)
	case bytes.HasPrefix(head, []byte(rgu.Magic)):
		return readRGU(file)
	case bytes.HasPrefix([]byte(urt.Magic), head):
		return nil, tablefile.Truncated(len(file))
	}
	return nil, tablefile.Errorf(0, "not a table: begins with %q (want %q (.urt) or %q (.rgu))", head,
		urt.Magic, rgu.Magic)
}

// readURT returns the table in a .urt file, which must stay mapped.
func readURT(file []byte) (*Table, error) {
	h, values, err := urt.Read(file)
	if err != nil {
		return nil, err
	}
	x, err := IndexOf(h.Rules)
	if err != nil {
		return nil, tablefile.Errorf(-1, "rules of the table: %v", err)
	}
	t := NewTable(x, h.Rules.Pieces(), nil)
	if want := x.Positions(t.pieces); h.Entries != want {
		return nil, tablefile.Errorf(-1, "%d values (want %d, the positions of the game)", h.Entries, want)
	}
	t.file, t.info = values, Info{Encoding: Encoding(h.Precision), Entries: h.Entries, Meta: h.Meta}
	return t, nil
}

// readRGU returns a table with a copy of the values in a .rgu file.
func readRGU(file []byte) (*Table, error) {
	h, err := rgu.ReadHeader(file)
	if err != nil {
		return nil, err
	}
	x, err := IndexOf(board.Finkel())
	if err != nil {
		return nil, err
	}
	t := NewTable(x, h.Pieces, nil)
	t.info = Info{Encoding: RGUPercent16 + Encoding(h.ValueType-rgu.Percent16), Entries: h.Entries, Meta: h.Meta}
	var set func(rank int, win float64)
	if n := x.Positions(h.Pieces); h.ValueType == rgu.Percent16 {
		t.file = urt.NewValues(urt.Fixed16, n) // the same steps
		set = t.file.Set
	} else {
		t.values = make([]float64, n)
		set = func(rank int, win float64) { t.values[rank] = win }
	}
	return t, h.ReadValues(file, func(at rgu.Entry, win float64) { set(x.entryRank(at), win) })
}

// entryRank returns the rank for an unfinished game in a .rgu file.
func (x *Index) entryRank(at rgu.Entry) int {
	return int(x.rankOf(layer{at.OwnLeft, at.OppLeft}, x.rowOf(at.Own), x.flip(x.rowOf(at.Opp))))
}

// WriteOptions select a written table's encoding and description.
type WriteOptions struct {
	Encoding Encoding // Compact if it is 0

	// Meta is a JSON object, at most 1 MiB, for [Info.Meta], {} if it is empty. The header of a
	// .rgu stores its members, except value_type and game_settings: they describe the file.
	Meta json.RawMessage

	// Progress, unless it is nil, is called now and then, one call at a time, with
	// the steps done so far and those there are.
	Progress func(done, total int64)
}

// Write writes the table to a file, whole or not at all, in a memory that does not depend on its
// size. It returns ctx's error when that ends, and an error for a value that is no probability.
func (t *Table) Write(ctx context.Context, name string, o WriteOptions) error {
	return safefile.Write(name, func(w io.Writer) error { return t.encodeTo(ctx, w, o) })
}

// encodeTo writes the table as [Table.Write] does, to anything.
func (t *Table) encodeTo(ctx context.Context, w io.Writer, o WriteOptions) (err error) {
	switch form := encodings[cmp.Or(o.Encoding, Compact)].form.(type) {
	case urt.Precision:
		var h *urt.TableHeader
		if h, err = urt.NewHeader(t.rules, form, t.index.Positions(t.pieces), o.Meta); err == nil {
			err = h.Write(ctx, w, t.At, o.Progress)
		}
	case rgu.ValueType:
		if !t.rules.IsFinkel() {
			return fmt.Errorf("a .rgu holds Finkel's rules (want a .urt for %s)", t.rules.Name())
		}
		var h *rgu.MapHeader
		if h, err = rgu.NewHeader(form, t.pieces, o.Meta); err == nil {
			err = h.Write(ctx, w, func(at rgu.Entry) float64 { return t.At(t.index.entryRank(at)) }, o.Progress)
		}
	default:
		return fmt.Errorf("unknown encoding %d", o.Encoding)
	}
	return cmp.Or(t.Err(), err)
}
