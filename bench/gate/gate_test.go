package gate

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// file writes n samples of benchmarks, each with a figure and 1 % of noise by a seed.
func file(seed uint64, n int, header string, lines ...string) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	var out strings.Builder
	out.WriteString(header)
	for range n {
		for _, line := range lines {
			name, rest, _ := strings.Cut(line, " ")
			var x float64
			var unit string
			_, _ = fmt.Sscan(rest, &x, &unit)
			fmt.Fprintf(&out, "Benchmark%s 10 %.5g %s\n", name, x*(1+0.01*rng.NormFloat64()), unit)
		}
	}
	return out.String()
}

func judge(t *testing.T, old, new string, o Options) *Report {
	t.Helper()
	if o.Rule.Limit == 0 {
		o.Rule = verdict.DefaultRule()
	}
	r, err := Judge("old.txt", []byte(old), "new.txt", []byte(new), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestJudge(t *testing.T) {
	const turns = "interleaved: today\n"
	old := []string{"A/n=1 100 ns/op", "B 50 us/game", "C 7 widgets/s"}
	for _, header := range []string{"", turns} {
		before := file(1, 20, header, old...)
		same := judge(t, before, file(2, 20, header, old...), Options{})
		if same.Verdict != verdict.Pass || len(same.Rows) != 3 || same.InTurns != (header != "") || !(same.Sight < 0.05) {
			t.Errorf("no change: %+v", same)
		}
		slower := judge(t, before, file(2, 20, header, "A/n=1 110 ns/op", "B 45 us/game", "C 6 widgets/s"), Options{})
		if slower.Verdict != verdict.Slower || slower.Rows[0].Verdict != verdict.Slower || slower.Rows[1].Verdict != verdict.Faster || slower.Rows[2].Verdict != verdict.Slower {
			t.Errorf("two slower, one faster: %+v", slower)
		}
		if r := slower.Rows[0]; !(r.Lo < 0.1 && 0.1 < r.Hi && r.P < 0.01) || r.Samples != [2]int{20, 20} {
			t.Errorf("%+v, want 10 %% in the interval", r)
		}
		limits := Options{Rule: verdict.Rule{Limit: 0.5, Alpha: 0.05}, Limits: []Limit{{regexp.MustCompile("^C$"), 0.01}}}
		if r := judge(t, before, file(2, 20, header, "A/n=1 110 ns/op", "B 45 us/game", "C 6 widgets/s"), limits); len(r.With(verdict.Slower)) != 1 {
			t.Errorf("limits of 50 %%, and 1 %% of C: %+v", r)
		}
	}
}

// Units of one scale are one unit, and a unit that repeats another one is judged once.
func TestUnits(t *testing.T) {
	old := "BenchmarkA 1 2000 ns/game 500000 games/s\nBenchmarkA 1 2001 ns/game 499750 games/s\nBenchmarkA 1 2003 ns/game 499251 games/s\nBenchmarkA 1 1999 ns/game 500250 games/s\n"
	new := strings.NewReplacer("2000 ns", "2.000 us", "2001 ns", "2.002 us", "2003 ns", "2.001 us", "1999 ns", "2.000 us").Replace(old)
	if r := judge(t, old, old, Options{}); len(r.Rows) != 1 || !strings.Contains(strings.Join(r.Notes, " "), "games/s is sec/game in another unit") {
		t.Errorf("%+v", r)
	}
	if r := judge(t, old, new, Options{}); r.Rows[0].Unit != "sec/game" || r.Rows[0].Verdict == verdict.Slower {
		t.Errorf("%+v", r)
	}
	higher := judge(t, "Unit x better=higher\nUnit x assume=exact\nBenchmarkA 1 10 x\n", "Unit x better=higher\nUnit x assume=exact\nBenchmarkA 1 20 x\n", Options{})
	if higher.Verdict != verdict.Pass || higher.Rows[0].Verdict != verdict.Faster {
		t.Errorf("%+v", higher)
	}
	unknown := judge(t, "BenchmarkA 1 10 x 5 ns/op\n", "BenchmarkA 1 10 x 5 ns/op\n", Options{})
	if len(unknown.Rows) != 1 || !strings.Contains(strings.Join(unknown.Notes, " "), `the better direction is unknown: x (want a line such as "Unit x better=lower")`) {
		t.Errorf("%+v", unknown)
	}
}

func TestUndecided(t *testing.T) {
	before := file(1, 20, "", "A 100 ns/op", "B 5 ns/op")
	few := judge(t, file(1, 3, "", "A 100 ns/op"), file(2, 3, "", "A 100 ns/op"), Options{})
	if few.Verdict != verdict.Undecided || len(few.With(verdict.Undecided)) != 1 {
		t.Errorf("three samples: %+v", few)
	}
	for name, test := range map[string]struct {
		new  string
		o    Options
		want verdict.Verdict
	}{
		"missing":         {file(2, 20, "", "A 100 ns/op"), Options{}, verdict.Undecided},
		"ignored":         {file(2, 20, "", "A 100 ns/op"), Options{IgnoreMissing: true}, verdict.Pass},
		"failed":          {before + "--- FAIL: BenchmarkC\nFAIL\n", Options{}, verdict.Undecided},
		"log":             {"BenchmarkA: a log\n" + before, Options{}, verdict.Pass},
		"new benchmark":   {file(1, 20, "", "A 100 ns/op", "B 5 ns/op", "C 5 ns/op"), Options{}, verdict.Pass},
		"configuration":   {"cpu: other\n" + before, Options{Ignore: []string{"cpu"}}, verdict.Pass},
		"slightly slower": {file(3, 20, "", "A 102.5 ns/op", "B 5 ns/op"), Options{UndecidedFails: true}, verdict.Undecided},
		"the same, pass":  {file(3, 20, "", "A 102.5 ns/op", "B 5 ns/op"), Options{}, verdict.Pass},
	} {
		if r := judge(t, before, test.new, test.o); r.Verdict != test.want {
			t.Errorf("%s: %+v, want %s", name, r, test.want)
		}
	}
}

// A file of "ur bench run" is refused if its checksum does not match or is missing.
func TestDamagedFiles(t *testing.T) {
	one := "# ur bench run: 4 interleaved samples of 1ms, seed 1\n" + file(1, 4, "", "A 100 ns/op")
	one += fmt.Sprintf("# sha256 %x\n", sha256.Sum256([]byte(one)))
	two := one + strings.ReplaceAll(one, "BenchmarkA", "BenchmarkA")
	for _, good := range []string{one, two, file(1, 4, "", "A 100 ns/op")} {
		judge(t, good, good, Options{})
	}
	at := strings.Index(one, "ns/op")
	for i := at - 7; i < at; i++ {
		damaged := one[:i] + string(one[i]^1) + one[i+1:]
		if _, err := Judge("old.txt", []byte(one), "new.txt", []byte(damaged), Options{Rule: verdict.DefaultRule()}); err == nil || !strings.Contains(err.Error(), "new.txt: checksum mismatch") {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
	for want, text := range map[string]string{
		"missing checksum":                  one[:strings.Index(one, "# sha256")],
		"checksum mismatch":                 one[:len(one)-9],
		"new.txt: no benchmarks":            "{}\n",
		"new.txt:1: parsing measurement":    "BenchmarkA 1 x ns/op\n",
		"new.txt:1: invalid measurement -5": "BenchmarkA 1 -5 ns/op\n",
		"no benchmark in common":            "BenchmarkZ 1 5 ns/op\n",
		"the files differ in cpu":           "cpu: x\nBenchmarkA 1 5 ns/op\n",
		"the better direction is unknown":   "BenchmarkA 1 5 x\n",
	} {
		old := file(1, 4, "", "A 100 ns/op") + "BenchmarkA 1 5 x\n"
		if want == "the better direction is unknown" {
			old = text
		}
		if _, err := Judge("old.txt", []byte(old), "new.txt", []byte(text), Options{Rule: verdict.DefaultRule()}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	uneven := "interleaved: x\n" + file(1, 4, "", "A 100 ns/op")
	if _, err := Judge("o", []byte(uneven), "n", []byte(uneven+"BenchmarkA 1 5 ns/op\n"), Options{Rule: verdict.DefaultRule()}); err == nil || !strings.Contains(err.Error(), "4 and 5 samples measured in turns") {
		t.Errorf("%v", err)
	}
}

func TestWriteText(t *testing.T) {
	r := judge(t, file(1, 20, "", "A 100 ns/op", "B 5 ns/op"), file(2, 20, "", "A 120 ns/op"), Options{})
	var out bytes.Buffer
	if err := r.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A         sec/op +20.", " 20+20  slower\n", "B         sec/op ", " 20+0 missing\n", "1 of 2 benchmarks slower; 1 missing. The files were not measured in turns"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for line := range strings.Lines(out.String()) {
		if len(line) > 100 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"verdict":"missing","delta":null`) || !strings.HasPrefix(string(text), `{"schema":"ur.gate/2","old":"old.txt","new":"new.txt","limit":0.03,"in_turns":false,"verdict":"slower","rows":[{"benchmark":"A","unit":"sec/op","verdict":"slower"`) {
		t.Errorf("%v\n%s", err, text)
	}
}

// Files that were measured one after the other on a machine without drift: a false alarm in at
// most 5 % of the files, and slowdowns of 5 % are found.
func TestErrorRates(t *testing.T) {
	const files = 200
	alarms, found := 0, 0
	lines := []string{"A 100 ns/op", "B 100 ns/op", "C 100 ns/op", "D 100 ns/op", "E 100 ns/op"}
	slower := append([]string{"A 105 ns/op"}, lines[1:]...)
	for k := range uint64(files) {
		before := file(2*k, 20, "", lines...)
		if len(judge(t, before, file(2*k+1, 20, "", lines...), Options{}).With(verdict.Slower)) > 0 {
			alarms++
		}
		if judge(t, before, file(2*k+1, 20, "", slower...), Options{}).Rows[0].Verdict == verdict.Slower {
			found++
		}
	}
	if alarms > files/20 || found < files*9/10 {
		t.Errorf("%d false alarms and %d of the slowdowns in %d files", alarms, found, files)
	}
}

func FuzzJudge(f *testing.F) {
	f.Add([]byte("BenchmarkA-4 10 5 ns/op 7 B/op\n"))
	f.Add([]byte("interleaved: x\nUnit x better=higher\nBenchmarkA/b=1 1 1e300 x\nFAIL\n# sha256 00\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Judge("a", text, "b", text, Options{Rule: verdict.DefaultRule()})
		if err != nil {
			return
		}
		if len(r.With(verdict.Slower)) > 0 {
			t.Errorf("a file is slower than itself: %+v", r)
		}
		if err := r.WriteText(&bytes.Buffer{}); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}
