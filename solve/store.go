package solve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"os"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/solve/internal/mapped"
)

// store holds the encoded values of a table: in memory, or those of an open .urt file, mapped into
// memory. A block of a file is checked against its checksum when a value in it is read for the
// first time.
type store struct {
	header
	data []byte // the values

	// Of a file:
	path   string
	file   *os.File
	mem    mapped.Memory
	sums   []byte          // the checksums of the blocks
	blocks []atomic.Uint32 // blockUnread, blockSound or blockDamaged
	shift  int             // a value's rank shifted by it is its block
	damage atomic.Pointer[TableError]
}

// States of a block.
const (
	blockUnread = iota
	blockSound
	blockDamaged
)

// openURT takes over f unless it fails. Everything is checked but the data.
func openURT(f *os.File, size int64) (*Table, error) {
	h, err := readHeader(f, size)
	if err != nil {
		return nil, err
	}
	s := &store{header: *h, path: f.Name(), file: f, blocks: make([]atomic.Uint32, h.blocks())}
	s.shift = bits.TrailingZeros(uint(blockSize / h.encoding.bytesPerValue()))
	if s.sums, err = s.readSums(); err != nil {
		return nil, err
	}
	if s.mem, err = mapped.File(f, size); err != nil {
		return nil, err
	}
	begin := h.dataOffset()
	s.data = s.mem.Bytes[begin : begin+h.dataSize()]
	t := h.index.newTable(h.pieces, nil)
	t.store, t.info = s, Info{Encoding: h.encoding, Entries: h.entries(), Bytes: size, Meta: h.info}
	return t, nil
}

// at returns the value of a rank. A value of a damaged block is not a number, and damage is set.
func (s *store) at(rank int) float64 {
	if s.blocks != nil && s.blocks[rank>>s.shift].Load() != blockSound && !s.checkBlock(rank>>s.shift) {
		return math.NaN()
	}
	if s.encoding == Compact {
		return float64(binary.LittleEndian.Uint16(s.data[2*rank:])) / fixedOne
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(s.data[8*rank:]))
}

// checkBlock verifies a block of unknown state, and reports whether it is sound. Several goroutines
// may check one block at once, with the same result.
func (s *store) checkBlock(block int) bool {
	if s.blocks[block].Load() == blockDamaged {
		return false
	}
	begin := block * blockSize
	data := s.data[begin:min(begin+blockSize, len(s.data))]
	if err := s.judgeBlock(block, data); err != nil {
		s.damage.CompareAndSwap(nil, withPath(err, s.path).(*TableError))
		s.blocks[block].Store(blockDamaged)
		return false
	}
	s.blocks[block].Store(blockSound)
	return true
}

// judgeBlock compares the data of a block with its checksum, and looks whether they can
// be values. Its errors are a [*TableError] without a path.
func (s *store) judgeBlock(block int, data []byte) error {
	offset := s.dataOffset() + int64(block)*blockSize
	want := binary.LittleEndian.Uint32(s.sums[4*block:])
	if got := crc32.Checksum(data, castagnoli()); got != want {
		return formatError(offset, "corrupted: the checksum of %d bytes is %08x (want %08x)", len(data), got, want)
	}
	for at := 0; s.encoding == Float64 && at < len(data); at += 8 {
		if v := math.Float64frombits(binary.LittleEndian.Uint64(data[at:])); !isProbability(v) {
			return formatError(offset+int64(at), "unsound: the value is %v (want a probability from 0 to 1)", v)
		}
	}
	return nil
}

// verify checks the whole file. It reads the file directly, not by its mapping, so an unreadable
// part is an error instead of a crash.
func (s *store) verify(ctx context.Context, progress func(done, total int64)) error {
	if _, err := readHeader(s.file, s.fileSize()); err != nil {
		return err
	}
	if sums, err := s.readSums(); err != nil {
		return err
	} else if !bytes.Equal(sums, s.sums) {
		return formatError(s.dataOffset()+s.dataSize(), "changed since it was opened: the checksums are others")
	}
	memory := make([]byte, min(blockSize, s.dataSize()))
	for block := range s.header.blocks() {
		if err := cmp.Or(ctx.Err(), s.verifyBlock(block, memory)); err != nil {
			return err
		}
		if progress != nil {
			progress(min(int64(block+1)*blockSize, s.dataSize()), s.dataSize())
		}
	}
	return nil
}

// readSums reads and checks the checksums of the blocks.
func (s *store) readSums() ([]byte, error) {
	begin := s.dataOffset() + s.dataSize()
	sums := make([]byte, s.fileSize()-begin)
	if _, err := s.file.ReadAt(sums, begin); err != nil {
		return nil, err
	}
	last := len(sums) - 4
	if got, want := crc32.Checksum(sums[:last], castagnoli()), binary.LittleEndian.Uint32(sums[last:]); got != want {
		return nil, formatError(begin+int64(last), "corrupted: the checksum of the %d bytes before it is %08x (want %08x)", last, got, want)
	}
	return sums[:last], nil
}

// verifyBlock reads and checks a block of data.
func (s *store) verifyBlock(i int, memory []byte) error {
	begin := int64(i) * blockSize
	data := memory[:min(blockSize, s.dataSize()-begin)]
	offset := s.dataOffset() + begin
	if n, err := s.file.ReadAt(data, offset); err == io.EOF {
		return formatError(offset+int64(n), "truncated: the file ends here (want %d bytes)", s.fileSize())
	} else if err != nil {
		return err
	}
	return s.judgeBlock(i, data)
}
