package solve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// An Encoding is a file format together with its representation of values.
type Encoding uint8

// The encodings. [Compact] is the smallest, [Float64] keeps every bit, and the
// others are those of RoyalUr's .rgu.
const (
	Compact      Encoding = 1 + iota // .urt, 2 bytes: the probability in steps of 1/65535
	Float64                          // .urt, 8 bytes: the probability in IEEE 754
	RGUPercent16                     // .rgu, 2 bytes: 100 percent in steps of 1/65535
	RGUFloat32                       // .rgu, 4 bytes: percent in IEEE 754
	RGUFloat64                       // .rgu, 8 bytes: percent in IEEE 754
)

const urtFormat, rguFormat = "urt", "rgu"

// encodings holds the differences between encodings.
var encodings = map[Encoding]struct {
	format, values string
	width          int // bytes of a value
	rounding       float64
}{
	Compact:      {urtFormat, "u16", 2, 0.5 / fixedOne},
	Float64:      {urtFormat, "f64", 8, 0},
	RGUPercent16: {rguFormat, "percent16", 2, 0.5 / fixedOne},
	RGUFloat32:   {rguFormat, "f32", 4, 0.01 / (1 << 18)}, // half a step between 64 and 128
	RGUFloat64:   {rguFormat, "f64", 8, 1.0 / (1 << 52)},  // of the way to percent and back
}

// Format returns the format's name and usual extension, "urt" or "rgu".
func (e Encoding) Format() string { return encodings[e].format }

// Values names the form of the values: "u16", "percent16", "f32" or "f64".
func (e Encoding) Values() string { return encodings[e].values }

// Rounding returns the largest difference, in probability, between a value and its encoded
// form: 7.7e-6 for [Compact].
func (e Encoding) Rounding() float64 { return encodings[e].rounding }

// Residual returns the largest possible residual, as measured by [Table.Certify], of a table whose
// values are right to 1e-12 but for rounding. A rounded value moves its own side of the
// equation by the rounding at most, and the best of rounded values the other.
func (e Encoding) Residual() float64 { return 2*e.Rounding() + 1e-12 }

// String returns format and values, as in "urt/u16".
func (e Encoding) String() string { return e.Format() + "/" + e.Values() }

// Info describes a table file. That of a table in memory is empty.
type Info struct {
	Encoding Encoding
	Entries  int   // values in the file; a .rgu has finished games among them
	Bytes    int64 // size of the file

	// Meta is a JSON object with other information about the file, such as its origin. It is
	// kept when a table is written in another encoding. It holds bytes: print it as a string,
	// or unmarshal it.
	Meta json.RawMessage
}

// TableError reports a file that is not the table wanted: it is truncated, corrupted, not a table at
// all, of other rules or of too few pieces.
type TableError struct {
	Path   string // "" of a table in memory
	Offset int64  // of the byte at fault, from the start of the file; -1 when it is no single one
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

// formatError returns a TableError without the path, which openers add.
func formatError(offset int64, format string, args ...any) *TableError {
	return &TableError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

// Open opens a table file of any number of pieces and encoding, recognized by its first bytes. It
// returns a [*TableError] for an invalid file and, unless want is nil, for a table of other rules.
//
// A .urt file is memory-mapped and its header and size are checked, in well under a
// millisecond for Finkel's rules. Each block of 1 MiB of the rest is checked against its checksum
// when a value in it is read for the first time; see [Table.Err]. [Table.Verify] checks all blocks
// at once. A .rgu is read into memory, and because the format has no checksums, all values are
// compared with the rules as by [Table.Certify]: for seven pieces that takes half a minute.
func Open(path string, want *board.Rules) (*Table, error) {
	t, err := open(path)
	if err != nil {
		return nil, err
	}
	e := t.info.Encoding
	switch {
	case want != nil && !t.rules.Equal(want):
		wrong := formatError(-1, "a table of the rules %s (want %s)", t.rules.Name(), want.Name())
		if t.rules.Name() == want.Name() {
			wrong.Msg = fmt.Sprintf("a table of other rules with the name %s (want these rules under a name of their own)", want.Name())
		}
		return nil, errors.Join(withPath(wrong, path), t.Close())
	case e.Format() == rguFormat:
		if residual, _ := t.Certify(context.Background(), 0); !(residual <= e.Residual()) {
			return nil, withPath(formatError(-1, "not a solution: the residual is %.3g (want %.3g at most)", residual, e.Residual()), path)
		}
	}
	return t, nil
}

// open opens a table file without its residual.
func open(path string) (*Table, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case !info.Mode().IsRegular(): // opening a pipe would block until it has a writer
		return nil, fmt.Errorf("%s: not a regular file (want a table file)", path)
	case info.Size() == 0: // systems map no empty file
		return nil, withPath(truncatedHeader(0), path)
	case int64(int(info.Size())) != info.Size():
		return nil, fmt.Errorf("%s: %d bytes are too many to map on this computer", path, info.Size())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, unmap, err := mapFile(f, int(info.Size()))
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: path, Err: err}
	}
	var t *Table
	err = readMapped(0, func() (err error) {
		t, err = openTable(file)
		return err
	})
	if err != nil {
		return nil, errors.Join(withPath(err, path), unmap())
	}
	t.path, t.info.Bytes = path, info.Size()
	if t.info.Encoding.Format() == rguFormat {
		return t, unmap() // its values were copied
	}
	t.unmap, t.store.path = unmap, path
	return t, nil
}

