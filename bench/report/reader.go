package report

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchfmt"
)

// InTurns is the key for the setting in files whose samples were measured in turns: sample k in one
// beside sample k in the other. Its value names the occasion and is the same in both files.
const InTurns = "interleaved"

// SeriesKey identifies a series: figures with the same key are comparable.
type SeriesKey struct {
	BenchmarkID
	Unit string // tidied, see [Tidy]
}

// FileSeries holds a key's samples, in their order.
type FileSeries struct {
	SeriesKey
	Printed string    // its unit as printed
	Samples []float64 // finite and at least 0
	Dropped bool      // some samples are left out, since they are no measurements
}

// File is the content of a file, or the output of a program, in Go's benchmark format.
type File struct {
	Name       string
	Results    []Result      // in their order
	Series     []*FileSeries // series by their first sample
	Unfinished []BenchmarkID // announced, but without figures
	Occasion   string        // value of [InTurns] in all results, "" without one
	Skipped    []BenchmarkID // by their benchmarks, without GOMAXPROCS and settings
	Failed     []string      // tests and packages that the file reports as failed
	Notes      []string      // figures and lines that were left out

	series     map[SeriesKey]*FileSeries
	invalid    map[SeriesKey]bool // with a figure that is no measurement
	properties map[Setting]string // units' properties, by tidied unit and key
}

// Read reads a file. Settings with the ignored keys are left out. Errors name the file and the line. A file by "ur bench
// run" must match its checksums.
func Read(name string, raw []byte, ignore ...string) (*File, error) {
	isBinary, isWide := bytes.IndexByte(raw, 0) >= 0, bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff"))
	content := decode(raw)
	isMixed := isWide && bytes.Contains(raw, []byte("Benchmark")) || wideText().Match(content)
	if err := checkSums(content); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f, err := scan(content, ignore)
	f.Name = name
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe\x00\x00")):
		return nil, fmt.Errorf("%s: a text in UTF-32 (want UTF-8)", name)
	case isMixed:
		return nil, fmt.Errorf("%s: one part is in UTF-16 and another one is not (want one file for each)", name)
	case err != nil:
		return nil, fmt.Errorf("%s:%w", name, err)
	case len(f.Results) == 0 && isBinary:
		return nil, fmt.Errorf("%s: not a text (want Go's benchmark format, in UTF-8)", name)
	case len(f.Results) == 0:
		const want = `Go's benchmark format, as written by "go test -bench" or "ur bench run -o"`
		return nil, fmt.Errorf("%s: no benchmarks (want %s)", name, want)
	}
	f.addSeries()
	return f, nil
}

// Scan reads the output of a test program. Lines that look like results and are none are left out.
func Scan(output []byte) *File {
	f, _ := scan(decode(output), nil)
	return f
}

