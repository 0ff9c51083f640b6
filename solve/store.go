package solve

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"
	"runtime/debug"
	"sync/atomic"
)

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
	s.shift = bits.TrailingZeros(uint(blockSize / h.encoding.bytesPerValue()))
	if got, want := checksum(s.sums), binary.LittleEndian.Uint32(file[last:]); got != want {
		return nil, formatError(int64(last), "corrupted: the checksum of the %d bytes before it is %08x (want %08x)", len(s.sums), got, want)
	}
	t := h.index.newTable(h.pieces, nil)
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

// readMapped calls read, which reads a mapped file from an offset on. A page that cannot be read,
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
