package stat

// Pair is one benchmark in one unit on two sides, in the order measured.
type Pair struct {
	Old, New []float64

	// Paired marks Old[k] and New[k] as measured side by side, so a disturbance affects both.
	// It applies only if both have the same length.
	Paired bool

	// Better is the better direction of the unit: +1 higher, as in benchfmt, and lower for
	// anything else.
	Better int

	// Exact marks a unit without noise, such as the size of a file: every difference is
	// significant.
	Exact bool
}

// InPairs reports whether the samples can be compared pair by pair.
func (p Pair) InPairs() bool { return p.Paired && len(p.Old) == len(p.New) }

// Samples is the size of the smaller side.
func (p Pair) Samples() int { return min(len(p.Old), len(p.New)) }

// Step estimates the change by means of logarithms.
func (p Pair) Step() (s Step, ok bool) {
	if p.InPairs() {
		return StepOfPairs(p.Old, p.New)
	}
	return StepBetween(p.Old, p.New)
}
