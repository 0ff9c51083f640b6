package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// transcript turns the output of programs into Go's benchmark format, line by line, so line numbers stay. Package
// testing prints a benchmark's name before its run and the figures after it, so logs come between them.
type transcript struct {
	lines  []string
	result []string // lines of the format; "" for all others
	ignore []string // keys of settings to leave out

	known   map[string]bool   // keys that are settings wherever they stand
	hidden  string            // current package, if packages are left out
	joined  map[string]string // these packages by full name
	readOne bool              // a result was read
	open    string            // announced name without figures, with its prefix
	openAt  int               // its line
	isBare  bool              // that line has nothing else, as with "go test -v"
	unsure  string            // name whose figures without a time stood in a later line: that may be a log

	crash         string        // first line of a crash, which results behind it show to be a log
	pkg           string        // current package, or ""
	skipped       []BenchmarkID // skipped tests
	failed        []string      // names of tests and packages
	logs, newLogs []string      // beginnings of lines that look like settings or benchmarks, and of those behind the last result
	problem       error         // first line that looks like a result and is none
}

// noFigures is the unit of a benchmark without figures in the lines of a transcript. Its iterations are 0 if only "go test
// -v" announces it, which also names benchmarks that have sub-benchmarks alone.
const noFigures = "no-figures"

// settingKeys are the keys of package testing. A log may look like any other setting.
var settingKeys = []string{"goos", "goarch", "pkg", "cpu"}

var (
	// benchmarkName matches the name of a function that Go runs as a benchmark.
	benchmarkName = text.Regexp(`^Benchmark([^a-z]|$)`)

	// laterResult matches a result as package testing prints it behind indentation, or a log without an end of its line.
	laterResult = text.Regexp(`^(?:\s+|.*\S)(Benchmark\S*(?:\s+|\s*\t *)[1-9][0-9]*\t.*)$|^\s+(Benchmark\S*\s+[1-9][0-9]*\s.*)$`)

	// blankInName matches a name with a blank, in front of figures.
	blankInName = text.Regexp(`^Benchmark\S* \S[^\t]*\t *[1-9][0-9]*\t`)

	// logKey matches keys that are none: those of messages of compilers, make and time.
	logKey = text.Regexp(`^(make(\[\d+\])?|warn(ing)?|err(or)?|info|debug|trace|fatal|panic|real|user|sys|elapsed|took)$`)

	// figuresAtEnd matches figures as package testing prints them: a tab follows the number of iterations.
	figuresAtEnd = text.Regexp(`(?:^|\s)([1-9][0-9]*\t *\S+ \S+(?:\s+\S+ \S+)*)\s*$`)

	// timesAlone matches a line of figures with their times.
	timesAlone = text.Regexp(`^\s*([1-9][0-9]*\s+[0-9.e+-]+ ns/op(?:\s+\S+ \S+)*)\s*$`)

	// crashLine matches how a program ends before its time, also as the go command and make print it.
	crashLine = text.Regexp(`^(?:Benchmark\S*\s+)?((?:panic: |fatal error: |SIG[A-Z]+: |signal: |exit status [1-9]|make(?:\[\d+\])?: \*\*\* ).*)`)

	outcomeLine = text.Regexp(`--- (FAIL|SKIP): (\S+)`)
	packageLine = text.Regexp(`^(?:PASS|FAIL)\s*$|^(?:FAIL|ok)(?:\t|  +\t?)(\S+)`)
)

// newTranscript reads the lines of a decoded text.
func newTranscript(content []byte, ignore []string) *transcript {
	t := &transcript{lines: strings.Split(string(content), "\n"), ignore: ignore, known: make(map[string]bool),
		joined: make(map[string]string)}
	for _, key := range append(settingKeys, InTurns) {
		t.known[key] = true
	}
	t.result = make([]string, len(t.lines))
	for i, line := range t.lines {
		if i == 0 || strings.TrimSpace(t.lines[i-1]) == "" {
			t.learnSettings(i)
		}
		if line = t.read(i, line); line != "" {
			t.result[i] = line
		}
	}
	t.close()
	t.noteCrash()
	return t
}

