package solve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"runtime/debug"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A .urt file is a dense array of values by [Index.Rank]. All numbers are little-endian:
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
// blocks follow the data so a file can be written in one pass. There are many so they can be
// checked in parallel and damage can be located.
const (
	fileMagic   = "\x89URT\r\n\x1a\n"
	fileVersion = 1 // of Finkel's rules
	rulesFile   = 2 // of other rules
	headerSize  = 64
	headerSum   = 60 // offset of the checksum
	pageSize    = 4096
	blockSize   = 1 << 20
	maxMeta     = 1 << 20
	fixedOne    = 65535 // the probability 1 in fixed point
)

// castagnoli returns the table of checksums, made by the first call.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// header is the beginning of a .urt file.
type header struct {
	index    *Index
	encoding Encoding // Compact or Float64
	pieces   int
	meta     []byte // a JSON object
	info     []byte // the same without the rules
}

// newHeader returns the header of a table, whose meta data get the name or the definition of its
// rules.
func newHeader(x *Index, pieces int, e Encoding, meta text.Object) (*header, error) {
	r := x.rules
	name, err := json.Marshal(r.Name())
	if _, lookup := board.Lookup(r.Name()); err == nil && lookup != nil {
		name, err = json.Marshal(r)
	}
	if err != nil {
		return nil, err
	}
	all := append(text.Object{{Name: rulesMember, Value: name}}, meta.Without(rulesMember)...)
	return &header{index: x, encoding: e, pieces: pieces, meta: all.Encode()}, nil
}

const rulesMember = "rules"

// version returns the version of the file, by its rules.
func (h *header) version() uint32 {
	if h.index.rules.IsFinkel() && h.pieces <= board.FinkelPieces {
		return fileVersion
	}
	return rulesFile
}

// entries returns the number of values.
func (h *header) entries() int { return h.index.Positions(h.pieces) }

// dataOffset returns where the values begin.
func (h *header) dataOffset() int64 {
	return (headerSize + int64(len(h.meta)) + pageSize - 1) / pageSize * pageSize
}

// dataSize returns the bytes of all values.
func (h *header) dataSize() int64 { return int64(h.entries()) * int64(encodings[h.encoding].width) }

// blocks returns the number of blocks of the data; the last may be shorter.
func (h *header) blocks() int { return int((h.dataSize() + blockSize - 1) / blockSize) }

// fileSize returns the bytes of the whole file.
func (h *header) fileSize() int64 {
	return h.dataOffset() + h.dataSize() + 4*int64(h.blocks()) + 4
}

// encode returns the file up to the values.
func (h *header) encode() []byte {
	b := make([]byte, h.dataOffset())
	copy(b, fileMagic)
	le := binary.LittleEndian
	le.PutUint32(b[8:], h.version())
	b[12], b[13] = byte(h.pieces), byte(h.encoding)
	le.PutUint64(b[16:], uint64(h.entries()))
	le.PutUint32(b[24:], blockSize)
	le.PutUint32(b[28:], uint32(len(h.meta)))
	le.PutUint64(b[32:], uint64(h.dataOffset()))
	le.PutUint64(b[40:], uint64(h.fileSize()))
	copy(b[headerSize:], h.meta)
	le.PutUint32(b[headerSum:], headerChecksum(b, h.meta))
	return b
}

// headerChecksum is the checksum of a header.
func headerChecksum(fixed, meta []byte) uint32 {
	return crc32.Update(crc32.Checksum(fixed[:headerSum], castagnoli()), castagnoli(), meta)
}

// readHeader reads and checks the part of a file before the values. size is the size of the file. Its
// errors are a [*TableError] without a path.
func readHeader(file []byte, size int64) (*header, error) {
	if len(file) < headerSize {
		return nil, truncatedHeader(size)
	}
	le := binary.LittleEndian
	meta := file[headerSize:]
	metaSize := int(le.Uint32(file[28:]))
	switch version := le.Uint32(file[8:]); {
	case string(file[:8]) != fileMagic:
		return nil, formatError(0, "not a .urt table: begins with %q (want %q)", file[:8], fileMagic)
	case version != fileVersion && version != rulesFile:
		return nil, formatError(8, "version %d of the format (want %d or %d)", version, fileVersion, rulesFile)
	case metaSize > maxMeta:
		return nil, formatError(28, "corrupted header: %d bytes about the table, at most %d", metaSize, maxMeta)
	case len(meta) < metaSize:
		return nil, truncatedHeader(size)
	}
	h := &header{encoding: Encoding(file[13]), pieces: int(file[12]), meta: bytes.Clone(meta[:metaSize])}
	if got, want := headerChecksum(file, h.meta), le.Uint32(file[headerSum:]); got != want {
		return nil, formatError(headerSum, "corrupted header: its checksum is %08x (want %08x)", got, want)
	}
	if err := h.findIndex(); err != nil {
		return nil, err
	}
	if err := checkSize(size, h.fileSize()); err != nil {
		return nil, err
	}
	want := h.encode() // all that these fields allow
	if len(file) < len(want) {
		return nil, truncatedHeader(size)
	}
	for i, b := range want {
		if file[i] != b {
			return nil, formatError(int64(i), "unsound header: byte %#02x (want %#02x)", file[i], b)
		}
	}
	return h, nil
}

