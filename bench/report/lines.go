package report

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchfmt"
)

// reader reads the output of programs line by line. Package testing prints a benchmark's name before its run and the
// figures after it, so logs come between them.
type reader struct {
	*File
	lines  []string
	format benchfmt.Reader // of one line
	ignore []string        // keys of settings to leave out

	known     map[string]bool        // keys that are settings wherever they stand
	settings  map[string]string      // current ones
	current   BenchmarkID            // current package and settings, without a name
	pkg       string                 // current package, even if it is left out
	mentioned string                 // package named behind other text
	packages  map[BenchmarkID]string // packages of results, by package and name
	occasions map[string]bool        // values of [InTurns] in results

	open      *BenchmarkID  // announced benchmark without figures
	isBare    bool          // its line has nothing else, as with "go test -v"
	isName    bool          // its line has nothing but a name that may end with GOMAXPROCS
	unsure    string        // name whose figures without a time stood in a later line: that may be a log
	announced []BenchmarkID // by "go test -v", perhaps with sub-benchmarks instead of figures

	crash         string   // first line of a crash: with results behind it, it is a log
	logs, newLogs []string // beginnings of lines that look like settings or benchmarks, and of those behind the last result
	problem       error    // first line that looks like a result and is none
}

// settingKeys are the keys of package testing. A log may look like any other setting.
var settingKeys = []string{"goos", "goarch", "pkg", "cpu"}

var (
	// benchmarkName matches the name of a function that Go runs as a benchmark.
	benchmarkName = text.Regexp(`^Benchmark([^a-z]|$)`)

	// laterResult matches a result as package testing prints it behind indentation, or a log without an end of its line.
	laterResult = text.Regexp(`^.+(Benchmark\S*(?:\s+|\s*\t *)[1-9][0-9]*\t.*)$|^\s+(Benchmark\S*\s+[1-9][0-9]*\s.*)$`)

	// laterPackage matches the setting of a package behind other text.
	laterPackage = text.Regexp(`\S\s*\bpkg: (\S+)\s*$`)

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

// scan reads the results of a text. The error begins with the number of the first line that looks like a result and is
// none.
func scan(content []byte, ignore []string) (*File, error) {
	r := &reader{lines: strings.Split(string(content), "\n"), ignore: ignore, known: map[string]bool{InTurns: true},
		settings: make(map[string]string), packages: make(map[BenchmarkID]string), occasions: make(map[string]bool),
		File: &File{series: make(map[SeriesKey]*FileSeries), invalid: make(map[SeriesKey]bool), properties: make(map[Setting]string)}}
	r.learn(settingKeys)
	for i, line := range r.lines {
		if i == 0 || strings.TrimSpace(r.lines[i-1]) == "" {
			r.learnSettings(i)
		}
		r.read(i, line)
	}
	r.close()
	r.noteCrash()
	if all := slices.Collect(maps.Keys(r.occasions)); len(all) == 1 {
		r.Occasion = all[0]
	}
	r.Unfinished = append(r.Unfinished, r.withoutFinished(r.announced)...)
	if len(r.logs) > 0 {
		slices.Sort(r.logs)
		r.Notes = append(r.Notes, fmt.Sprintf("skipped %s of logs: %s (a setting stands above goos, or between empty lines)",
			text.Plural(len(r.logs), "line"), text.Some(slices.Compact(r.logs), 3)))
	}
	return r.File, r.problem
}

// learnSettings takes the unknown keys at the beginning of a paragraph for settings: in a paragraph of settings, in front
// of those of package testing, and in front of the first result. Logs follow them.
func (r *reader) learnSettings(i int) {
	var keys []string
	for ; i < len(r.lines); i++ {
		line := strings.TrimSpace(r.lines[i])
		key, _, ok := settingOf(line)
		switch {
		case line == "":
			r.learn(keys)
			return
		case strings.HasPrefix(line, "Unit ") || line[0] == '#':
		case !ok:
			if len(r.Results) == 0 && !slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(settingKeys, key) }) {
				r.learn(keys)
			}
			return
		case slices.Contains(settingKeys, key):
			r.learn(keys)
			fallthrough
		default:
			keys = append(keys, key)
		}
	}
	r.learn(keys)
}

func (r *reader) learn(keys []string) {
	for _, key := range keys {
		r.known[key] = r.known[key] || !logKey().MatchString(key)
	}
}

