package solve

import (
	"encoding/binary"
	"errors"
	"math"
	"os"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/mapped"
)

// File is an open .urt file: a dense array of values, mapped into memory.
type File struct {
	header
	file *os.File
	data []byte // the values
	mem  mapped.Memory
	size int64
}

// openFile takes over f unless it fails. Everything is checked but the checksums of
// the data.
func openFile(f *os.File, size int64) (*File, error) {
	h, err := readHeader(f, size)
	if err != nil {
		return nil, err
	}
	mem, err := mapped.File(f, size)
	if err != nil {
		return nil, err
	}
	begin := h.dataOffset()
	return &File{header: *h, file: f, data: mem.Bytes[begin : begin+h.dataSize()], mem: mem, size: size}, nil
}

// Pieces implements [Table].
func (f *File) Pieces() int { return f.pieces }

// Win implements [Table].
func (f *File) Win(p board.Position) float64 {
	if rank, ok := Rank(p); ok {
		return f.At(rank)
	}
	return win(f, p)
}

// At implements [Table].
func (f *File) At(rank int) float64 {
	if f.encoding == Compact {
		return float64(binary.LittleEndian.Uint16(f.data[2*rank:])) / fixedOne
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(f.data[8*rank:]))
}

// Info implements [TableFile].
func (f *File) Info() Info {
	return Info{f.encoding, f.pieces, f.entries(), f.size, f.meta}
}

// Close implements [TableFile].
func (f *File) Close() error {
	f.data = nil
	return errors.Join(f.mem.Close(), f.file.Close())
}