// findIndex finds the index of a header by its essential fields.
func (h *header) findIndex() error {
	switch {
	case h.pieces < 1 || h.pieces > board.MaxPieces:
		return formatError(12, "a table for %d pieces (want 1 to %d)", h.pieces, board.MaxPieces)
	case h.encoding != Compact && h.encoding != Float64:
		return formatError(13, "values of kind %d (want 1 (16-bit fixed point) or 2 (double))", h.encoding)
	}
	meta, err := text.ParseObject(h.meta, "metadata")
	if err != nil {
		return formatError(headerSize, "%v", err)
	}
	h.info = meta.Without(rulesMember).Encode()
	r := board.Finkel()
	if value, ok := meta.Get(rulesMember); ok {
		var name string
		if json.Unmarshal(value, &name) == nil {
			r, err = board.Lookup(name)
		} else {
			r, err = board.Parse(value)
		}
	}
	if err == nil {
		r, err = r.WithPieces(h.pieces)
	}
	if err == nil {
		h.index, err = IndexOf(r)
	}
	if err != nil {
		return formatError(headerSize, "rules of the table: %v", err)
	}
	return nil
}

// store holds the encoded values of a table: in memory, or those of an open .urt file, mapped into
// memory. A block of a file is checked against its checksum when a value in it is read for the
// first time.
type store struct {
	header
	data []byte // the values

	// Of a file:
	path   string
	sums   []byte        // the checksums of the blocks
	sound  []atomic.Bool // the blocks that were checked
	shift  int           // a value's rank shifted by it is its block
	damage atomic.Pointer[TableError]
}

// openURT returns the table in a file. Everything is checked but the data.
func openURT(file []byte) (*Table, error) {
	h, err := readHeader(file, int64(len(file)))
	if err != nil {
		return nil, err
	}
	begin, last := h.dataOffset(), len(file)-4
	end := begin + h.dataSize()
	s := &store{header: *h, data: file[begin:end], sums: file[end:last], sound: make([]atomic.Bool, h.blocks())}
	s.shift = bits.TrailingZeros(uint(blockSize / encodings[h.encoding].width))
	if got, want := checksum(s.sums), binary.LittleEndian.Uint32(file[last:]); got != want {
		return nil, formatError(int64(last), "corrupted: the checksum of the %d bytes before it is %08x (want %08x)", len(s.sums), got, want)
	}
	t := NewTable(h.index, h.pieces, nil)
	t.store, t.info.Encoding, t.info.Entries, t.info.Meta = s, h.encoding, h.entries(), h.info
	return t, nil
}

// checksum returns the CRC-32C of data.
func checksum(data []byte) uint32 { return crc32.Checksum(data, castagnoli()) }

// at returns the value of a rank. A value of a damaged block is not a number, and damage is set.
func (s *store) at(rank int) float64 {
	if s.sound != nil && !s.sound[rank>>s.shift].Load() && !s.checkBlock(rank>>s.shift) {
		return math.NaN()
	}
	if s.encoding == Compact {
		return float64(binary.LittleEndian.Uint16(s.data[2*rank:])) / fixedOne
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(s.data[8*rank:]))
}

// checkBlock verifies a block that is not known to be sound, unless damage was found before, and
// reports whether it is. Several goroutines may check one block at once, with the same result.
func (s *store) checkBlock(block int) bool {
	if s.damage.Load() != nil {
		return false
	}
	if err := s.verifyBlock(block); err != nil {
		s.damage.CompareAndSwap(nil, withPath(err, s.path).(*TableError))
		return false
	}
	s.sound[block].Store(true)
	return true
}

// verifyBlock compares the data of a block with its checksum, and checks that they can be values.
// Its errors are a [*TableError] without a path.
func (s *store) verifyBlock(block int) error {
	begin := block * blockSize
	data := s.data[begin:min(begin+blockSize, len(s.data))]
	offset := s.dataOffset() + int64(begin)
	return readMapped(offset, func() error {
		want := binary.LittleEndian.Uint32(s.sums[4*block:])
		if got := checksum(data); got != want {
			return formatError(offset, "corrupted: the checksum of %d bytes is %08x (want %08x)", len(data), got, want)
		}
		for at := 0; s.encoding == Float64 && at < len(data); at += 8 {
			if v := math.Float64frombits(binary.LittleEndian.Uint64(data[at:])); !isProbability(v) {
				return formatError(offset+int64(at), "unsound: the value is %v (want a probability from 0 to 1)", v)
			}
		}
		return nil
	})
}

// verify checks all blocks.
func (s *store) verify(ctx context.Context, progress func(done, total int64)) error {
	for block := range s.sound {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.verifyBlock(block); err != nil {
			return err
		}
		if progress != nil {
			progress(min(int64(block+1)*blockSize, s.dataSize()), s.dataSize())
		}
	}
	return nil
}

// readMapped calls read, to read a mapped file from an offset on. A page that cannot be read,
// because the disk fails or the file was shortened, is an error, not the end of the process.
func readMapped(offset int64, read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			err = formatError(offset, "cannot be read: %v", fault)
		default:
			panic(fault)
		}
	}()
	return read()
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
	perBlock := blockSize / encodings[h.encoding].width
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