// read reads a line.
func (r *reader) read(i int, line string) {
	raw := line
	line = withoutLog(line)
	fields := strings.Fields(line)
	if strings.Contains(raw, "pkg: ") {
		if found := laterPackage().FindStringSubmatch(raw); found != nil {
			r.mentioned = found[1]
		}
	}
	switch {
	case line != raw && r.mentioned != "" && r.mentioned != r.pkg:
		r.report(i, fmt.Sprintf("a result and \"pkg: %s\" behind other text (want lines that begin with them)", r.mentioned))
	case len(fields) == 0:
		return
	case strings.Index(line, "Benchmark") > 0 && figuresIn(line) != "":
		r.logs = append(r.logs, fields[0])
	}
	if len(fields) > 3 && strings.HasPrefix(line, "Benchmark") && checkFigures(fields[2:]) == "" {
		if _, err := strconv.ParseFloat(fields[1], 64); err == nil && !isCount(fields[1]) {
			r.report(i, fmt.Sprintf("invalid number of iterations %s (want a whole number)", fields[1]))
		} else if err == nil && !benchmarkName().MatchString(line) {
			r.report(i, fields[0]+" is no name of a benchmark (want an upper-case letter behind Benchmark)")
		}
	}
	if benchmarkName().MatchString(line) {
		if r.isResult(i, line, fields) {
			if r.isName && r.open != nil && "Benchmark"+r.open.Name == fields[0] {
				r.open = nil // "go test -v" announced it: its name ends with a number
			}
			r.close()
			r.take(i, line)
			return
		}
		if blankInName().MatchString(line) && figuresIn(line) != "" {
			r.report(i, "a blank in the name of a benchmark (want _ instead)")
		}
		r.announce(line, fields[0])
	}
	if outcome := outcomeLine().FindStringSubmatch(line); outcome != nil {
		r.end(outcome[1], outcome[2])
		return
	}
	switch figures := figuresIn(line); {
	case figures == "":
	case r.open != nil:
		name := "Benchmark" + r.open.Name
		if r.take(i, name+" "+figures); !timesAlone().MatchString(figures) {
			r.unsure = name
		}
		return
	case r.unsure != "" && strings.TrimSpace(line) == figures:
		r.report(i, fmt.Sprintf("more figures of %s (want them in one line, and no log that looks like them)", r.unsure))
	case timesAlone().MatchString(line):
		r.report(i, "figures without the name of a benchmark (want it in front of them, or in a line above)")
	}
	if crash := crashLine().FindStringSubmatch(line); crash != nil {
		r.crash = cmp.Or(r.crash, crash[1])
	} else if ended := packageLine().FindStringSubmatch(line); ended != nil {
		r.endPackage(fields[0] == "FAIL", ended[1])
	} else if fields[0] == "Unit" && line[0] == 'U' {
		r.takeUnit(i, line)
	} else if key, value, ok := settingOf(line); ok {
		r.set(key, strings.TrimRightFunc(value, unicode.IsSpace))
	}
}

