// Package f32 holds the float32 kernels of the learners: products of matrices, sums of rows by
// sets, clipping and traces.
//
// Every tier gives the same bits. Products are added by fused multiply-add in a fixed order, one after another down a
// column, so the result does not depend on the width of registers. Sums along a row keep 16 partial sums on every tier.
// Plain Go computes the fused operation exactly, but slowly; see fused.
//
// Widths of rows are multiples of 16.
package f32

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/seed-09dcdc84/ur/internal/cpu"
)

// Width is the divisor of all lengths of rows.
const Width = 16

// Kernels are the operations in one tier.
type Kernels struct {
	name  string
	needs []cpu.Feature

	tiles     []tile // the tallest and widest first; the last fits everything
	sumSets   func(dst, bias, table []float32, sets []uint64)
	addToSets func(table, src []float32, sets []uint64, width int)
	clip      func(x []float32)
	clipBack  func(d, a []float32)
	dots      func(dst, rows, weights []float32)
	addScaled func(y, x []float32, step float32)
	follow    func(weights, traces []float32, step, decay float32)
	adam      func(weights, gradient, first, second []float32, scale, size float32)
}

// tile is a kernel for a given number of rows and columns of a product.
type tile struct {
	rows, columns int
	multiply      func(c, a, b *float32, k, cRow, aRow, aCol, bRow uintptr)
}

// Name returns the tier's name: "go", "avx2" or "avx512".
func (k *Kernels) Name() string { return k.name }

// Needs lists the CPU features of the tier.
func (k *Kernels) Needs() []cpu.Feature { return k.needs }

// plain is the tier in Go, the oracle of the others.
var plain = &Kernels{
	name: "go", sumSets: sumSets, addToSets: addToSets, clip: clipUnits, clipBack: clipBack, dots: dotRows, addScaled: addScaled,
	follow: followTraces, adam: func(weights, gradient, first, second []float32, scale, size float32) {
		Adam(weights, gradient, first, second, scale, size, 1, 1)
	},
}

// All returns this build's tiers, from the plainest on, whether or not this CPU runs them.
func All() []*Kernels { return append([]*Kernels{plain}, assembled...) }

// Best returns the fastest tier this CPU can run.
func Best() *Kernels { return cpu.Best(All()) }

// Matrix is a view of numbers in rows and columns: (i, j) is Data[i*Row + j*Col].
type Matrix struct {
	Data     []float32
	Row, Col int
}

// Rows returns the matrix of adjacent rows of a width.
func Rows(data []float32, width int) Matrix { return Matrix{data, width, 1} }

// Transposed returns m with rows and columns exchanged.
func (m Matrix) Transposed() Matrix { return Matrix{m.Data, m.Col, m.Row} }

// Multiply adds to C, of m rows and n columns, the product of A, of depth columns, and B. The
// columns of B and C are adjacent, and n is a multiple of [Width]. Each number of C takes its
// products one after another. It panics if a matrix is too small.
func (k *Kernels) Multiply(c, a, b Matrix, m, n, depth int) {
	if m == 0 || n == 0 || depth == 0 {
		return
	}
	if n%Width != 0 || c.Col != 1 || b.Col != 1 {
		panic(fmt.Sprintf("f32: product of %d columns (want a multiple of %d)", n, Width))
	}
	c.check(m, n)
	a.check(m, depth)
	b.check(depth, n)
	if k.tiles == nil {
		multiplyAdd(c, a, b, m, n, depth)
		return
	}
	for i := 0; i < m; {
		rows := 0
		for j := 0; j < n; {
			t := k.tileFor(m-i, n-j)
			t.multiply(&c.Data[i*c.Row+j], &a.Data[i*a.Row], &b.Data[j],
				uintptr(depth), uintptr(4*c.Row), uintptr(4*a.Row), uintptr(4*a.Col), uintptr(4*b.Row))
			rows = t.rows
			j += t.columns
		}
		i += rows
	}
}

// tileFor returns the largest tile for the rest. All tiles of a row of tiles are equally tall.
func (k *Kernels) tileFor(rows, columns int) *tile {
	for i := range k.tiles {
		if t := &k.tiles[i]; t.rows <= rows && t.columns <= columns {
			return t
		}
	}
	panic("f32: no tile is small enough")
}

// check panics unless m has at least the given numbers of rows and columns.
func (m Matrix) check(rows, columns int) {
	_ = m.Data[(rows-1)*m.Row+(columns-1)*m.Col]
}

// SumSets writes to each row of dst the bias plus the table's rows in the row's set, in
// ascending order. A row is as long as the bias.
func (k *Kernels) SumSets(dst, bias, table []float32, sets []uint64) {
	checkSets(len(bias), len(dst), len(table), sets)
	k.sumSets(dst, bias, table, sets)
}

// AddToSets adds to the table's rows in each set the row of src of the same index, one set
// after another. Rows are of the given width.
func (k *Kernels) AddToSets(table, src []float32, sets []uint64, width int) {
	checkSets(width, len(src), len(table), sets)
	k.addToSets(table, src, sets, width)
}

// checkSets panics when rows are missing.
func checkSets(width, numbers, table int, sets []uint64) {
	all := uint64(0)
	for _, set := range sets {
		all |= set
	}
	if width == 0 || width%Width != 0 || numbers < width*len(sets) || bits.Len64(all)*width > table {
		panic(fmt.Sprintf("f32: %d sets up to member %d do not fit rows of %d", len(sets), bits.Len64(all), width))
	}
}

// Clip replaces negative numbers and NaN by 0. len(x) is a multiple of [Width].
func (k *Kernels) Clip(x []float32) {
	checkLength(len(x), len(x))
	k.clip(x)
}

