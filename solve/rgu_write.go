package solve

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"math"
)

// writeRGU writes a .rgu file: all keys, then all values.
func writeRGU(ctx context.Context, w io.Writer, t Ranked, meta []byte, o *WriteOptions) error {
	h, err := newRGUHeader(o.Encoding, t.Pieces(), meta)
	if err != nil {
		return err
	}
	order := newRGUOrder(h.pieces)
	e := &rguEncoder{rguOrder: order, ctx: ctx, out: bufio.NewWriterSize(w, blockSize), options: o}
	if _, err := e.out.Write(h.encode(order.entries)); err != nil {
		return err
	}
	if err := e.pass(e.writeKeys); err != nil {
		return err
	}
	if err := e.pass(func(ownHand, oppHand int, r rguRun) error { return e.writeValues(t, ownHand, oppHand, r) }); err != nil {
		return err
	}
	return e.out.Flush()
}

// rguEncoder writes entries in order of their keys.
type rguEncoder struct {
	*rguOrder
	ctx     context.Context
	out     *bufio.Writer
	options *WriteOptions
	done    int // keys and values
}

// pass gives all runs in order of their keys to write.
func (e *rguEncoder) pass(write func(ownHand, oppHand int, r rguRun) error) (err error) {
	const often = 1 << 18 // entries between two looks at the context
	report := e.done + often
	for ownHand := range e.pieces + 1 {
		for oppHand := range e.pieces + 1 {
			e.runs(ownHand, oppHand, func(r rguRun) bool {
				if err = write(ownHand, oppHand, r); err != nil {
					return false
				}
				if e.done += len(r.oppSafe); e.done >= report {
					report += often
					e.options.progress(int64(e.done), 2*int64(e.entries))
					err = e.ctx.Err()
				}
				return err == nil
			})
			if err != nil {
				return err
			}
		}
	}
	e.options.progress(int64(e.done), 2*int64(e.entries))
	return e.ctx.Err()
}

// writeKeys writes the keys of a run.
func (e *rguEncoder) writeKeys(_, _ int, r rguRun) error {
	b := e.out.AvailableBuffer()
	for _, safe := range r.oppSafe {
		b = binary.BigEndian.AppendUint32(b, r.key|uint32(safe))
	}
	_, err := e.out.Write(b)
	return err
}

// writeValues writes the values of a run.
func (e *rguEncoder) writeValues(t Ranked, ownHand, oppHand int, r rguRun) error {
	b := e.out.AvailableBuffer()
	for i := range r.oppSafe {
		opp := r.opp(i)
		l := layer{ownHand + r.own.pieces(), oppHand + opp.pieces()}
		v := 1.0
		if l.own > 0 {
			rank := finkel.rank(l, r.own, opp)
			if v = t.At(int(rank)); !isProbability(v) {
				if err := t.Err(); err != nil {
					return err
				}
				return valueError(finkel, v, int(rank), e.pieces)
			}
		}
		switch e.options.Encoding {
		case RGUPercent16:
			b = binary.BigEndian.AppendUint16(b, fixed16(v))
		case RGUFloat32:
			b = binary.BigEndian.AppendUint32(b, math.Float32bits(float32(v*100)))
		default:
			b = binary.BigEndian.AppendUint64(b, math.Float64bits(v*100))
		}
	}
	_, err := e.out.Write(b)
	return err
}