// endPackage ends a test program.
func (r *reader) endPackage(isFailed bool, path string) {
	if r.close(); isFailed && !strings.HasPrefix(r.crash, "exit ") {
		r.noteCrash()
	}
	if r.crash = ""; isFailed && (path != "" || len(r.Failed) == 0) {
		r.fail(cmp.Or(path, "a test"))
	}
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

// take takes the line of a result. Without packages, one name must be of one package.
func (r *reader) take(i int, line string) {
	r.format.Reset(strings.NewReader(line), "")
	r.format.Scan()
	record, ok := r.format.Result().(*benchfmt.Result)
	if !ok {
		r.report(i, "the line of a result is too long (want less than 64 KB)")
		return
	}
	result := Result{BenchmarkID: r.current, Iterations: record.Iters}
	result.Name = record.Name.String()
	for _, v := range record.Values {
		if v.OrigUnit != "" {
			v.Value, v.Unit = v.OrigValue, v.OrigUnit
		}
		result.Metrics = append(result.Metrics, Metric{v.Value + 0, v.Unit}) // no negative zero
	}
	r.Results = append(r.Results, result)
	r.occasions[r.settings[InTurns]] = true
	r.open, r.unsure, r.crash = nil, "", ""
	r.logs, r.newLogs = append(r.logs, r.newLogs...), nil
	id := BenchmarkID{Package: r.current.Package, Name: result.Name}
	if other, ok := r.packages[id]; ok && other != r.pkg {
		r.report(i, fmt.Sprintf("Benchmark%s is in the packages %s and %s, which are one without pkg", id.Name, other, r.pkg))
	}
	r.packages[id] = r.pkg
}

// takeUnit takes the properties of a unit. A log may begin with its word.
func (r *reader) takeUnit(i int, line string) {
	if !strings.Contains(line, "=") {
		r.newLogs = append(r.newLogs, "Unit")
		return
	}
	for r.format.Reset(strings.NewReader(line), ""); r.format.Scan(); {
		m, ok := r.format.Result().(*benchfmt.UnitMetadata)
		if !ok {
			r.report(i, r.format.Result().(*benchfmt.SyntaxError).Msg+` (want a line such as "Unit games/s better=higher")`)
			continue
		}
		_, unit := Tidy(1, m.OrigUnit)
		at := Setting{unit, m.Key}
		if old, ok := r.properties[at]; ok && old != m.Value {
			r.report(i, fmt.Sprintf("unit %s: %s is %s (want %s, as in a line before)", m.OrigUnit, m.Key, m.Value, old))
		} else if m.Key == "better" && m.Value != "higher" && m.Value != "lower" {
			r.report(i, fmt.Sprintf("unit %s: better is %q (want higher or lower)", m.OrigUnit, m.Value))
		}
		r.properties[at] = m.Value
	}
}

// isResult reports whether a line that begins with a name is a result. One that looks like it is a problem: only package
// testing puts a tab behind the name and begins a log there.
func (r *reader) isResult(i int, line string, fields []string) bool {
	if len(fields) < 2 || !isCount(fields[1]) {
		return false
	}
	isLog := hasTab(line, fields[0]) && !strings.Contains(line, fields[1]+"\t")
	switch problem := checkFigures(fields[2:]); {
	case problem == "":
		return true
	case !isLog && (len(fields) > 2 || !hasTab(line, fields[0])):
		r.report(i, problem)
	}
	return false
}

// hasTab reports whether a name is followed by a tab, as by package testing.
func hasTab(line, name string) bool {
	return strings.HasPrefix(strings.TrimLeft(line[len(name):], " "), "\t")
}

// announce opens a benchmark whose figures are still to come. A log that begins like a name ends no benchmark.
func (r *reader) announce(line, name string) {
	isBare, hasProcs := line == name, WithoutProcs(name) != name
	isOther := r.open != nil && !r.isBare && !isBare && hasProcs != (WithoutProcs(r.open.Name) != r.open.Name)
	if r.open != nil && r.isName && isBare && strings.HasPrefix(name, "Benchmark"+r.open.Name+"/") {
		r.open = nil // it has sub-benchmarks
	}
	switch {
	case isOther: // package testing prints no other name before the figures
		r.newLogs = append(r.newLogs, name)
	case hasTab(line, name) || isBare && hasProcs, (isBare || figuresIn(line) != "") && (r.open == nil || r.isBare):
		r.close()
		r.unsure, r.isBare, r.isName = "", isBare && !hasProcs, isBare && hasProcs
		id := r.current
		id.Name = strings.TrimPrefix(name, "Benchmark")
		r.open = &id
	default:
		r.newLogs = append(r.newLogs, name)
	}
}

// end ends a benchmark that fails or is skipped.
func (r *reader) end(outcome, name string) {
	id := BenchmarkID{Package: r.current.Package, Name: strings.TrimPrefix(WithoutProcs(name), "Benchmark")}
	isOpen := r.open != nil && WithoutProcs(r.open.Name) == id.Name
	if outcome == "FAIL" {
		r.fail(name)
	} else if r.Skipped = append(r.Skipped, id); isOpen {
		r.open = nil // it has no figures to come
	}
	if isOpen {
		r.close()
	}
}

// close ends the open benchmark, which has no figures.
func (r *reader) close() {
	switch {
	case r.open == nil:
	case r.isBare:
		r.announced = append(r.announced, *r.open)
	default:
		r.Unfinished = append(r.Unfinished, *r.open)
	}
	r.open = nil
}

// noteCrash notes a crash without a result behind it as a failure.
func (r *reader) noteCrash() {
	if r.crash != "" {
		r.fail(text.Clip(r.crash))
		r.crash = ""
	}
}

// fail notes a failed test or package, once.
func (r *reader) fail(name string) {
	if !slices.Contains(r.Failed, name) {
		r.Failed = append(r.Failed, name)
	}
}

// set takes a setting, none without a value. One that begins a log is left out.
func (r *reader) set(key, value string) {
	if key == "pkg" && value != r.pkg {
		r.close() // by another program
		r.noteCrash()
		r.pkg = value
	}
	switch {
	case slices.Contains(r.ignore, key) || r.settings[key] == value && r.known[key]:
		return
	case !r.known[key]:
		r.newLogs = append(r.newLogs, key+":")
		return
	case value == "":
		delete(r.settings, key)
	default:
		r.settings[key] = value
	}
	var lines []string
	for key, value := range r.settings {
		if key != "pkg" && key != InTurns {
			lines = append(lines, fmt.Sprintf("%s: %s\n", key, value))
		}
	}
	slices.Sort(lines)
	r.current = BenchmarkID{Package: r.settings["pkg"], Settings: strings.Join(lines, "")}
}

// report keeps the first problem.
func (r *reader) report(i int, problem string) {
	if r.problem == nil {
		r.problem = fmt.Errorf("%d: %s", i+1, problem)
	}
}

// settingOf splits a configuration line. The go command prints what it downloads in the same form, as linkers do warnings.
func settingOf(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	trimmed := strings.TrimLeft(value, " \t")
	if !ok || !IsSetting(key) || value != "" && trimmed == value || key == "go" && strings.HasPrefix(trimmed, "downloading ") ||
		strings.HasPrefix(trimmed, "warning: ") {
		return "", "", false
	}
	return key, trimmed, true
}

// isCount reports whether a field is a number of iterations.
func isCount(field string) bool {
	_, err := strconv.Atoi(field)
	return err == nil
}

// checkFigures returns the problem with the figures of a result, "" for none.
func checkFigures(figures []string) string {
	if len(figures) == 0 || len(figures)%2 != 0 {
		return "incomplete benchmark (want a name, a number of iterations, and values with units)"
	}
	for i := 0; i < len(figures); i += 2 {
		if _, err := strconv.ParseFloat(figures[i], 64); err != nil {
			return fmt.Sprintf("invalid measurement %s %s (want a number)", figures[i], figures[i+1])
		}
	}
	return ""
}