// withPath completes a TableError.
func withPath(err error, path string) error {
	if e, ok := err.(*TableError); ok {
		e.Path = path
	}
	return err
}

// openTable returns the table in a file, by its first bytes.
func openTable(file []byte) (*Table, error) {
	head := file[:min(len(file), len(fileMagic))]
	switch {
	case string(head) == fileMagic:
		return openURT(file)
	case bytes.HasPrefix(head, []byte(rguMagic)):
		return importRGU(file)
	case bytes.HasPrefix([]byte(fileMagic), head):
		return nil, truncatedHeader(int64(len(file)))
	}
	return nil, formatError(0, "not a table: begins with %q (want %q (.urt) or %q (.rgu))", head, fileMagic, rguMagic)
}

// truncatedHeader reports a file that ends in its header.
func truncatedHeader(size int64) error {
	return formatError(size, "truncated: the file ends in the middle of its header")
}

// checkSize compares the size of a file with the size in its header.
func checkSize(got, want int64) error {
	switch {
	case got < want:
		return formatError(got, "truncated: the file ends here (want %d bytes)", want)
	case got > want:
		return formatError(want, "the table ends here, but the file goes on to byte %d", got)
	}
	return nil
}

// WriteOptions select the encoding and description of a written table.
type WriteOptions struct {
	Encoding Encoding // Compact if it is 0

	// Meta is a JSON object of at most 1 MiB for [Info.Meta], {} if it is empty. In a .rgu its
	// members are stored in the header, except value_type and game_settings, which describe the
	// contents of the file.
	Meta json.RawMessage

	// Progress, unless it is nil, is called now and then, one call at a time, with
	// the steps done so far and those there are.
	Progress func(done, total int64)
}

// Write writes the table to a file, whole or not at all; see package safefile. Its memory does not
// depend on the size of the table. It returns the error of ctx when that ends, and an error for a
// value that is not a probability.
func (t *Table) Write(ctx context.Context, name string, o WriteOptions) error {
	return safefile.Write(name, func(w io.Writer) error { return t.encode(ctx, w, o) })
}

// encode writes the table as [Table.Write] does, to anything.
func (t *Table) encode(ctx context.Context, w io.Writer, o WriteOptions) error {
	o.Encoding = cmp.Or(o.Encoding, Compact)
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	if len(o.Meta) > maxMeta {
		return fmt.Errorf("metadata of %d bytes (want at most %d)", len(o.Meta), maxMeta)
	}
	var meta text.Object
	if len(o.Meta) > 0 {
		var err error
		if meta, err = text.ParseObject(o.Meta, "metadata"); err != nil {
			return err
		}
	}
	switch o.Encoding.Format() {
	case urtFormat:
		h, err := newHeader(t.index, t.pieces, o.Encoding, meta)
		if err != nil {
			return err
		}
		return h.write(ctx, w, t, &o)
	case rguFormat:
		if !t.rules.IsFinkel() {
			return fmt.Errorf("a .rgu holds Finkel's rules (want a .urt for %s)", t.rules.Name())
		}
		return exportRGU(ctx, w, t, meta, &o)
	}
	return fmt.Errorf("unknown encoding %d", o.Encoding)
}
