package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"golang.org/x/perf/benchfmt"
)

// seed is a file with every kind of line.
const seed = `goos: linux
Unit x/y better=higher assume=exact
pkg: example.com/a
BenchmarkA/n=1-4 10 5 ns/op 7 B/op 3 MB/s
BenchmarkA/n=1-4	10	6.5 ns/op	8 B/op	4 MB/s
BenchmarkB
BenchmarkB: a log
BenchmarkC 1 2 x/y 1e300 us/game
--- FAIL: BenchmarkD
FAIL	example.com/a
pkg:
key:not a setting
BenchmarkC 1 2 p99-ms/op
`

func TestRead(t *testing.T) {
	f := testkit.Must(Read("a.txt", []byte(seed)))(t)
	first := f.Find(SeriesKey{"goos: linux\npkg: example.com/a\n", "A/n=1-4", "sec/op"})
	testkit.ErrorIf(t, first == nil || !slices.Equal(first.Samples, []float64{5e-9, 6.5e-9}) || f.Series[0] != first ||
		len(f.Series) != 6, "%+v", f.Series)
	testkit.Equal(t, f.Series[5].SeriesKey, SeriesKey{"goos: linux\n", "C", "p99-sec/op"}, "last series")
	testkit.ErrorIf(t, f.Logs != 1 || !slices.Equal(f.Failed, []string{"BenchmarkD", "example.com/a"}) ||
		f.Better("x/y") != 1 || !f.IsExact("x/y") || f.IsExact("sec/op"), "%+v", f)
}

