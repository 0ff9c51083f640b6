package solve

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/bits"
	"os"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/mapped"
)

// File is an open .urt file: a dense array of values, mapped into memory. A block of it
// is checked against its checksum when a value in it is read for the first time.
type File struct {
	header
	file   *os.File
	data   []byte // the values
	mem    mapped.Memory
	size   int64
	sums   []byte          // the checksums of the blocks
	blocks []atomic.Uint32 // blockUnread, blockSound or blockDamaged
	shift  int             // a value's rank shifted by it is its block
	damage atomic.Pointer[FormatError]
}

// States of a block.
const (
	blockUnread = iota
	blockSound
	blockDamaged
)

// openFile takes over f unless it fails. Everything is checked but the data.
func openFile(f *os.File, size int64) (*File, error) {
	h, err := readHeader(f, size)
	if err != nil {
		return nil, err
	}
	t := &File{header: *h, file: f, size: size, blocks: make([]atomic.Uint32, h.blocks())}
	t.shift = bits.TrailingZeros(uint(blockSize / h.encoding.bytesPerValue()))
	if t.sums, err = t.readSums(); err != nil {
		return nil, err
	}
	if t.mem, err = mapped.File(f, size); err != nil {
		return nil, err
	}
	begin := h.dataOffset()
	t.data = t.mem.Bytes[begin : begin+h.dataSize()]
	return t, nil
}

// Index implements [Ranked].
func (f *File) Index() *Index { return f.index }

// Pieces implements [Ranked].
func (f *File) Pieces() int { return f.pieces }

// Win implements [Table], for a file of Finkel's rules.
func (f *File) Win(p board.Position) float64 {
	if rank, ok := Rank(p); ok {
		return f.At(rank)
	}
	return win(f, p)
}

// At implements [Ranked]. A value of a damaged block is not a number; Err then returns the
// damage.
func (f *File) At(rank int) float64 {
	if f.blocks[rank>>f.shift].Load() != blockSound && !f.check(rank>>f.shift) {
		return math.NaN()
	}
	if f.encoding == Compact {
		return float64(binary.LittleEndian.Uint16(f.data[2*rank:])) / fixedOne
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(f.data[8*rank:]))
}

// check verifies a block of unknown state, and reports whether it is sound. Several goroutines
// may check one block at once, with the same result.
func (f *File) check(block int) bool {
	if f.blocks[block].Load() == blockDamaged {
		return false
	}
	begin := block * blockSize
	data := f.data[begin:min(begin+blockSize, len(f.data))]
	if err := f.judgeBlock(block, data); err != nil {
		err.Path = f.file.Name()
		f.damage.CompareAndSwap(nil, err)
		f.blocks[block].Store(blockDamaged)
		return false
	}
	f.blocks[block].Store(blockSound)
	return true
}

// judgeBlock compares the data of a block with its checksum, and looks whether they can
// be values.
func (f *File) judgeBlock(block int, data []byte) *FormatError {
	offset := f.dataOffset() + int64(block)*blockSize
	want := binary.LittleEndian.Uint32(f.sums[4*block:])
	if got := crc32.Checksum(data, castagnoli); got != want {
		return formatError(offset, "corrupted: the checksum of %d bytes is %08x (want %08x)", len(data), got, want)
	}
	for at := 0; f.encoding == Float64 && at < len(data); at += 8 {
		if v := math.Float64frombits(binary.LittleEndian.Uint64(data[at:])); !isProbability(v) {
			return formatError(offset+int64(at), "unsound: the value is %v (want a probability from 0 to 1)", v)
		}
	}
	return nil
}

// Err implements [Ranked].
func (f *File) Err() error {
	if err := f.damage.Load(); err != nil {
		return err
	}
	return nil
}

// Info implements [RankedFile].
func (f *File) Info() Info {
	return Info{f.index.rulesOf(f.pieces), f.encoding, f.pieces, f.entries(), f.size, f.header.info()}
}

// Close implements [RankedFile].
func (f *File) Close() error {
	f.data = nil
	return errors.Join(f.mem.Close(), f.file.Close())
}
