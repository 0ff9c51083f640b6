package report

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
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
	first := f.Find(SeriesKey{BenchmarkID{"example.com/a", "goos: linux\n", "A/n=1-4"}, "sec/op"})
	testkit.ErrorIf(t, first == nil || !slices.Equal(first.Samples, []float64{5e-9, 6.5e-9}) || f.Series[0] != first ||
		len(f.Series) != 6, "%+v", f.Series)
	testkit.Equal(t, f.Series[5].SeriesKey, SeriesKey{BenchmarkID{"", "goos: linux\n", "C"}, "p99-sec/op"}, "last series")
	testkit.ErrorIf(t, len(f.Notes) != 1 || !slices.Equal(f.Failed, []string{"BenchmarkD", "example.com/a"}) ||
		f.Directions()["x/y"] != 1 || !f.IsExact("x/y") || f.IsExact("sec/op"), "%+v", f)
	testkit.Equal(t, f.Unfinished, []BenchmarkID{{"example.com/a", "goos: linux\n", "B"}}, "benchmarks without figures")
}

// describe lists the samples of a file, and what it leaves out.
func describe(f *File) string {
	lines := text.List(f.Series, func(s *FileSeries) string { return fmt.Sprint(s.Package, ".", s.Name, " ", s.Samples, " ", s.Unit) })
	for _, id := range f.Unfinished {
		lines = append(lines, "no "+id.Package+"."+id.Name)
	}
	return strings.Join(append(append(lines, f.Failed...), f.Notes...), "; ")
}

