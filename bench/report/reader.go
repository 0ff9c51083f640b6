package report

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// InTurns is the key for the setting in files whose samples were measured in turns: sample k in one
// beside sample k in the other. Its value names the occasion and is the same in both files.
const InTurns = "interleaved"

// SeriesKey identifies a series: figures with the same key are comparable.
type SeriesKey struct {
	BenchmarkID
	Unit string // see [TidyBeside]
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
	printed, byPrinted := make(map[BenchmarkID][]string), make(map[SeriesKey]*FileSeries)
	for _, r := range f.Results {
		for _, m := range r.Metrics {
			if !slices.Contains(printed[r.BenchmarkID], m.Unit) {
				printed[r.BenchmarkID] = append(printed[r.BenchmarkID], m.Unit)
			}
		}
	}
	for _, r := range f.Results {
		for _, m := range r.Metrics {
			s := byPrinted[SeriesKey{r.BenchmarkID, m.Unit}]
			if s == nil {
				_, unit := TidyBeside(m.Value, m.Unit, printed[r.BenchmarkID])
				s = &FileSeries{SeriesKey: SeriesKey{r.BenchmarkID, unit}, Printed: m.Unit}
				byPrinted[SeriesKey{r.BenchmarkID, m.Unit}], f.series[s.SeriesKey], f.Series = s, s, append(f.Series, s)
			}
			x, unit := Tidy(m.Value, m.Unit)
			if unit != s.Unit {
				x = m.Value
			}
			key := s.SeriesKey
			if IsMeasurement(x) {
				s.Samples = append(s.Samples, x)
			} else if !s.Dropped {
				s.Dropped, dropped[key] = true, m.Value
			}
		}
	}
	all := f.Series
	f.Series = filter(all, func(s *FileSeries) bool { return !s.Dropped || s.Unit != TimeUnit && len(s.Samples) > 0 })
	for _, s := range f.Series {
		hasUnit[s.BenchmarkID] = true
	}
	for _, s := range filter(all, func(s *FileSeries) bool { return s.Dropped }) {
		word := "is judged without some samples"
		if f.invalid[s.SeriesKey] = s.Unit == TimeUnit || len(s.Samples) == 0; f.invalid[s.SeriesKey] {
			word = "is not judged"
			delete(f.series, s.SeriesKey)
			if s.Unit == TimeUnit || !hasUnit[s.BenchmarkID] {
				f.Unfinished = append(f.Unfinished, s.BenchmarkID)
			}
		}
		f.Notes = append(f.Notes, fmt.Sprintf("%s %s in %s: %v is no measurement (want finite figures of at least 0)", s.Name, word,
			s.Unit, dropped[s.SeriesKey]))
	}
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

// IsSetting reports whether a text is the key of a setting: it begins with a lower-case letter and has neither spaces
// nor upper-case letters.
func IsSetting(key string) bool {
	first, _ := utf8.DecodeRuneInString(key)
	return unicode.IsLower(first) &&
		!strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsUpper(r) || r == ':' })
}

// Find returns a key's series, nil without it.
func (f *File) Find(key SeriesKey) *FileSeries { return f.series[key] }

// Has reports whether a benchmark has figures.
func (f *File) Has(b BenchmarkID) bool {
	return slices.ContainsFunc(f.Series, func(s *FileSeries) bool { return s.BenchmarkID == b })
}

// Prints reports whether a benchmark has a series in a printed unit.
func (f *File) Prints(b BenchmarkID, unit string) bool {
	return slices.ContainsFunc(f.Series, func(s *FileSeries) bool { return s.BenchmarkID == b && s.Printed == unit })
}

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

// IsExact reports whether the file states that a tidied unit has no noise.
func (f *File) IsExact(unit string) bool { return f.properties[Setting{unit, "assume"}] == "exact" }