// learnSettings takes the unknown keys at the beginning of a paragraph for settings: in a paragraph of settings, in front
// of those of package testing, and in front of the first result. Logs follow them.
func (t *transcript) learnSettings(i int) {
	var keys []string
	for ; i < len(t.lines); i++ {
		line := strings.TrimSpace(t.lines[i])
		key, _, ok := settingOf(line)
		switch {
		case line == "":
			t.learn(keys)
			return
		case strings.HasPrefix(line, "Unit ") || line[0] == '#':
		case !ok:
			if !t.readOne && !slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(settingKeys, key) }) {
				t.learn(keys)
			}
			return
		case slices.Contains(settingKeys, key):
			t.learn(keys)
			fallthrough
		default:
			keys = append(keys, key)
		}
	}
	t.learn(keys)
}

func (t *transcript) learn(keys []string) {
	for _, key := range keys {
		t.known[key] = t.known[key] || !logKey().MatchString(key)
	}
}

// read returns the line of the format for a line of the text.
func (t *transcript) read(i int, line string) string {
	line = withoutLog(line)
	fields := strings.Fields(line)
	switch {
	case len(fields) == 0:
		return ""
	case strings.Index(line, "Benchmark") > 0 && figuresIn(line) != "":
		t.logs = append(t.logs, fields[0])
	}
	if len(fields) > 3 && strings.HasPrefix(line, "Benchmark") && checkFigures(fields[2:]) == "" {
		if _, err := strconv.ParseFloat(fields[1], 64); err == nil && !isCount(fields[1]) {
			t.report(i, fmt.Sprintf("invalid number of iterations %s (want a whole number)", fields[1]))
		} else if err == nil && !benchmarkName().MatchString(line) {
			t.report(i, fields[0]+" is no name of a benchmark (want an upper-case letter behind Benchmark)")
		}
	}
	if benchmarkName().MatchString(line) {
		if t.isResult(i, line, fields) {
			t.close()
			t.take(i, fields[0])
			return line
		}
		if blankInName().MatchString(line) && figuresIn(line) != "" {
			t.report(i, "a blank in the name of a benchmark (want _ instead)")
		}
		t.announce(i, line, fields[0])
	}
	if outcome := outcomeLine().FindStringSubmatch(line); outcome != nil {
		t.end(outcome[1], outcome[2])
		return ""
	}
	if figures := figuresIn(line); figures != "" && t.open != "" {
		name := t.open
		t.take(i, name)
		if !timesAlone().MatchString(figures) {
			t.unsure = name
		}
		return name + " " + figures
	} else if figures != "" && t.unsure != "" && strings.TrimSpace(line) == figures {
		t.report(i, fmt.Sprintf("more figures of %s (want them in one line, and no log that looks like them)", t.unsure))
	} else if figures != "" && timesAlone().MatchString(line) {
		t.report(i, "figures without the name of a benchmark (want it in front of them, or in a line above)")
	}
	if crash := crashLine().FindStringSubmatch(line); crash != nil {
		t.crash = cmp.Or(t.crash, crash[1])
		return ""
	}
	if ended := packageLine().FindStringSubmatch(line); ended != nil {
		if t.close(); fields[0] == "FAIL" && !strings.HasPrefix(t.crash, "exit ") {
			t.noteCrash()
		}
		if t.crash = ""; fields[0] == "FAIL" && (ended[1] != "" || len(t.failed) == 0) {
			t.fail(cmp.Or(ended[1], "a test"))
		}
		return ""
	}
	if fields[0] == "Unit" && strings.HasPrefix(line, "Unit") {
		if strings.Contains(line, "=") {
			return line
		}
		t.newLogs = append(t.newLogs, "Unit")
	}
	if key, value, ok := settingOf(line); ok {
		return t.set(key, value)
	}
	return ""
}

// withoutLog returns a line from its result on, which may stand behind a log.
func withoutLog(line string) string {
	if strings.HasPrefix(line, "Benchmark") {
		return line
	}
	if found := laterResult().FindStringSubmatch(line); found != nil {
		if result := found[1] + found[2]; checkFigures(strings.Fields(result)[2:]) == "" {
			return result
		}
	}
	return line
}

// figuresIn returns the number of iterations and the figures at a line's end, "" without them.
func figuresIn(line string) string {
	for _, pattern := range []func() *regexp.Regexp{figuresAtEnd, timesAlone} {
		if found := pattern().FindStringSubmatch(line); found != nil && checkFigures(strings.Fields(found[1])[1:]) == "" {
			return found[1]
		}
	}
	return ""
}