// Every form in which people keep results is read rightly.
func TestForms(t *testing.T) {
	inUTF16 := func(order binary.ByteOrder, text string) string {
		var out []byte
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			units := make([]byte, 2)
			order.PutUint16(units, unit)
			out = append(out, units...)
		}
		return string(out)
	}
	event := func(pkg, output string) string {
		return fmt.Sprintf("{\"Time\":\"2026-01-02T10:00:00Z\",\"Action\":\"output\",\"Package\":%q,\"Output\":%q}\n", pkg, output)
	}
	const plain = "pkg: p\nBenchmarkA-8   \t     100\t         5 s/op\n"
	for name, test := range map[string]struct{ text, want string }{
		"plain":                  {plain, "p.A-8 [5] sec/op"},
		"CRLF":                   {strings.ReplaceAll(plain, "\n", "\r\n"), "p.A-8 [5] sec/op"},
		"byte order mark":        {"\ufeff" + plain, "p.A-8 [5] sec/op"},
		"a container":            {strings.ReplaceAll("\n"+plain+"\nPASS", "\n", "\nbench-1  | ")[1:], "p.A-8 [5] sec/op"},
		"a container, trimmed":   {"b-1 | pkg: p\nb-1 |\nb-1 | BenchmarkA-8 \t1\t5 s/op\n\nb-1 | FAIL\tp\t1s\n", "p.A-8 [5] sec/op; p"},
		"a workflow's jobs":      {"job 1\tx\t2026-01-02T10:00:00.12Z go: downloading x v1\njob 1\tx\t2026-01-02T10:00:09.1Z pkg: p\njob 1\tx\t2026-01-02T10:00:10.12Z BenchmarkA-8 \t1\t5 s/op\n", "p.A-8 [5] sec/op"},
		"events of a container":  {"b-1 | " + event("p", "pkg: p\n") + "b-1 | " + event("p", "BenchmarkA-8 \t1\t5 s/op\n"), "p.A-8 [5] sec/op"},
		"a quotation":            {"> pkg: p\n> BenchmarkA-8 \t1\t5 s/op\n", "p.A-8 [5] sec/op"},
		"UTF-16":                 {inUTF16(binary.LittleEndian, plain), "p.A-8 [5] sec/op"},
		"UTF-16, big-endian":     {inUTF16(binary.BigEndian, plain), "p.A-8 [5] sec/op"},
		"blanks behind settings": {"pkg: p  \t\nBenchmarkA 1 5 s/op\n", "p.A [5] sec/op"},
		"a log between": {"pkg: p\nBenchmarkA-8   \t2026/01/02 warm\nBenchmarkA is slow\n12 items\n     100\t         5 s/op\t 3 B/op\nPASS\n",
			"p.A-8 [5] sec/op; p.A-8 [3] B/op; skipped 1 line of logs: BenchmarkA (a setting stands above goos, or between empty lines)"},
		"a log in front of the figures": {"BenchmarkA\nprogress...     100\t5 s/op\n", ".A [5] sec/op"},
		"spaces for tabs":               {"BenchmarkA-8        \twarm\n     100        5 ns/op      3 B/op\n", ".A-8 [5e-09] sec/op; .A-8 [3] B/op"},
		"a log that looks like figures": {"BenchmarkA-8   \t12 items\n     100\t5 s/op\n", ".A-8 [5] sec/op"},
		"go test -v":                    {"BenchmarkA\nBenchmarkA/x\nBenchmarkA/x-8 \t1\t5 s/op\nBenchmarkB\n--- SKIP: BenchmarkB\nPASS\n", ".A/x-8 [5] sec/op"},
		"go test -v of one processor":   {"BenchmarkS\nBenchmarkS/n-1\nBenchmarkS/n-1/x-2\nBenchmarkS/n-1/x-2 \t1\t5 s/op\nBenchmarkS/n-3\nlog\nBenchmarkS/n-3 \t1\t6 s/op\n", ".S/n-1/x-2 [5] sec/op; .S/n-3 [6] sec/op"},
		"an end behind figures":         {"BenchmarkA-8 \t1\t5 s/op\nBenchmarkA-8\n", ".A-8 [5] sec/op; no .A-8"},
		"no figures":                    {"BenchmarkA 1 5 s/op\nBenchmarkC\nBenchmarkB-8 \tlog\nBenchmarkD-8\t     100\n", ".A [5] sec/op; no .B-8; no .D-8; no .C"},
		"no figures once of two":        {"BenchmarkA-8\t1\t5 s/op\nBenchmarkA-8   \tpanic: x\nexit status 2\nFAIL\tp\t1s\n", ".A-8 [5] sec/op; no .A-8; panic: x; p"},
		"failure":                       {plain + "BenchmarkB-8   \t--- FAIL: BenchmarkB-8\n    b_test.go:5: no\nFAIL\nexit status 1\nFAIL\tp\t3s\n", "p.A-8 [5] sec/op; no p.B-8; BenchmarkB-8; p"},
		"a failing test":                {plain + "FAIL\n", "p.A-8 [5] sec/op; a test"},
		"two packages":                  {plain + "PASS\nok  \tp\t1s\npkg: q\nBenchmarkA-8 \t1\t7 s/op\n", "p.A-8 [5] sec/op; q.A-8 [7] sec/op"},
		"events": {"go: downloading x v1\n" + event("p", "pkg: p\n") + event("q", "pkg: q\n") + event("q", "BenchmarkA-8\t") + event("p", "BenchmarkA-8\t") +
			event("p", "     100\t5 s/op\n") + event("q", "     100\t7 s/op\n") + "{\"Action\":\"pass\",\"Package\":\"p\"}\n", "p.A-8 [5] sec/op; q.A-8 [7] sec/op"},
		"units that become one": {"BenchmarkA 1 5 ns/op 6 sec/op 7 ms/op\n", ".A [5e-09] sec/op; .A [6] sec/op (printed); .A [7] ms/op"},
		"a unit that is built in": {"BenchmarkA 1 5 MB/op 6 B/op\nBenchmarkB 1 5 us/x\nBenchmarkB 1 6 ns/x\n",
			".A [5] MB/op; .A [6] B/op; .B [4.9999999999999996e-06] sec/x; .B [6] ns/x"},
		"figures that are none": {"BenchmarkA 1 5 s/op +Inf x NaN y -1 z 3 B/op\n", ".A [5] sec/op; .A [3] B/op; A is not judged in x: +Inf is no measurement (want finite figures of at least 0); " +
			"A is not judged in y: NaN is no measurement (want finite figures of at least 0); A is not judged in z: -1 is no measurement (want finite figures of at least 0)"},
		"a time that is none": {"BenchmarkA 1 NaN ns/op 3 B/op\n", ".A [3] B/op; no .A; A is not judged in sec/op: NaN is no measurement (want finite figures of at least 0)"},
	} {
		f, err := Read("a", []byte(test.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else {
			testkit.Equal(t, describe(f), test.want, "%s", name)
		}
	}
}

// Settings stand above those of package testing, or between empty lines. Logs that look like them stand elsewhere.
func TestSettings(t *testing.T) {
	const line = "BenchmarkA 1 5 s/op\n"
	for name, test := range map[string]struct{ text, want string }{
		"first line":                  {"note: x\n" + line, "note: x\n"},
		"above goos":                  {"note: x\ngoos: linux\n" + line, "goos: linux\nnote: x\n"},
		"below goos":                  {"goos: linux\nseed: 7\n" + line, "goos: linux\n"},
		"below goos, with empty line": {"goos: linux\nnote: x\n\n" + line, "goos: linux\nnote: x\n"},
		"among results":               {line + "warning: slow\n" + line, ""},
		"between empty lines":         {"BenchmarkB 1 5 s/op\n\nnote: x\n\n" + line, "note: x\n"},
		"again among results":         {"note: x\nBenchmarkB 1 5 s/op\nnote: y\n" + line, "note: y\n"},
		"above goos of another run":   {"BenchmarkB 1 5 s/op\n\nnote: x\ngoos: linux\n" + line, "goos: linux\nnote: x\n"},
		"ended":                       {"note: x\nBenchmarkB 1 5 s/op\nnote:\n" + line, ""},
		"ignored":                     {"cpu: x\nnote: x\n\n" + line, "note: x\n"},
		"the go command":              {"go: downloading x v1\ngoos: linux\n" + line, "goos: linux\n"},
	} {
		f := testkit.Must(Read("a", []byte(test.text), "cpu"))(t)
		testkit.Equal(t, f.Results[len(f.Results)-1].Settings, test.want, "%s", name)
	}
	_, err := Read("a", []byte("pkg: p\n"+line+"pkg: q\n"+line), "pkg")
	testkit.WantError(t, err, "a:4: BenchmarkA is in the packages p and q, which are one without pkg", "one name in two packages")
	f := testkit.Must(Read("a", []byte("pkg: p\n"+line+"BenchmarkB\n--- SKIP: BenchmarkB\n"), "pkg"))(t)
	testkit.ErrorIf(t, !f.Skips(BenchmarkID{Name: "B"}) || len(f.Unfinished) > 0, "a skip without its package: %+v", f)
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
	for _, good := range []string{one, one + one, strings.ReplaceAll(one+one, "\n", "\r\n")} {
		testkit.Must(Read("a", []byte(good)))(t)
	}
	for want, content := range map[string]string{
		"a: missing checksum":                 one[:strings.Index(one, "# sha256")],
		"a: checksum mismatch":                one[:len(one)-9],
		"a: checksum mismatch: the file was":  strings.Replace(one, " 5 ns", " 6 ns", 1),
		"a: no benchmarks":                    "{}\n",
		"a: not a text":                       "\x00\x01\n",
		"a:1: incomplete benchmark":           "BenchmarkA 1 5 ns/op 6\n",
		"a:2: figures without the name":       "BenchmarkA 1 5 ns/op\n     100\t   7 ns/op\n",
		"a:2: invalid measurement x":          "\nBenchmarkA 1 x ns/op\n",
		"a:1: expected key=value":             "Unit x y better=lower\n",
		"a:2: a result and \"pkg: p\" behind": "a | pkg: p\na | BenchmarkA-8 \t1\t5 s/op\nb | x\n",
		"a:1: unit x: better is \"larger\"":   "Unit x better=larger\n",
		"a:2: unit us/x: better is lower":     "Unit ns/x better=higher\nUnit us/x better=lower\n",
	} {
		_, err := Read("a", []byte(content))
		testkit.ErrorIf(t, err == nil || !strings.HasPrefix(err.Error(), want),
			"%q: error %v, want %q", content, err, want)
	}
}

// FuzzRead compares accepted files with golang.org/x/perf/benchfmt, which reads the same results from plain lines, and
// reads what the writer writes of them.
func FuzzRead(f *testing.F) {
	f.Add([]byte(seed))
	f.Add([]byte("interleaved: x\nUnit x better=higher\nBenchmarkA/b=1 1 1e300 x\nFAIL\n# sha256 00\n"))
	f.Add([]byte("BenchmarkA-8   \tlog\n     100\t5 ns/op\nBenchmarkB\nnote: x\n\nnote: y\n\nBenchmarkB 1 2 x\n"))
	f.Add([]byte("{\"Action\":\"output\",\"Package\":\"p\",\"Output\":\"BenchmarkA 1 5 ns/op\\n\"}\n"))
	f.Add([]byte("\xff\xfeB\x00e\x00n\x00c\x00h\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		got, err := Read("a", content)
		testkit.SkipOn(t, err)
		have := make(map[string]int)
		var out bytes.Buffer
		w := NewWriter(&out)
		for _, r := range got.Results {
			have[fmt.Sprintf("%s %d %d", r.Name, r.Iterations, len(r.Metrics))]++
			settings := []Setting{{"pkg", r.Package}, {InTurns, got.Occasion}}
			for line := range strings.Lines(r.Settings) {
				key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
				settings = append(settings, Setting{key, value})
			}
			w.Configure(settings...)
			w.Result(r)
		}
		again := testkit.Must(Read("a", out.Bytes()))(t)
		testkit.Equal(t, fmt.Sprint(again.Results, again.Occasion), fmt.Sprint(got.Results, got.Occasion), "results written and read")
		reader := benchfmt.NewReader(bytes.NewReader(decode(content)), "a")
		for reader.Scan() {
			if r, ok := reader.Result().(*benchfmt.Result); ok && benchmarkName().MatchString("Benchmark"+r.Name.String()) {
				key := fmt.Sprintf("%s %d %d", r.Name, r.Iters, len(r.Values))
				have[key]--
				testkit.ErrorIf(t, have[key] < 0, "the result %s is missing", key)
			}
		}
	})
}

// The writer states the settings where they change, in the form of benchfmt.
func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	w.Unit("games/s")
	w.Unit("ns/turn")
	turn := Result{BenchmarkID{Name: FullName("Turn", 4)}, 10, []Metric{{2000.5, "ns/turn"}, {1e21, "games/s"}}}
	w.Configure(Setting{"goos", "linux"}, Setting{"pkg", "a"}, Setting{"none", ""})
	w.Result(turn)
	w.Configure(Setting{"goos", "linux"}, Setting{"pkg", "a"})
	w.Result(turn)
	w.Configure(Setting{"pkg", "b"})
	w.Result(Result{BenchmarkID{Name: FullName("Turn", 1)}, 1, []Metric{{0, "ns/turn"}}})
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
	testkit.ErrorIf(t, len(f.Series) != 3 || f.Series[2].Package != "b" || f.Directions()["games/s"] != 1, "%+v", f)
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
		Figure(1.2345e-6, "sec/op"): "1.23 µs", Figure(2500.0, "B/op"): "2,500", Figure(16384.0, "B/op"): "16.0 Ki", Figure(1060778.0909, "instructions/op"): "1.06 M",
		Figure(0.05, "allocs/op"): "0.0500", Figure(2000.0, "sec/op"): "2000 s", Figure(0.0, "sec/op"): "0.00 s", Percent(14.5386): "+1454%", Percent(0.2361): "+23.6%", Figure(3e-12, "sec/op"): "0.00300 ns",
		Percent(0.025): "+2.50%", Percent(-1.0): "-100%", Percent(1e7): "+∞", Percent(180.0): "×181",
		Figure(1.2e300, "sec/op"): "1.20e+300 s", Figure(-1e300, "B/op"): "-1.00e+300", Figure(2e18, "allocs/op"): "2.00e+18", Figure(1e-300, "sec/op"): "1.00e-300 s",
		Figure(1e-12, "x/op"): "0.00100 n", Figure(5e-4, "x/op"): "500 µ", Figure(5e-4, "B/op"): "5.00e-04", Figure(86400.0, "sec/op"): "86.4 ks", Figure(9999.9, "x/op"): "10.0 k",
		Figure(2111.4, "x/op"): "2,111", Figure(999.6, "x/op"): "1,000", Figure(-9999.4, "B/op"): "-9,999", Figure(999.4, "x/op"): "999",
		Figure(math.Inf(1), "x/op"): "+Inf", Figure(9999.0, "x/op"): "9,999",
		IntervalText(0.25, 0.24, 0.26): "0.250 [0.240–0.260]",
	} {
		testkit.Equal(t, got, want, "figure")
	}
}

func TestMachine(t *testing.T) {
	testkit.ErrorIf(t, CPUName() == "" || len(Load()) != min(1, len(LoadAverages())),
		"CPU %q, load %v", CPUName(), Load())
}
