package verdict

// Verdict is the result of a comparison, of one benchmark or of all together.
type Verdict string

// The verdicts of a benchmark. [Faster], [NotSlower], [Identical], [Layout] and [Advisory]
// pass.
const (
	Slower    Verdict = "slower"
	Faster    Verdict = "faster"
	NotSlower Verdict = "not-slower" // than the limit
	Undecided Verdict = "undecided"
	Identical Verdict = "identical" // nothing differs
	Missing   Verdict = "missing"   // on one side
	Layout    Verdict = "layout"    // differs although the machine code does not
	Advisory  Verdict = "advisory"  // slower or undecided, but declared advisory
)

// Further verdicts of a gate over files, and of all benchmarks together.
const (
	Pass       Verdict = "pass"
	Regression Verdict = "regression"
	Nothing    Verdict = "nothing" // no benchmark was measured although sources differ
)

// Passes reports whether a verdict lets a change through.
func (v Verdict) Passes() bool {
	switch v {
	case Faster, NotSlower, Identical, Layout, Advisory, Pass:
		return true
	}
	return false
}