// take ends a benchmark with figures. Without packages, one name must be of one package.
func (t *transcript) take(i int, name string) {
	t.open, t.unsure, t.crash, t.readOne = "", "", "", true
	t.logs, t.newLogs = append(t.logs, t.newLogs...), nil
	if other, ok := t.joined[name]; ok && other != t.hidden {
		t.report(i, fmt.Sprintf("%s is in the packages %s and %s, which are one without pkg", name, other, t.hidden))
	}
	t.joined[name] = t.hidden
}

// isResult reports whether a line that begins with a name is a result. One that looks like it is a problem: only package
// testing puts a tab behind the name and begins a log there.
func (t *transcript) isResult(i int, line string, fields []string) bool {
	if len(fields) < 2 || !isCount(fields[1]) {
		return false
	}
	isLog := hasTab(line, fields[0]) && !strings.Contains(line, fields[1]+"\t")
	switch problem := checkFigures(fields[2:]); {
	case problem == "":
		return true
	case !isLog && (len(fields) > 2 || !hasTab(line, fields[0])):
		t.report(i, problem)
	}
	return false
}

// hasTab reports whether a name is followed by a tab, as by package testing.
func hasTab(line, name string) bool {
	return strings.HasPrefix(strings.TrimLeft(line[len(name):], " "), "\t")
}

// announce opens a benchmark whose figures are still to come. A log that begins like a name ends no benchmark.
func (t *transcript) announce(i int, line, name string) {
	isBare, hasProcs := line == name, WithoutProcs(name) != name
	isOther := t.open != "" && !t.isBare && !isBare && hasProcs != (WithoutProcs(t.open) != t.open)
	switch {
	case isOther: // package testing prints no other name before the figures
		t.newLogs = append(t.newLogs, name)
	case hasTab(line, name) || isBare && hasProcs, (isBare || figuresIn(line) != "") && (t.open == "" || t.isBare):
		t.close()
		t.unsure = ""
		t.open, t.openAt, t.isBare = name, i, isBare && !hasProcs
	default:
		t.newLogs = append(t.newLogs, name)
	}
}

// end ends a benchmark that fails or is skipped.
func (t *transcript) end(outcome, name string) {
	isOpen := WithoutProcs(t.open) == WithoutProcs(name)
	switch {
	case outcome == "FAIL":
		t.fail(name)
	case isOpen: // it has no figures to come
		t.open = ""
		fallthrough
	default:
		t.skipped = append(t.skipped, BenchmarkID{Package: t.pkg, Name: strings.TrimPrefix(WithoutProcs(name), "Benchmark")})
	}
	if isOpen {
		t.close()
	}
}

// close ends the open benchmark, which has no figures.
func (t *transcript) close() {
	if t.open != "" {
		isSure := map[bool]int{false: 1}[t.isBare]
		t.result[t.openAt] = fmt.Sprintf("%s %d 0 %s", t.open, isSure, noFigures)
		t.open = ""
	}
}

// noteCrash notes a crash without a result behind it as a failure.
func (t *transcript) noteCrash() {
	if t.crash != "" {
		t.fail(text.Clip(t.crash))
		t.crash = ""
	}
}

// fail notes a failed test or package, once.
func (t *transcript) fail(name string) {
	if !slices.Contains(t.failed, name) {
		t.failed = append(t.failed, name)
	}
}

// set returns the line of a setting, without blanks at the end. One that begins a log is left out.
func (t *transcript) set(key, value string) string {
	if value = strings.TrimRightFunc(value, unicode.IsSpace); key == "pkg" && value != t.pkg {
		t.close() // by another program
		t.noteCrash()
		t.pkg = value
	}
	if slices.Contains(t.ignore, key) {
		if key == "pkg" {
			t.hidden = value
		}
		return ""
	}
	if !t.known[key] {
		t.newLogs = append(t.newLogs, key+":")
		return ""
	}
	return strings.TrimRightFunc(key+": "+value, unicode.IsSpace)
}

// report keeps the first problem.
func (t *transcript) report(i int, problem string) {
	if t.problem == nil {
		t.problem = fmt.Errorf("%d: %s", i+1, problem)
	}
}
