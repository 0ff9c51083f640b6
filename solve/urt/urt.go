// Package urt reads and writes .urt files: a value for every position of a game, by rank.
//
// All numbers are little-endian:
//
//	offset  bytes
//	     0      8  magic 89 "URT" 0D 0A 1A 0A: never in a text file, and
//	               destroyed by a transfer as text (the idea is PNG's)
//	     8      4  version: 1 for Finkel's rules, 2 for others; it stands for the
//	               order of positions, too
//	    12      1  pieces a side, 1 to 7, or 10 in version 2
//	    13      1  values: 1 16-bit fixed point, 2 IEEE 754 double
//	    14      2  zero
//	    16      8  N, number of values
//	    24      4  bytes a block of the data: 1048576
//	    28      4  M, bytes of the JSON object below, 2 to 1048576
//	    32      8  D, offset of the data
//	    40      8  size of the file
//	    48     12  zero
//	    60      4  checksum of bytes 0 to 59 and of the JSON object
//	    64      M  a JSON object: information about the table. Its member "rules" is
//	               the name of a built-in rule set or the definition of another,
//	               and Finkel's without it
//	  64+M         zeros up to D, the next multiple of 4096
//	     D         N values: v/65535 or the double is the probability that the side
//	               to move wins
//	               a checksum of each block of the data, 4 bytes
//	               a checksum of these checksums, 4 bytes
//
// Checksums are CRC-32C (Castagnoli): processors have instructions for it. The checksums of
// blocks follow the data so a file can be written in one pass. Blocks are short so they can be
// checked in parallel and damage can be located.
//
// The format does not depend on the order of positions. Package solve ranks them and opens files
// as tables. A [Checkpoint] is an unfinished file.
package urt

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/solve/internal/tablefile"
)

// Magic is every file's beginning.
const Magic = "\x89URT\r\n\x1a\n"

const (
	finkelVersion = 1
	rulesVersion  = 2 // version for all other rules
	headerSize    = 64
	sumOffset     = 60 // offset of the header's checksum
	pageSize      = 4096
	blockSize     = 1 << 20
	maxEntries    = 1 << 32
	rulesMember   = "rules"
)

// Precision is the representation of values.
type Precision uint8

// The precisions, with their numbers in the file.
const (
	Fixed16 Precision = 1 + iota // 2 bytes: the probability in steps of 1/65535
	Float64                      // 8 bytes: the probability in IEEE 754
)

// String returns "u16" or "f64".
func (f Precision) String() string {
	if f == Fixed16 {
		return "u16"
	}
	return "f64"
}

// width returns the bytes of a value.
func (f Precision) width() int {
	if f == Fixed16 {
		return 2
	}
	return 8
}

// TableHeader describes a file.
type TableHeader struct {
	Rules     *board.Rules // rule set with the number of pieces
	Precision Precision
	Entries   int             // number of values
	Meta      json.RawMessage // a JSON object, without the rules

	object []byte // Meta with the rules
}

// NewHeader returns a header for up to 2^32 values. Meta is a JSON object up to 1 MiB, or empty.
func NewHeader(r *board.Rules, form Precision, entries int, meta json.RawMessage) (*TableHeader, error) {
	o, err := tablefile.ParseMeta(meta)
	if err != nil {
		return nil, err
	}
	name, err := json.Marshal(r.Name())
	if _, unknown := board.Lookup(r.Name()); unknown != nil {
		name, err = json.Marshal(r)
	}
	if err != nil {
		return nil, err
	}
	o = o.Without(rulesMember)
	all := append(text.Object{{Name: rulesMember, Value: name}}, o...)
	return &TableHeader{Rules: r, Precision: form, Entries: entries, Meta: o.Encode(), object: all.Encode()}, nil
}

// version returns the file's version.
func (h *TableHeader) version() uint32 {
	if h.Rules.IsFinkel() && h.Rules.Pieces() <= board.FinkelPieces {
		return finkelVersion
	}
	return rulesVersion
}

