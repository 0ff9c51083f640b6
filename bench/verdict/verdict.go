package verdict

// Verdict is what is said of a benchmark.
type Verdict string

// The verdicts. [Faster], [NotSlower], [Identical], [Layout] and [Advisory] pass.
const (
	Slower    Verdict = "slower"
	Faster    Verdict = "faster"
	NotSlower Verdict = "not-slower" // than the limit
	Undecided Verdict = "undecided"
	Identical Verdict = "identical" // nothing differs
	Missing   Verdict = "missing"   // on one side
	Layout    Verdict = "layout"    // differs although the machine code does not
	Advisory  Verdict = "advisory"  // slower or undecided where that was declared not to count
)

// Passes reports whether a verdict lets a change through.
func (v Verdict) Passes() bool {
	return v == Faster || v == NotSlower || v == Identical || v == Layout || v == Advisory
}
