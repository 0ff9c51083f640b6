package frame

// Why a benchmark is not judged, or undecided. All steps take the words from here; package verdict has those about the
// figures of a row or a count.
const (
	// Its package, or its function, is on one side only.
	NotOnNew      = "the new side does not have it"
	RemovedByHead = "the head removes it; test files of the base would measure it"

	// One iteration does not run on both sides.
	FailsOnNew    = "fails on the new side"
	FailsOnNewly  = FailsOnNew + ", and the old side does not have it"
	FailsAtEnd    = FailsOnNew + " after its benchmarks"
	FailsOnBoth   = "fails on both sides"
	FailsOn       = "fails on %s: %v"
	SkipsOn       = "skips on %s"
	SkipsOnNew    = "skips on the new side"
	SkipsOnBoth   = "skips on both sides"
	SkipsAndFails = SkipsOnNew + ", and fails on the old one"
	TakesLong     = "an iteration with its set-up %v on %s"
	NoTimeAlone   = "no time to run it by itself: its run with others takes longer than the time allows"

	// The sides have figures that cannot be compared.
	NotPrinted      = "%s does not print its figures"
	PrintedByNone   = "neither side prints its figures"
	NoCommonFigures = "the sides have no figures in common"
	OtherSettings   = "the sides differ in %s"
	LacksUnit       = "the new side does not print it in %s"
	BadFigures      = "some of its figures are no measurements"
	NoDirection     = "the better direction of %s is unknown"
	WantDirection   = "want --higher-better %[1]s, or a line \"Unit %[1]s better=lower\" or better=higher"

	// A round lacks figures.
	NoFigures       = "prints no figures"
	RoundNotPrinted = "a round does not print its figures"
	RoundLacksUnit  = "a round does not print it in %s"
	OnlyMemory      = "reports neither a time nor a figure of its own: memory alone lets nothing pass"
	NoTimeTaken     = "an operation takes no time"
	NoOthers        = "the others cannot be measured"
	NoCommonUnit    = "the implementations report neither a time nor another unit beside memory that all of them have"

	// The time ended.
	NotMeasured      = "there was no time to measure it"
	NotMeasuredAgain = "there was no time to measure it again"
	NoFurtherRounds  = "there was no time for further rounds"
	NotCounted       = "there is no time to count it"
	UncountedYet     = "there was no time to count it"
	NoCount          = "no count: %s"
	SeenInCounts     = "%.4g %s after %.4g were seen in counting, and %s"
	SeenInLongRuns   = "%.4g %s after %.4g were seen in runs of %v, and %s"
	NoTimeForThem    = "there was no time to measure them"
	OnlyInstructions = "a count judges instructions alone"
	SeenInOne        = "%v %s after %v were seen in one operation, and there was no time to measure them"

	// Long runs do not let it pass.
	LacksLongRun    = "lacks a run of %v on each side: there was no time"
	LittleTimedWork = "has too little timed work in its long runs: %v"
	LongRunsDiffer  = "differs in long runs, and there was no time to repeat these%s: %s in runs of %v"

	// Other runs of it do not confirm what one shows.
	NotConfirmed = "slower in %d rounds, but %d from new links do not confirm it: %s"
	ByChance     = "chance decides in each process: in %d of %d processes of the new side an operation takes %.2g times as long as usual, in %d of %d of the old side"
)

// NotEnded is the reason of a benchmark that is slower without figures of the new side.
const NotEnded = "an iteration did not end within %v: at least %.0f times longer"
