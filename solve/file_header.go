package solve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"

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
// Checksums are CRC-32C (Castagnoli), for which processors have instructions. The checksums of
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

// castagnoli returns the table of checksums, which the first call makes.
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

// rulesIn returns the rule set in the meta data of a file, with its number of pieces.
func rulesIn(meta text.Object, pieces int) (*board.Rules, error) {
	r, err := board.Finkel(), error(nil)
	if value, ok := meta.Get(rulesMember); ok {
		var name string
		if json.Unmarshal(value, &name) == nil {
			r, err = board.Lookup(name)
		} else {
			r, err = board.Parse(value)
		}
	}
	if err != nil {
		return nil, err
	}
	return r.WithPieces(pieces)
}

// entries returns the number of values.
func (h *header) entries() int { return h.index.Positions(h.pieces) }

// dataOffset returns where the values begin.
func (h *header) dataOffset() int64 {
	return (headerSize + int64(len(h.meta)) + pageSize - 1) / pageSize * pageSize
}

// dataSize returns the bytes of all values.
func (h *header) dataSize() int64 { return int64(h.entries()) * int64(h.encoding.bytesPerValue()) }

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
	r, err := rulesIn(meta, h.pieces)
	if err == nil {
		h.index, err = IndexOf(r)
	}
	if err != nil {
		return formatError(headerSize, "rules of the table: %v", err)
	}
	return nil
}
