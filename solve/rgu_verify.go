package solve

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"math"
)

// verifyKeys compares all keys with the expected ones, and reports progress in (pieces+1)^2
// tasks.
func (r *rguFile) verifyKeys(ctx context.Context, progress func(done int)) error {
	hands := r.pieces + 1
	return inParallel(ctx, hands*hands, func() func(int) error {
		in := bufio.NewReaderSize(nil, 1<<18)
		return func(task int) error { return r.verifyHands(in, task/hands, task%hands) }
	}, progress)
}

// verifyHands compares the keys of a pair of hands.
func (r *rguFile) verifyHands(in *bufio.Reader, ownHand, oppHand int) (err error) {
	begin := r.keysOffset() + 4*int64(r.order.handAt[ownHand][oppHand])
	in.Reset(io.NewSectionReader(r.file, begin, r.bytes-begin))
	offset := begin
	r.order.runs(ownHand, oppHand, func(run rguRun) bool {
		var keys []byte
		if keys, err = in.Peek(4 * len(run.oppSafe)); err != nil {
			if err == io.EOF {
				err = formatError(offset+int64(len(keys)), "truncated: the file ends here (want %d bytes)", r.bytes)
			}
			return false
		}
		for i, safe := range run.oppSafe {
			if got, want := binary.BigEndian.Uint32(keys[4*i:]), run.key|uint32(safe); got != want {
				err = formatError(offset+4*int64(i), "key %#08x (want %#08x)", got, want)
				return false
			}
		}
		offset += int64(len(keys))
		_, err = in.Discard(len(keys))
		return err == nil
	})
	return err
}

// rguChunk is how many values are checked in a task.
const rguChunk = 1 << 18

// valueChecker returns a function that checks a chunk of values.
func (r *rguFile) valueChecker() func(int) error {
	width := r.encoding.bytesPerValue()
	memory := make([]byte, rguChunk*width)
	return func(chunk int) error {
		first := chunk * rguChunk
		data := memory[:min(rguChunk, r.order.entries-first)*width]
		offset := r.valuesOffset(r.order.entries) + int64(first*width)
		if n, err := r.file.ReadAt(data, offset); err == io.EOF {
			return formatError(offset+int64(n), "truncated: the file ends here (want %d bytes)", r.bytes)
		} else if err != nil {
			return err
		}
		for at := 0; at < len(data); at += width {
			if percent := r.percent(data[at:]); !(percent >= 0 && percent <= 100) {
				return formatError(offset+int64(at), "unsound: the value is %v (want 0 to 100)", percent)
			}
		}
		return nil
	}
}

// percent decodes a value.
func (r *rguFile) percent(b []byte) float64 {
	switch r.encoding {
	case RGUPercent16:
		return float64(binary.BigEndian.Uint16(b)) / fixedOne * 100
	case RGUFloat32:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.BigEndian.Uint64(b))
}

// verifyWins checks that finished games, all of them won by the mover, have the value 100
// percent.
func (r *rguFile) verifyWins() (err error) {
	width := r.encoding.bytesPerValue()
	value := make([]byte, width)
	for oppHand := range r.pieces + 1 {
		r.order.runs(0, oppHand, func(run rguRun) bool {
			if run.own != 0 {
				return finkel.safeOf(run.own) == 0 // no game is won behind the first safe set
			}
			for i := range run.oppSafe {
				entry := r.order.place(0, oppHand, 0, run.opp(i))
				offset := r.valuesOffset(r.order.entries) + int64(entry*width)
				if _, err = r.file.ReadAt(value, offset); err != nil {
					return false
				}
				if percent := r.percent(value); percent != 100 {
					err = formatError(offset, "unsound: a game that is won is worth %v percent", percent)
					return false
				}
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}