// dataOffset returns the offset of the values.
func (h *TableHeader) dataOffset() int64 {
	return (headerSize + int64(len(h.object)) + pageSize - 1) / pageSize * pageSize
}

// dataSize returns the bytes of all values.
func (h *TableHeader) dataSize() int64 { return int64(h.Entries) * int64(h.Precision.width()) }

// blockCount returns the number of blocks; the last may be shorter.
func (h *TableHeader) blockCount() int { return int((h.dataSize() + blockSize - 1) / blockSize) }

// fileSize returns the bytes of the whole file.
func (h *TableHeader) fileSize() int64 {
	return h.dataOffset() + h.dataSize() + 4*int64(h.blockCount()) + 4
}

// encodeStart returns the file up to the values.
func (h *TableHeader) encodeStart() []byte {
	b := make([]byte, h.dataOffset())
	copy(b, Magic)
	le := binary.LittleEndian
	le.PutUint32(b[8:], h.version())
	b[12], b[13] = byte(h.Rules.Pieces()), byte(h.Precision)
	le.PutUint64(b[16:], uint64(h.Entries))
	le.PutUint32(b[24:], blockSize)
	le.PutUint32(b[28:], uint32(len(h.object)))
	le.PutUint64(b[32:], uint64(h.dataOffset()))
	le.PutUint64(b[40:], uint64(h.fileSize()))
	copy(b[headerSize:], h.object)
	le.PutUint32(b[sumOffset:], headerChecksum(b, h.object))
	return b
}

// castagnoli returns the checksum table, made by the first call.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// checksum returns the CRC-32C of data.
func checksum(data []byte) uint32 { return crc32.Checksum(data, castagnoli()) }

// headerChecksum returns the checksum of the fixed fields and the JSON object.
func headerChecksum(fixed, object []byte) uint32 {
	return crc32.Update(checksum(fixed[:sumOffset]), castagnoli(), object)
}

// readHeader reads and checks the part of a file before the values.
func readHeader(file []byte) (*TableHeader, error) {
	if len(file) < headerSize {
		return nil, tablefile.Truncated(len(file))
	}
	le := binary.LittleEndian
	object, n := file[headerSize:], int(le.Uint32(file[28:]))
	switch version := le.Uint32(file[8:]); {
	case string(file[:8]) != Magic:
		return nil, tablefile.Errorf(0, "not a .urt table: begins with %q (want %q)", file[:8], Magic)
	case version != finkelVersion && version != rulesVersion:
		return nil, tablefile.Errorf(8, "version %d of the format (want %d or %d)", version, finkelVersion,
			rulesVersion)
	case n > tablefile.MaxMeta:
		return nil, tablefile.Errorf(28, "corrupted header: %d bytes about the table, at most %d", n, tablefile.MaxMeta)
	case len(object) < n:
		return nil, tablefile.Truncated(len(file))
	}
	h := &TableHeader{Precision: Precision(file[13]), object: bytes.Clone(object[:n])}
	if got, want := headerChecksum(file, h.object), le.Uint32(file[sumOffset:]); got != want {
		return nil, tablefile.Errorf(sumOffset, "corrupted header: its checksum is %08x (want %08x)", got, want)
	}
	switch pieces, entries := int(file[12]), le.Uint64(file[16:]); {
	case pieces < 1 || pieces > board.MaxPieces:
		return nil, tablefile.Errorf(12, "a table for %d pieces (want 1 to %d)", pieces, board.MaxPieces)
	case h.Precision != Fixed16 && h.Precision != Float64:
		return nil, tablefile.Errorf(13, "values of kind %d (want 1 (16-bit fixed point) or 2 (double))", h.Precision)
	case entries > maxEntries:
		return nil, tablefile.Errorf(16, "%d values (want at most %d)", entries, int64(maxEntries))
	default:
		h.Entries = int(entries)
		if err := h.parseObject(pieces); err != nil {
			return nil, tablefile.Errorf(headerSize, "%v", err)
		}
	}
	return h, h.compareStart(file)
}

