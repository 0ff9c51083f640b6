package solve

// After the first sweeps the best moves hardly change any more, and the remaining error shrinks
// by nearly the same factor in every sweep. Two sweeps in a row then predict the limit of the
// values: with the changes f and g in the two,
//
//	values + c*g,  c = -<g, g-f> / <g-f, g-f>,
//
// is the combination of the last values that would have changed least. This is first-order reduced rank
// extrapolation (Eddy 1979; Mesina 1977; see Smith, Ford and Sidi, SIAM
// Review 29, 1987), repeated every few sweeps. It saves a third of the sweeps. Higher orders
// would save two sweeps more, at the price of as many more vectors.

const (
	extrapolateBelow = 1e-2  // start when no value changes by more than this
	extrapolateAbove = 1e-13 // and stop where rounding would be most of the change
)

// residuals are the changes, in one sweep, of the values that the next sweep reads before it
// computes them: those after a capture by Dark. Light is to move there, or Dark where a capture
// grants another roll.
type residuals struct {
	ofDark bool      // Dark is to move
	change []float32 // changes by place; their sign and seven digits are enough
	sums   [][2]float64
	mode   residualMode
}

type residualMode int

const (
	ignoreChanges  residualMode = iota
	recordChanges               // f
	compareChanges              // g, with the two scalar products in sums
)

// rowResidual is a row's part of the residuals.
type rowResidual struct {
	ofDark bool
	change []float32
	sums   *[2]float64
	mode   residualMode
}

func (r *residuals) ofRow(own row, begin, n int) rowResidual {
	if r.mode == ignoreChanges {
		return rowResidual{}
	}
	r.sums[own] = [2]float64{}
	return rowResidual{r.ofDark, r.change[begin : begin+n], &r.sums[own], r.mode}
}

// addChange notes the change at a place.
func (r *rowResidual) addChange(place int, change float64) {
	switch r.mode {
	case recordChanges:
		r.change[place] = float32(change)
	case compareChanges:
		difference := change - float64(r.change[place])
		r.sums[0] += float64(change * difference)
		r.sums[1] += float64(difference * difference)
		r.change[place] = float32(change)
	}
}

// nextMode chooses the sweep's job after one with the given change: every third records and
// every third compares, with one between to smooth the roughness left by the extrapolation.
func (r *residuals) nextMode(change float64) {
	if r.mode == compareChanges || change > extrapolateBelow || change < extrapolateAbove {
		r.mode = ignoreChanges
		return
	}
	r.mode++
}

// extrapolate moves the residuals' values to their predicted limit. Row sums
// are added in row order, so the result has the same bits on any number of threads.
func (p *pair) extrapolate(threads int) {
	r := p.residuals
	var product, square float64
	for _, s := range r.sums {
		product += s[0]
		square += s[1]
	}
	if square == 0 {
		return
	}
	c := -product / square
	all := p.light
	if r.ofDark {
		all = p.dark
	}
	const part = 1 << 16
	runParallel(threads, (len(all)+part-1)/part, func(_, i int) {
		values := all[i*part : min((i+1)*part, len(all))]
		change := r.change[i*part:]
		for j := range values {
			values[j] = min(max(values[j]+float64(c*float64(change[j])), 0), 1)
		}
	})
}