// scan reads the results of a text. The error begins with the number of the first line that looks like a result and is
// none.
func scan(content []byte, ignore []string) (*File, error) {
	t := newTranscript(content, ignore)
	f := &File{Failed: t.failed, Skipped: t.skipped, series: make(map[SeriesKey]*FileSeries), invalid: make(map[SeriesKey]bool),
		properties: make(map[Setting]string)}
	reader := benchfmt.NewReader(strings.NewReader(strings.Join(t.result, "\n")), "")
	problem, occasions := t.problem, make(map[string]bool)
	var of benchmarkSettings
	var announced []BenchmarkID // by "go test -v"
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			of.update(record.Config)
			r := Result{BenchmarkID: BenchmarkID{of.pkg, of.others, record.Name.String()}, Iterations: record.Iters}
			switch {
			case record.Values[0].Unit != noFigures:
			case record.Iters == 0:
				announced = append(announced, r.BenchmarkID)
				continue
			default:
				f.Unfinished = append(f.Unfinished, r.BenchmarkID)
				continue
			}
			for _, v := range record.Values {
				if v.OrigUnit != "" {
					v.Value, v.Unit = v.OrigValue, v.OrigUnit
				}
				if v.Value == 0 {
					v.Value = 0 // not negative
				}
				r.Metrics = append(r.Metrics, Metric{v.Value, v.Unit})
			}
			occasions[of.occasion] = true
			f.Results = append(f.Results, r)
		case *benchfmt.UnitMetadata:
			_, line := record.Pos()
			problem = cmp.Or(problem, f.addProperty(record, line))
		case *benchfmt.SyntaxError:
			problem = cmp.Or(problem, fmt.Errorf("%d: %s (want a line such as \"Unit games/s better=higher\")", record.Line,
				record.Msg))
		}
	}
	if len(occasions) == 1 {
		for f.Occasion = range occasions {
		}
	}
	f.Unfinished = append(f.Unfinished, f.withoutFinished(announced)...)
	if len(t.logs) > 0 {
		slices.Sort(t.logs)
		f.Notes = append(f.Notes, fmt.Sprintf("skipped %s of logs: %s (a setting stands above goos, or between empty lines)",
			text.Plural(len(t.logs), "line"), text.Some(slices.Compact(t.logs), 3)))
	}
	return f, cmp.Or(problem, reader.Err())
}

// benchmarkSettings are the current settings of results.
type benchmarkSettings struct {
	config   []benchfmt.Config
	pkg      string
	occasion string
	others   string // as in [BenchmarkID.Settings]
}

// update takes the settings of a result, if they differ from those before.
func (s *benchmarkSettings) update(config []benchfmt.Config) {
	if slices.EqualFunc(config, s.config, func(a, b benchfmt.Config) bool {
		return a.Key == b.Key && bytes.Equal(a.Value, b.Value)
	}) {
		return
	}
	*s = benchmarkSettings{config: (&benchfmt.Result{Config: config}).Clone().Config}
	var lines []string
	for _, c := range config {
		switch c.Key {
		case "pkg":
			s.pkg = string(c.Value)
		case InTurns:
			s.occasion = string(c.Value)
		default:
			lines = append(lines, fmt.Sprintf("%s: %s\n", c.Key, c.Value))
		}
	}
	slices.Sort(lines)
	s.others = strings.Join(lines, "")
}

// withoutFinished leaves out announced benchmarks that are skipped, or have figures or sub-benchmarks with figures.
func (f *File) withoutFinished(announced []BenchmarkID) []BenchmarkID {
	done := make(map[BenchmarkID]bool)
	for i := 0; i < len(f.Results) && len(announced) > 0; i++ {
		for id := f.Results[i].BenchmarkID; id.Name != ""; id.Name = id.Name[:max(0, strings.LastIndexByte(id.Name, '/'))] {
			id.Settings, id.Name = "", WithoutProcs(id.Name)
			done[id] = true
		}
	}
	return filter(announced, func(id BenchmarkID) bool {
		return !f.Skips(id) && !done[BenchmarkID{Package: id.Package, Name: id.Name}]
	})
}

// addSeries collects the samples, without figures that are no measurements. Without one of its times, or any unit, a
// benchmark has no figures.
func (f *File) addSeries() {
	hasUnit, dropped := make(map[BenchmarkID]bool), make(map[SeriesKey]float64)
	for _, r := range f.Results {
		for _, m := range r.Metrics {
			x, unit := Tidy(m.Value, m.Unit)
			key := SeriesKey{r.BenchmarkID, unit}
			if f.series[key] == nil {
				f.series[key] = &FileSeries{SeriesKey: key, Printed: m.Unit}
				f.Series = append(f.Series, f.series[key])
			}
			if IsMeasurement(x) {
				f.series[key].Samples = append(f.series[key].Samples, x)
			} else if !f.series[key].Dropped {
				f.series[key].Dropped, dropped[key] = true, m.Value
			}
		}
	}
	for _, s := range f.Series {
		if f.invalid[s.SeriesKey] = s.Dropped && (s.Unit == TimeUnit || len(s.Samples) == 0); s.Dropped {
			word := map[bool]string{true: "is not judged", false: "is judged without some samples"}[f.invalid[s.SeriesKey]]
			f.Notes = append(f.Notes, fmt.Sprintf("%s %s in %s: %s", s.Name, word, s.Unit, NoMeasurement(dropped[s.SeriesKey])))
		}
	}
	valid := filter(f.Series, func(s *FileSeries) bool { return !f.invalid[s.SeriesKey] })
	for _, s := range valid {
		hasUnit[s.BenchmarkID] = true
	}
	for _, s := range f.Series {
		if f.invalid[s.SeriesKey] {
			delete(f.series, s.SeriesKey)
			if s.Unit == TimeUnit || !hasUnit[s.BenchmarkID] {
				f.Unfinished = append(f.Unfinished, s.BenchmarkID)
			}
		}
	}
	f.Series = valid
}