// compareStart compares a file's beginning, byte by byte, with the only one that the fields allow.
func (h *TableHeader) compareStart(file []byte) error {
	if err := tablefile.CheckSize(int64(len(file)), h.fileSize()); err != nil {
		return err
	}
	for i, b := range h.encodeStart() {
		if file[i] != b {
			return tablefile.Errorf(int64(i), "unsound header: byte %#02x (want %#02x)", file[i], b)
		}
	}
	return nil
}

// parseObject takes the rules and the metadata from the JSON object.
func (h *TableHeader) parseObject(pieces int) error {
	o, err := text.ParseObject(h.object, "metadata")
	if err != nil {
		return err
	}
	h.Meta = o.Without(rulesMember).Encode()
	r := board.Finkel()
	if value, ok := o.Get(rulesMember); ok {
		var name string
		if json.Unmarshal(value, &name) == nil {
			r, err = board.Lookup(name)
		} else {
			r, err = board.Parse(value)
		}
	}
	if err == nil {
		h.Rules, err = r.WithPieces(pieces)
	}
	if err != nil {
		return fmt.Errorf("rules of the table: %w", err)
	}
	return nil
}

// Values holds encoded values by rank: in memory, or those of a file, mapped into memory. A block of
// a file is compared with its checksum when a value in it is read for the first time. Any number
// of goroutines may read values at once.
type Values struct {
	form Precision
	data []byte

	// All others are zero in memory.
	offset int64         // offset of data in the file
	sums   []byte        // checksum of each block
	sound  []atomic.Bool // checked blocks
	shift  int           // block = rank >> shift
	damage atomic.Pointer[tablefile.Error]
}

// NewValues returns n values in memory, all 0.
func NewValues(form Precision, n int) *Values {
	return &Values{form: form, data: make([]byte, n*form.width())}
}

// Read returns the header and the values of a file, which it does not copy. It checks everything but
// the values; see [Values.Verify].
func Read(file []byte) (*TableHeader, *Values, error) {
	h, err := readHeader(file)
	if err != nil {
		return nil, nil, err
	}
	begin, last := h.dataOffset(), len(file)-4
	end := begin + h.dataSize()
	v := &Values{form: h.Precision, data: file[begin:end], offset: begin, sums: file[end:last],
		sound: make([]atomic.Bool, h.blockCount())}
	v.shift = bits.TrailingZeros(uint(blockSize / h.Precision.width()))
	if got, want := checksum(v.sums), binary.LittleEndian.Uint32(file[last:]); got != want {
		return nil, nil, tablefile.Errorf(int64(last),
			"corrupted: the checksum of the %d bytes before it is %08x (want %08x)", len(v.sums), got, want)
	}
	return h, v, nil
}

// Precision returns the representation of the values.
func (v *Values) Precision() Precision { return v.form }

// At returns a rank's value. A value of a damaged block is not a number; see [Values.Err].
func (v *Values) At(rank int) float64 {
	if v.sound != nil && !v.sound[rank>>v.shift].Load() && !v.checkBlock(rank>>v.shift) {
		return math.NaN()
	}
	if v.form == Fixed16 {
		return float64(binary.LittleEndian.Uint16(v.data[2*rank:])) / tablefile.FixedOne
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(v.data[8*rank:]))
}

// Set stores a probability, rounded to the form, in values in memory.
func (v *Values) Set(rank int, p float64) { v.form.appendValue(v.data[:rank*v.form.width()], p) }

// appendValue appends a value to its predecessors.
func (f Precision) appendValue(b []byte, p float64) []byte {
	if f == Fixed16 {
		return binary.LittleEndian.AppendUint16(b, tablefile.RoundToFixed(p))
	}
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(p))
}

