package solve

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/mapped"
)

// rguFile is an open .rgu file, mapped into memory. Its entries are not searched
// for: where one stands is computed.
type rguFile struct {
	rguHeader
	order  *rguOrder
	file   *os.File
	values []byte
	mem    mapped.Memory
	bytes  int64
	damage atomic.Pointer[FormatError]
}

// openRGU takes over f unless it fails. It compares all keys with the expected ones.
func openRGU(f *os.File, size int64) (*rguFile, error) {
	h, order, err := readRGUHeader(f, size)
	if err != nil {
		return nil, err
	}
	r := &rguFile{rguHeader: *h, order: order, file: f, bytes: size}
	if err := r.verifyKeys(context.Background(), func(int) {}); err != nil {
		return nil, err
	}
	if r.mem, err = mapped.File(f, size); err != nil {
		return nil, err
	}
	r.values = r.mem.Bytes[h.valuesOffset(order.entries):]
	return r, nil
}

// Index implements [Ranked].
func (r *rguFile) Index() *Index { return finkel }

// Pieces implements [Ranked].
func (r *rguFile) Pieces() int { return r.pieces }

// Win implements [Table].
func (r *rguFile) Win(p board.Position) float64 {
	if winner, over := p.Winner(); over {
		if winner == p.Turn() {
			return 1
		}
		return 0
	}
	me, you := p.Turn(), p.Turn().Other()
	return r.entry(r.order.place(p.Hand(me), p.Hand(you), finkelRow(p.Squares(me)), finkelRow(p.Squares(you))))
}

// At implements [Ranked].
func (r *rguFile) At(rank int) float64 {
	l, own, opp := finkel.unrank(uint32(rank))
	return r.at(l, own, opp)
}

// at returns the value of a position by its layer and rows.
func (r *rguFile) at(l layer, own, opp row) float64 {
	// A smaller game is this one with the other pieces home.
	return r.entry(r.order.place(l.own-own.pieces(), l.opp-opp.pieces(), own, opp))
}

// entry returns the value of an entry, or not-a-number for an impossible one.
func (r *rguFile) entry(i int) float64 {
	var v float64
	switch r.encoding {
	case RGUPercent16:
		return float64(binary.BigEndian.Uint16(r.values[2*i:])) / fixedOne
	case RGUFloat32:
		v = float64(math.Float32frombits(binary.BigEndian.Uint32(r.values[4*i:]))) / 100
	default:
		v = math.Float64frombits(binary.BigEndian.Uint64(r.values[8*i:])) / 100
	}
	if isProbability(v) {
		return v
	}
	offset := r.valuesOffset(r.order.entries) + int64(i*r.encoding.bytesPerValue())
	err := formatError(offset, "unsound: the value is %v (want 0 to 100)", 100*v)
	err.Path = r.file.Name()
	r.damage.CompareAndSwap(nil, err)
	return math.NaN()
}

// Err implements [Ranked].
func (r *rguFile) Err() error {
	if err := r.damage.Load(); err != nil {
		return err
	}
	return nil
}

// readRange implements rangeReader.
func (r *rguFile) readRange(dst []float64, first int) {
	i := 0
	finkel.walk(uint32(first), func(l layer, own, opp row) bool {
		dst[i] = r.at(l, own, opp)
		i++
		return i < len(dst)
	})
}

// Info implements [RankedFile].
func (r *rguFile) Info() Info {
	return Info{finkel.rulesOf(r.pieces), r.encoding, r.pieces, r.order.entries, r.bytes, r.meta()}
}

// Close implements [RankedFile].
func (r *rguFile) Close() error {
	r.values = nil
	return errors.Join(r.mem.Close(), r.file.Close())
}

// Verify implements [RankedFile]. A .rgu has no checksum: Verify only checks its keys and the
// range of its values.
func (r *rguFile) Verify(ctx context.Context, progress func(done, total int64)) error {
	keys := (r.pieces + 1) * (r.pieces + 1) // tasks of comparing keys
	values := (r.order.entries + rguChunk - 1) / rguChunk
	report := func(done int) {
		if progress != nil {
			progress(int64(done), int64(keys+values))
		}
	}
	err := r.verifyKeys(ctx, report)
	if err == nil {
		err = r.verifyWins()
	}
	if err == nil {
		err = inParallel(ctx, values, r.valueChecker, func(done int) { report(keys + done) })
	}
	return withPath(err, r.file.Name())
}