// ClipBack clears the numbers of d where the clipped a is 0.
func (k *Kernels) ClipBack(d, a []float32) {
	checkLength(len(d), len(a))
	k.clipBack(d, a)
}

// Dots writes to dst[i] the scalar product of row i with the weights, of whose length the
// rows are: 16 sums of every sixteenth product, in ascending order, added by halves.
func (k *Kernels) Dots(dst, rows, weights []float32) {
	checkLength(len(weights), len(weights))
	if len(rows) < len(dst)*len(weights) || len(weights) == 0 {
		panic("f32: rows are missing")
	}
	k.dots(dst, rows, weights)
}

// AddScaled adds step times x to y.
func (k *Kernels) AddScaled(y, x []float32, step float32) {
	checkLength(len(y), len(x))
	k.addScaled(y, x, step)
}

// Follow adds step times the traces to the weights, and multiplies the traces with decay.
func (k *Kernels) Follow(weights, traces []float32, step, decay float32) {
	checkLength(len(weights), len(traces))
	k.follow(weights, traces, step, decay)
}

// The usual settings of [Adam]: the shares kept of the running means of the gradient and of its
// square, and the smallest divisor.
const (
	AdamFirst   = 0.9
	AdamSecond  = 0.999
	adamEpsilon = 1e-8
)

// Adam is [Adam] in float32, where size contains the parts of the means.
func (k *Kernels) Adam(weights, gradient, first, second []float32, scale, size float32) {
	checkLength(len(weights), len(gradient))
	checkLength(len(weights), len(first))
	checkLength(len(weights), len(second))
	k.adam(weights, gradient, first, second, scale, size)
}

// checkLength panics unless two lists are of one length, a multiple of Width.
func checkLength(n, m int) {
	if n != m || n%Width != 0 {
		panic(fmt.Sprintf("f32: lists of %d and %d numbers (want equal lengths, a multiple of %d)", n, m, Width))
	}
}

// The operations in plain Go, which define every tier's result.

func multiplyAdd(c, a, b Matrix, m, n, depth int) {
	for i := range m {
		row := c.Data[i*c.Row:][:n]
		for l := range depth {
			x := a.Data[i*a.Row+l*a.Col]
			for j, y := range b.Data[l*b.Row:][:n] {
				row[j] = fusedMultiplyAdd(x, y, row[j])
			}
		}
	}
}

func sumSets(dst, bias, table []float32, sets []uint64) {
	width := len(bias)
	for i, set := range sets {
		row := dst[i*width:][:width]
		copy(row, bias)
		for ; set != 0; set &= set - 1 {
			for j, x := range table[bits.TrailingZeros64(set)*width:][:width] {
				row[j] += x
			}
		}
	}
}

func addToSets(table, src []float32, sets []uint64, width int) {
	for i, set := range sets {
		row := src[i*width:][:width]
		for ; set != 0; set &= set - 1 {
			to := table[bits.TrailingZeros64(set)*width:][:width]
			for j, x := range row {
				to[j] += x
			}
		}
	}
}

func clipUnits(x []float32) {
	for i, v := range x {
		if !(v > 0) {
			x[i] = 0
		}
	}
}

func clipBack(d, a []float32) {
	for i, v := range a {
		if !(v > 0) {
			d[i] = 0
		}
	}
}

func dotRows(dst, rows, weights []float32) {
	width := len(weights)
	for i := range dst {
		var sums [Width]float32
		for j, x := range rows[i*width:][:width] {
			sums[j%Width] = fusedMultiplyAdd(x, weights[j], sums[j%Width])
		}
		for half := Width / 2; half > 0; half /= 2 {
			for j := range half {
				sums[j] += sums[j+half]
			}
		}
		dst[i] = sums[0]
	}
}

func addScaled(y, x []float32, step float32) {
	for i, v := range x {
		y[i] = fusedMultiplyAdd(v, step, y[i])
	}
}

func followTraces(weights, traces []float32, step, decay float32) {
	for i, e := range traces {
		weights[i] = fusedMultiplyAdd(e, step, weights[i])
		traces[i] = e * decay
	}
}

// Adam takes a step of Adam: with g the gradient times scale, it brings the running means up
// to date and moves the weights by size times the first of them, divided by the root of the
// second. Before that it divides each mean by the part of it that the steps so far make up.
func Adam[F float32 | float64](weights, gradient, first, second []F, scale, size, firstPart, secondPart F) {
	for i, g := range gradient {
		g = F(g * scale)
		f := F(AdamFirst*first[i]) + F((1-AdamFirst)*g)
		s := F(AdamSecond*second[i]) + F(F((1-AdamSecond)*g)*g)
		first[i], second[i] = f, s
		weights[i] -= F(size*(f/firstPart)) / (F(math.Sqrt(float64(s/secondPart))) + adamEpsilon)
	}
}

// fusedMultiplyAdd returns x*y + z, rounded once. In float64 the product is exact and the sum is rounded. Rounding the
// sum to odd instead, by the sign of its error (Knuth's two-sum), leaves the rounding to float32 as the only effective
// one (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
func fusedMultiplyAdd(x, y, z float32) float32 {
	product, addend := float64(x)*float64(y), float64(z)
	sum := product + addend
	if low := math.Float64bits(sum) & (1<<29 - 1); low != 1<<28 && math.Abs(sum) >= 0x1p-126 || sum-sum != 0 {
		return float32(sum) // not halfway between two numbers, or none
	}
	part := sum - product
	lost := (product - (sum - part)) + (addend - part)
	if bits := math.Float64bits(sum); lost != 0 && bits&1 == 0 {
		if (lost > 0) == (sum > 0) {
			bits++
		} else {
			bits--
		}
		sum = math.Float64frombits(bits)
	}
	return float32(sum)
}