// Err returns the first damage found by At, or nil.
func (v *Values) Err() error {
	if damage := v.damage.Load(); damage != nil {
		return damage
	}
	return nil
}

// checkBlock verifies a block that is not known to be sound, unless damage was found before, and
// reports whether it is. Several goroutines may check one block at once, with the same result.
func (v *Values) checkBlock(block int) bool {
	if v.damage.Load() != nil {
		return false
	}
	if damage, ok := errors.AsType[*tablefile.Error](v.verifyBlock(block)); ok {
		v.damage.CompareAndSwap(nil, damage)
		return false
	}
	v.sound[block].Store(true)
	return true
}

// verifyBlock compares a block with its checksum, and checks that its values are probabilities.
func (v *Values) verifyBlock(block int) error {
	begin := block * blockSize
	data := v.data[begin:min(begin+blockSize, len(v.data))]
	offset := v.offset + int64(begin)
	return tablefile.ReadMapped(offset, func() error {
		want := binary.LittleEndian.Uint32(v.sums[4*block:])
		if got := checksum(data); got != want {
			return tablefile.Errorf(offset, "corrupted: the checksum of %d bytes is %08x (want %08x)",
				len(data), got, want)
		}
		for at := 0; v.form == Float64 && at < len(data); at += 8 {
			if p := math.Float64frombits(binary.LittleEndian.Uint64(data[at:])); !tablefile.IsProbability(p) {
				return tablefile.Errorf(offset+int64(at), "unsound: the value is %v (want a probability from 0 to 1)",
					p)
			}
		}
		return nil
	})
}

// Verify checks all blocks and returns the first damage, or the error of ctx. It calls progress,
// unless that is nil, with the checked bytes and their total.
func (v *Values) Verify(ctx context.Context, progress func(done, total int64)) error {
	for block := range v.sound {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := v.verifyBlock(block); err != nil {
			return err
		}
		if progress != nil {
			total := int64(len(v.data))
			progress(min(int64(block+1)*blockSize, total), total)
		}
	}
	return ctx.Err()
}

// hugePage is the size and alignment of writes. A system that caches files in pages as large as its
// writes can map them as huge pages later (Linux 6.16 with ext4, for one), with fewer TLB misses.
const hugePage = 2 << 20

// Write writes a file, one block after another. value returns a rank's probability; another
// number is an error. Write calls progress, unless that is nil, with the written blocks and their
// total, and returns the error of ctx when that ends.
func (h *TableHeader) Write(ctx context.Context, to io.Writer, value func(rank int) float64,
	progress func(done, total int64)) error {
	w := bufio.NewWriterSize(to, hugePage) // no block is larger, so it writes whole pages
	if _, err := w.Write(h.encodeStart()); err != nil {
		return err
	}
	var block, sums []byte
	for number := range h.blockCount() {
		err := ctx.Err()
		if err == nil {
			block, err = h.appendBlock(block[:0], number, value)
		}
		if err != nil {
			return err
		}
		if _, err := w.Write(block); err != nil {
			return err
		}
		sums = binary.LittleEndian.AppendUint32(sums, checksum(block))
		if progress != nil {
			progress(int64(number)+1, int64(h.blockCount()))
		}
	}
	sums = binary.LittleEndian.AppendUint32(sums, checksum(sums))
	if _, err := w.Write(sums); err != nil {
		return err
	}
	return w.Flush()
}

// appendBlock encodes a block's values.
func (h *TableHeader) appendBlock(b []byte, number int, value func(rank int) float64) ([]byte, error) {
	perBlock := blockSize / h.Precision.width()
	for rank := number * perBlock; rank < min((number+1)*perBlock, h.Entries); rank++ {
		p := value(rank)
		if !tablefile.IsProbability(p) {
			return b, fmt.Errorf("the value of position %d is %v (want a probability from 0 to 1)", rank, p)
		}
		b = h.Precision.appendValue(b, p)
	}
	return b, nil
}
