package stat

// Pair is one benchmark in one unit on two sides, in the order measured.
type Pair struct {
	Old, New []float64

	// Paired says that Old[k] and New[k] were measured side by side, so that what
	// disturbed one disturbed the other. It counts only where both are as long.
	Paired bool

	// Better is the direction of the unit that is better: +1 higher, as benchfmt
	// has it, and lower for anything else.
	Better int

	// Exact says that the unit has no noise, such as the size of a file: every
	// difference is significant.
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
