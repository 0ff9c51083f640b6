package frame

// Why benchmarks are not judged, in the words of all steps that find it out.
const (
	FailsOnNew    = "fails on the new side"
	FailsOnBoth   = "fails on both sides"
	SkipsOnNew    = "skips on the new side"
	NotOnNew      = "the new side does not have it"
	RemovedByHead = "the head removes it; test files of the base would measure it"
	NotMeasured   = "there was no time to measure it"
	NotCounted    = "there is no time to count it"
)