// IsInvalid reports whether a key's figures are left out, since they are no measurements.
func (f *File) IsInvalid(key SeriesKey) bool { return f.invalid[key] }

// Lacks reports whether the file announces a benchmark without figures. A failure may leave out GOMAXPROCS.
func (f *File) Lacks(b BenchmarkID) bool {
	return slices.ContainsFunc(f.Unfinished, func(u BenchmarkID) bool {
		return u.Package == b.Package && (u.Name == b.Name || u.Name == WithoutProcs(b.Name))
	})
}

// Skips reports whether the file has a benchmark that is skipped.
func (f *File) Skips(b BenchmarkID) bool {
	return slices.Contains(f.Skipped, BenchmarkID{Package: b.Package, Name: WithoutProcs(b.Name)})
}

// Fails reports whether the file has the failure of a benchmark.
func (f *File) Fails(b BenchmarkID) bool {
	return slices.ContainsFunc(f.Failed, func(name string) bool {
		return WithoutProcs(name) == "Benchmark"+WithoutProcs(b.Name)
	})
}

// IsMeasurement reports whether a figure is finite and at least 0.
func IsMeasurement(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }

// NoMeasurement describes a figure that is no measurement.
func NoMeasurement(x float64) string {
	return fmt.Sprintf("%v is no measurement (want finite figures of at least 0)", x)
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

// IsSetting reports whether a text is the key of a setting: it begins with a lower-case letter and has neither spaces
// nor upper-case letters.
func IsSetting(key string) bool {
	first, _ := utf8.DecodeRuneInString(key)
	return unicode.IsLower(first) &&
		!strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsUpper(r) || r == ':' })
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

// addProperty adds a property of a unit.
func (f *File) addProperty(m *benchfmt.UnitMetadata, line int) error {
	_, unit := Tidy(1, m.OrigUnit)
	at := Setting{unit, m.Key}
	if old, ok := f.properties[at]; ok && old != m.Value {
		return fmt.Errorf("%d: unit %s: %s is %s (want %s, as in a line before)", line, m.OrigUnit, m.Key, m.Value, old)
	}
	f.properties[at] = m.Value
	return nil
}

// Find returns a key's series, nil without it.
func (f *File) Find(key SeriesKey) *FileSeries { return f.series[key] }

// Directions returns the better directions of tidied units that the file declares, as [Better] does.
func (f *File) Directions() map[string]int {
	declared := make(map[string]int)
	for at, value := range f.properties {
		if better := map[string]int{"higher": 1, "lower": -1}[value]; at.Value == "better" && better != 0 {
			declared[at.Key] = better
		}
	}
	return declared
}

// Better returns a tidied unit's better direction, as [Better] does. A line "Unit" in the file
// counts most.
func (f *File) Better(unit string) int {
	if better, ok := f.Directions()[unit]; ok {
		return better
	}
	return Better(unit)
}

// IsExact reports whether the file states that a tidied unit has no noise.
func (f *File) IsExact(unit string) bool { return f.properties[Setting{unit, "assume"}] == "exact" }
