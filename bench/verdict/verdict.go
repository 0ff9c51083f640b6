package verdict

// Verdict is what is said of a benchmark.
type Verdict string

// The verdicts. [Faster], [NotSlower] and [Identical] pass.
const (
	Slower    Verdict = "slower"
	Faster    Verdict = "faster"
	NotSlower Verdict = "not-slower" // than the limit
	Undecided Verdict = "undecided"
	Identical Verdict = "identical" // nothing differs
	Missing   Verdict = "missing"   // on one side
)

// Passes reports whether a verdict lets a change through.
func (v Verdict) Passes() bool { return v == Faster || v == NotSlower || v == Identical }
