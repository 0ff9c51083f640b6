package urt

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/solve/internal/tablefile"
)

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

// hugePage is the size and alignment of writes. A system that caches files in pages as large as
// its writes can map them as huge pages later (Linux 6.16 with ext4, for one), and look-ups
// then miss the TLB less often.
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