// Files of one occasion were measured in turns, but not a file of two.
func TestOccasion(t *testing.T) {
	const line = "BenchmarkA 1 5 ns/op\n"
	for content, want := range map[string]string{
		"": "", "interleaved: x\n" + line: "x", "interleaved: x\n" + line + "interleaved: y\n": "",
		line + "interleaved: y\n": "",
	} {
		testkit.Equal(t, testkit.Must(Read("a", []byte(content+line)))(t).Occasion, want, "%q: occasion", content)
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	one := RunComment + "1 sample\nBenchmarkA 1 5 ns/op\n"
	one += Checksum([]byte(one))
	for _, good := range []string{one, one + one} {
		testkit.Must(Read("a", []byte(good)))(t)
	}
	for want, content := range map[string]string{
		"a: missing checksum":                one[:strings.Index(one, "# sha256")],
		"a: checksum mismatch":               one[:len(one)-9],
		"a: checksum mismatch: the file was": strings.Replace(one, " 5 ns", " 6 ns", 1),
		"a: no benchmarks":                   "{}\n",
		"a:1: incomplete benchmark":          "BenchmarkA 1 5 ns/op 6\n",
		"a:2: invalid measurement x":         "\nBenchmarkA 1 x ns/op\n",
		"a:1: invalid measurement -5":        "BenchmarkA 1 -5 ns/op\n",
		"a:1: invalid measurement NaN":       "BenchmarkA 1 NaN ns/op\n",
		"a:1: missing unit":                  "Unit\n",
		`a:1: unit x: invalid property "y"`:  "Unit x y\n",
		"a:2: unit us/x: better is lower":    "Unit ns/x better=higher\nUnit us/x better=lower\n",
	} {
		_, err := Read("a", []byte(content))
		testkit.ErrorIf(t, err == nil || !strings.HasPrefix(err.Error(), want),
			"%q: error %v, want %q", content, err, want)
	}
}

// FuzzRead compares the content of accepted files with that of golang.org/x/perf/benchfmt.
func FuzzRead(f *testing.F) {
	f.Add([]byte(seed))
	f.Add([]byte("interleaved: x\nUnit x better=higher\nBenchmarkA/b=1 1 1e300 x\nFAIL\n# sha256 00\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		got, err := Read("a", content)
		testkit.SkipOn(t, err)
		want := make(map[SeriesKey][]float64)
		reader := benchfmt.NewReader(bytes.NewReader(content), "a")
		logs := 0
		for reader.Scan() {
			switch r := reader.Result().(type) {
			case *benchfmt.SyntaxError:
				logs++
			case *benchfmt.Result:
				key := SeriesKey{Name: r.Name.String()}
				var lines []string
				for _, c := range r.Config {
					if c.Key != InTurns {
						lines = append(lines, fmt.Sprintf("%s: %s\n", c.Key, c.Value))
					}
				}
				slices.Sort(lines)
				key.Settings = strings.Join(lines, "")
				for _, v := range r.Values {
					x, unit := v.Value, v.Unit
					if v.OrigUnit != "" {
						x, unit = v.OrigValue, v.OrigUnit
					}
					x, key.Unit = Tidy(x, unit)
					want[key] = append(want[key], x)
				}
			}
		}
		testkit.SkipOn(t, reader.Err()) // a long line
		have := make(map[SeriesKey][]float64)
		for _, s := range got.Series {
			have[s.SeriesKey] = s.Samples
		}
		testkit.Equal(t, got.Logs, logs, "logs")
		testkit.Equal(t, have, want, "series")
	})
}

// The writer states the settings where they change, in the form of benchfmt.
func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	w.Unit("games/s")
	w.Unit("ns/turn")
	turn := Result{FullName("Turn", 4), 10, []Metric{{2000.5, "ns/turn"}, {1e21, "games/s"}}}
	w.Configure(Setting{"goos", "linux"}, Setting{"pkg", "a"}, Setting{"none", ""})
	w.Result(turn)
	w.Configure(Setting{"goos", "linux"}, Setting{"pkg", "a"})
	w.Result(turn)
	w.Configure(Setting{"pkg", "b"})
	w.Result(Result{FullName("Turn", 1), 1, []Metric{{0, "ns/turn"}}})
	const want = `Unit games/s better=higher
Unit ns/turn better=lower
goos: linux
pkg: a

BenchmarkTurn-4 10 2000.5 ns/turn 1e+21 games/s
BenchmarkTurn-4 10 2000.5 ns/turn 1e+21 games/s

goos:
pkg: b

BenchmarkTurn 1 0 ns/turn
`
	testkit.Equal(t, out.String(), want, "text")
	f := testkit.Must(Read("a", out.Bytes()))(t)
	testkit.ErrorIf(t, len(f.Series) != 3 || f.Series[2].Settings != "pkg: b\n" || f.Better("games/s") != 1, "%+v", f)
}

func TestUnits(t *testing.T) {
	for unit, want := range map[string]int{"ns/op": -1, "us/game": -1, "p99-ns/op": -1, "B/op": -1, "allocs/op": -1,
		"games/s": 1, "MB/s": 1, "x": 0, "things/op": 0} {
		testkit.Equal(t, Better(unit), want, "%s", unit)
	}
	x, unit := Tidy(5, "p99-ns/op")
	testkit.Equal(t, x, 5e-9, "tidy figure")
	testkit.Equal(t, unit, "p99-sec/op", "tidy unit")
	for unit, want := range map[string]float64{"us/game": 1000, "games/s": 0, "us": 0} {
		testkit.Equal(t, Nanoseconds(unit), want, "%s: nanoseconds", unit)
	}
	for got, want := range map[string]string{
		Figure(1.2345e-6, "sec/op"): "1.23 µs", Figure(2500.0, "B/op"): "2,500", Figure(3e-12, "sec/op"): "0.00300 ns",
		Percent(0.025): "+2.50%", Percent(-1.0): "-100%", Percent(1e7): "+∞", Percent(180.0): "×181",
		IntervalText(0.25, 0.24, 0.26): "0.250 [0.240–0.260]",
	} {
		testkit.Equal(t, got, want, "figure")
	}
}

func TestMachine(t *testing.T) {
	testkit.ErrorIf(t, CPUName() == "" || len(Load()) != min(1, len(LoadAverages())),
		"CPU %q, load %v", CPUName(), Load())
}
