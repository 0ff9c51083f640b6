package solve

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

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

// hugePage is the size and alignment of writes. A system that caches files in pages as large as
// its writes can map them as huge pages later (Linux 6.16 with ext4, for one), and look-ups
// then miss the TLB less often.
const hugePage = 2 << 20

// write writes a .urt file, one block after another.
func (h *header) write(ctx context.Context, to io.Writer, t *Table, o *WriteOptions) error {
	w := bufio.NewWriterSize(to, hugePage) // no block is larger, so it writes whole pages
	if _, err := w.Write(h.encode()); err != nil {
		return err
	}
	var block, sums []byte
	for number := range h.blocks() {
		err := ctx.Err()
		if err == nil {
			block, err = h.appendBlock(block[:0], t, number)
		}
		if err := cmp.Or(t.Err(), err); err != nil {
			return err
		}
		if _, err := w.Write(block); err != nil {
			return err
		}
		sums = binary.LittleEndian.AppendUint32(sums, checksum(block))
		o.Progress(int64(number)+1, int64(h.blocks()))
	}
	sums = binary.LittleEndian.AppendUint32(sums, checksum(sums))
	if _, err := w.Write(sums); err != nil {
		return err
	}
	return w.Flush()
}

// appendBlock encodes the values of a block.
func (h *header) appendBlock(b []byte, t *Table, number int) ([]byte, error) {
	perBlock := blockSize / h.encoding.bytesPerValue()
	for rank := number * perBlock; rank < min((number+1)*perBlock, h.entries()); rank++ {
		switch v := t.At(rank); {
		case !isProbability(v):
			return b, valueError(v, rank)
		case h.encoding == Compact:
			b = binary.LittleEndian.AppendUint16(b, fixed16(v))
		default:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b, nil
}

// valueError reports a value that cannot be written.
func valueError(v float64, rank int) error {
	return fmt.Errorf("the value of position %d is %v (want a probability from 0 to 1)", rank, v)
}

// isProbability is false for not-a-number, too.
func isProbability(v float64) bool { return v >= 0 && v <= 1 }

// fixed16 rounds a probability to fixed point, to the nearest.
func fixed16(v float64) uint16 { return uint16(float64(v*fixedOne) + 0.5) }
