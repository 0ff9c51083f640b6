package valuenet

import (
	"math/bits"
	"unsafe"

	"github.com/seed-09dcdc84/ur/internal/cpu"
)

// Engine is a way to compute an [Integer] net's values. All give the same bits;
// [Scalar] defines them. Engines are safe for concurrent use.
type Engine struct {
	name  string
	needs []cpu.Feature

	// The parts to make a value, nil in the oracle, which computes every value from scratch. Their
	// parameters and results are the same as in setsGo, outputsGo and hiddenGo.
	sets    func(dst, bias, table *int16, sets *uint64, n, width uintptr, low uint32)
	outputs func(dst *int32, units, weights *int16, n, width uintptr, bias int32)
	hidden  [2]hiddenKernel // kernels for four rows at a time, and for two
}

type hiddenKernel func(dst *int32, units, weights *int16, bias, last *int32, list *uint32, n, width, blocks uintptr, shift uint32, lastBias int32)

// Name returns the engine's name: "scalar", "incremental", "avx2", "avx512" or "neon".
func (e *Engine) Name() string { return e.name }

// Needs lists the CPU features required by the engine.
func (e *Engine) Needs() []cpu.Feature { return e.needs }

// Available returns nil when the engine runs here, and otherwise an error that names the missing features.
func (e *Engine) Available() error { return cpu.Available("net engine "+e.name, e.needs) }

// The engines in every build. incremental adds up the inputs common to all moves in a decision
// once, and those in which the moves differ after that.
var (
	Scalar      = &Engine{name: "scalar"}
	incremental = &Engine{name: "incremental", sets: setsGo, outputs: outputsGo, hidden: [2]hiddenKernel{hiddenGo(4), hiddenGo(2)}}
)

// Engines returns all engines in this build by ascending speed, including those that cannot run on this CPU.
func Engines() []*Engine { return append([]*Engine{Scalar, incremental}, assembled...) }

// Fastest returns the fastest available engine.
func Fastest() *Engine { return cpu.Best(Engines()) }

// group is how many positions the engines compute at a time: room for values and units is always a multiple.
const group = 4

// unitsOf writes units for positions by their input sets, which it changes. Their common
// inputs, which are most inputs after a decision's moves, are added up once.
func (j *Judge) unitsOf(dst []int16, sets []uint64) {
	if len(sets) == 0 {
		return
	}
	q, from := j.net, j.net.bias
	_ = dst[len(sets)*q.width-1]
	if len(sets) > 1 {
		j.common = sets[0]
		for _, set := range sets[1:] {
			j.common &= set
		}
		for i := range sets {
			sets[i] &^= j.common
		}
		from = j.base
		j.engine.sets(&from[0], &q.bias[0], &q.first[0], &j.common, 1, uintptr(j.width), 0x8000)
	}
	j.engine.sets(&dst[0], &from[0], &q.first[0], &sets[0], uintptr(len(sets)), uintptr(j.width), 0)
}

// valuesOfUnits writes the values for n rows of units to dst. Both have room for n rounded up to full groups.
func (j *Judge) valuesOfUnits(dst []int32, units []int16, n int) {
	if n == 0 {
		return
	}
	q := j.net
	if q.columns == 0 {
		j.engine.outputs(&dst[0], &units[0], &j.last[0], uintptr(n), uintptr(j.width), q.lastBias)
		return
	}
	_, _ = dst[roundUp(n, group)-1], units[roundUp(n, group)*q.width-1]
	fours := (n + 1) / group // three rows take as long as four
	if fours > 0 {
		j.hiddenRows(0, dst, units, fours)
	}
	if rest := n - group*fours; rest > 0 {
		j.hiddenRows(1, dst[group*fours:], units[group*fours*q.width:], 1)
	}
}

// hiddenRows calls a kernel for n groups of rows.
func (j *Judge) hiddenRows(kernel int, dst []int32, units []int16, n int) {
	q := j.net
	j.engine.hidden[kernel](&dst[0], &units[0], &q.second[0], &q.secondBias[0], &q.last[0], &j.pairs[0],
		uintptr(n), uintptr(j.width), uintptr(q.columns/columnUnits), uint32(q.shift), q.lastBias)
}

// setsGo writes for each of n sets the bias plus the set's table rows, at least low.
func setsGo(dst, bias, table *int16, sets *uint64, n, width uintptr, low uint32) {
	w := int(width / 2)
	base := unsafe.Slice(bias, w)
	for i, set := range unsafe.Slice(sets, n) {
		row := unsafe.Slice((*int16)(unsafe.Add(unsafe.Pointer(dst), uintptr(i)*width)), w)
		copy(row, base)
		for ; set != 0; set &= set - 1 {
			offset := uintptr(bits.TrailingZeros64(set)) * width
			for o, x := range unsafe.Slice((*int16)(unsafe.Add(unsafe.Pointer(table), offset)), w) {
				row[o] += x
			}
		}
		for o, sum := range row {
			row[o] = max(int16(low), sum)
		}
	}
}

// outputsGo writes the bias plus the products between n rows of units and the weights.
func outputsGo(dst *int32, units, weights *int16, n, width uintptr, bias int32) {
	w := unsafe.Slice(weights, width/2)
	rows := unsafe.Slice(units, n*width/2)
	for i := range unsafe.Slice(dst, n) {
		sum := bias
		for o, u := range rows[i*len(w):][:len(w)] {
			sum += int32(u) * int32(w[o])
		}
		unsafe.Slice(dst, n)[i] = sum
	}
}

// hiddenGo returns the kernel that writes values for n times some rows of units. It skips zero
// units: in plain Go a branch costs less than the products.
func hiddenGo(group uintptr) hiddenKernel {
	return func(dst *int32, units, weights *int16, bias, last *int32, _ *uint32, n, width, blocks uintptr, shift uint32, lastBias int32) {
		values, w := unsafe.Slice(dst, group*n), int(width/2)
		rows := unsafe.Slice(units, len(values)*w)
		biases, lasts := unsafe.Slice(bias, blocks*columnUnits), unsafe.Slice(last, blocks*columnUnits)
		second := unsafe.Slice(weights, int(blocks)*w*columnUnits)
		for i := range values {
			value := lastBias
			row := rows[i*w:][:w]
			for b := range int(blocks) {
				sums := [columnUnits]int32(biases[b*columnUnits:])
				for in, u := range row {
					if u == 0 {
						continue
					}
					pairs := second[(b*(w/2)+in/2)*2*columnUnits+in%2:]
					for o := range sums {
						sums[o] += int32(u) * int32(pairs[2*o])
					}
				}
				for o, sum := range sums {
					value += max(0, sum) >> shift * lasts[b*columnUnits+o]
				}
			}
			values[i] = value
		}
	}
}
