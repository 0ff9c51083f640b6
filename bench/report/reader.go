package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// InTurns is the key for the setting in files whose samples were measured in turns: sample k in one
// beside sample k in the other. Its value names the occasion and is the same in both files.
const InTurns = "interleaved"

// SeriesKey identifies a series: figures with the same key are comparable.
type SeriesKey struct {
	Settings string // lines "key: value", without [InTurns]
	Name     string // full name, without "Benchmark"
	Unit     string // tidied, see [Tidy]
}

// FileSeries holds a key's samples, in their order.
type FileSeries struct {
	SeriesKey
	Samples []float64 // finite and at least 0
}

// File is a file's content in Go's benchmark format.
type File struct {
	Name     string
	Series   []*FileSeries // series by their first sample
	Occasion string        // value of [InTurns] in all results, "" without one
	Failed   []string      // tests and packages that the file reports as failed
	Logs     int           // lines that begin like benchmarks, but are logs

	series     map[SeriesKey]*FileSeries
	properties map[Setting]string // units' properties, by tidied unit and key
}

// Read reads a file. Errors name the file and the line. A file by "ur bench run" must match its
// checksums.
func Read(name string, content []byte) (*File, error) {
	if err := checkSums(content); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{Name: name, Failed: failures(content), series: make(map[SeriesKey]*FileSeries),
		properties: make(map[Setting]string)}
	settings := make(map[string]string)
	stated := "" // the settings as in [SeriesKey.Settings]
	occasions := make(map[string]bool)
	number := 0
	for line := range strings.Lines(string(content)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		var err error
		fields := strings.Fields(line)
		if strings.HasPrefix(line, "Benchmark") {
			occasions[settings[InTurns]] = true
			if line != fields[0] { // a name alone announces a benchmark
				err = f.addResult(stated, fields)
			}
		} else if strings.HasPrefix(line, "Unit") && fields[0] == "Unit" {
			err = f.addProperties(fields[1:])
		} else if key, value, ok := settingOf(line); ok {
			settings[key] = value
			stated = textOf(settings)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	if len(f.Series) == 0 {
		const want = `Go's benchmark format, as written by "go test -bench" or "ur bench run -o"`
		return nil, fmt.Errorf("%s: no benchmarks (want %s)", name, want)
	}
	if len(occasions) == 1 {
		for f.Occasion = range occasions {
		}
	}
	return f, nil
}

// settingOf splits a configuration line: its key begins with a lower-case letter and has neither spaces
// nor upper-case letters.
func settingOf(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	if !ok || key == "" || !unicode.IsLower([]rune(key)[0]) ||
		strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsUpper(r) }) {
		return "", "", false
	}
	trimmed := strings.TrimLeft(value, " \t")
	return key, trimmed, value == "" || trimmed != value
}

// textOf returns settings for [SeriesKey.Settings], in key order. Those without a value do not apply.
func textOf(settings map[string]string) string {
	var lines []string
	for key, value := range settings {
		if key != InTurns && value != "" {
			lines = append(lines, key+": "+value+"\n")
		}
	}
	return strings.Join(slices.Sorted(slices.Values(lines)), "")
}

// isCount reports whether a field is a number of iterations.
func isCount(field string) bool {
	_, err := strconv.Atoi(field)
	return err == nil
}

// addResult adds a benchmark line's figures. A name without a number of iterations begins a log.
func (f *File) addResult(settings string, fields []string) error {
	if len(fields) < 2 || !isCount(fields[1]) {
		f.Logs++
		return nil
	}
	key := SeriesKey{Settings: settings, Name: strings.TrimPrefix(fields[0], "Benchmark")}
	figures := fields[2:]
	if len(figures) == 0 || len(figures)%2 != 0 {
		return errors.New("incomplete benchmark (want a name, a number of iterations, and values with units)")
	}
	for i := 0; i < len(figures); i += 2 {
		x, err := strconv.ParseFloat(figures[i], 64)
		if err != nil || !(x >= 0) || math.IsInf(x, 0) {
			return fmt.Errorf("invalid measurement %s %s (want a finite number of at least 0)", figures[i],
				figures[i+1])
		}
		x, key.Unit = Tidy(x, figures[i+1])
		if f.series[key] == nil {
			f.series[key] = &FileSeries{SeriesKey: key}
			f.Series = append(f.Series, f.series[key])
		}
		f.series[key].Samples = append(f.series[key].Samples, x)
	}
	return nil
}

// addProperties adds the properties in a line "Unit".
func (f *File) addProperties(fields []string) error {
	if len(fields) == 0 {
		return errors.New(`missing unit (want a line such as "Unit games/s better=higher")`)
	}
	_, unit := Tidy(1, fields[0])
	for _, field := range fields[1:] {
		key, value, ok := strings.Cut(field, "=")
		if !ok || key == "" {
			return fmt.Errorf("unit %s: invalid property %q (want key=value)", fields[0], field)
		}
		at := Setting{unit, key}
		if old, ok := f.properties[at]; ok && old != value {
			return fmt.Errorf("unit %s: %s is %s (want %s, as in a line before)", fields[0], key, value, old)
		}
		f.properties[at] = value
	}
	return nil
}

// Find returns a key's series, nil without it.
func (f *File) Find(key SeriesKey) *FileSeries { return f.series[key] }

// Better returns a tidied unit's better direction, as [Better] does. A line "Unit" in the file
// counts most.
func (f *File) Better(unit string) int {
	switch f.properties[Setting{unit, "better"}] {
	case "higher":
		return 1
	case "lower":
		return -1
	}
	return Better(unit)
}

// IsExact reports whether the file states that a tidied unit has no noise.
func (f *File) IsExact(unit string) bool { return f.properties[Setting{unit, "assume"}] == "exact" }

var (
	runLine = text.Regexp(`(?m)^` + RunComment)
	sumLine = text.Regexp(`(?m)^# sha256 [0-9a-f]*\n?`)
)

// checkSums compares the checksum at each run's end with its lines.
func checkSums(content []byte) error {
	sums := sumLine().FindAllIndex(content, -1)
	if len(runLine().FindAll(content, -1)) > len(sums) {
		return errors.New("missing checksum in the last line: the file is truncated")
	}
	begin := 0
	for _, at := range sums {
		if strings.TrimSpace(string(content[at[0]:at[1]])) != strings.TrimSpace(Checksum(content[begin:at[0]])) {
			return errors.New("checksum mismatch: the file was edited or damaged")
		}
		begin = at[1]
	}
	return nil
}

// failedLine matches the line "go test" prints for a failed test or package.
var failedLine = text.Regexp(`(?m)^(?:--- FAIL: (\S+)|FAIL\s+(\S+)|FAIL$)`)

// failures lists the failures in a file, each once.
func failures(content []byte) (failed []string) {
	for _, parts := range failedLine().FindAllSubmatch(content, -1) {
		name := cmp.Or(string(parts[1]), string(parts[2]), "a test")
		if !slices.Contains(failed, name) {
			failed = append(failed, name)
		}
	}
	return failed
}
