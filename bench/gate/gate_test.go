package gate

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab"
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

func judge(t *testing.T, old, new string, change ...func(*ab.Options)) *ab.Report {
	t.Helper()
	o := ab.DefaultOptions()
	for _, f := range change {
		f(&o)
	}
	r, err := Judge("old.txt", []byte(old), "new.txt", []byte(new), o, []string{"goarch"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// with returns the rows of a verdict.
func with(r *ab.Report, v verdict.Verdict) []ab.Row {
	return slices.DeleteFunc(slices.Clone(r.Rows), func(row ab.Row) bool { return row.Verdict != v })
}

func TestJudge(t *testing.T) {
	const turns = "interleaved: today\n"
	old := []string{"A/n=1 100 ns/op", "B 50 us/game", "C 7 widgets/s"}
	for _, header := range []string{"", turns} {
		before := file(1, 20, header, old...)
		same := judge(t, before, file(2, 20, header, old...))
		if same.Verdict != verdict.Pass || len(same.Rows) != 3 || (len(same.Notes) == 0) != (header != "") || !(same.Rows[2].Sight < 0.05) {
			t.Errorf("no change: %+v", same)
		}
		slower := judge(t, before, file(2, 20, header, "A/n=1 110 ns/op", "B 45 us/game", "C 6 widgets/s"))
		if slower.Verdict != verdict.Slower || slower.Rows[0].Verdict != verdict.Slower || slower.Rows[1].Verdict != verdict.Faster || slower.Rows[2].Verdict != verdict.Slower {
			t.Errorf("two slower, one faster: %+v", slower)
		}
		if r := slower.Rows[0]; !(r.Lo < 0.1 && 0.1 < r.Hi && r.P < 0.01) || r.Rounds != 20 {
			t.Errorf("%+v, want 10 %% in the interval", r)
		}
		limits := func(o *ab.Options) {
			for _, limit := range []string{"50%", "^C$=1%"} {
				if err := o.ParseLimit(limit); err != nil {
					t.Fatal(err)
				}
			}
		}
		if r := judge(t, before, file(2, 20, header, "A/n=1 110 ns/op", "B 45 us/game", "C 6 widgets/s"), limits); len(with(r, verdict.Slower)) != 1 {
			t.Errorf("limits of 50 %%, and 1 %% of C: %+v", r)
		}
	}
}

// Units of one scale are one unit, and a unit that repeats another one is judged once.
func TestUnits(t *testing.T) {
	old := "BenchmarkA 1 2000 ns/game 500000 games/s\nBenchmarkA 1 2001 ns/game 499750 games/s\nBenchmarkA 1 2003 ns/game 499251 games/s\nBenchmarkA 1 1999 ns/game 500250 games/s\n"
	new := strings.NewReplacer("2000 ns", "2.000 us", "2001 ns", "2.002 us", "2003 ns", "2.001 us", "1999 ns", "2.000 us").Replace(old)
	if r := judge(t, old, old); len(r.Rows) != 1 || !strings.Contains(strings.Join(r.Notes, " "), "games/s is sec/game in another unit") {
		t.Errorf("%+v", r)
	}
	if r := judge(t, old, new); r.Rows[0].Unit != "sec/game" || r.Rows[0].Verdict == verdict.Slower {
		t.Errorf("%+v", r)
	}
	higher := judge(t, "Unit x better=higher\nUnit x assume=exact\nBenchmarkA 1 10 x\n", "Unit x better=higher\nUnit x assume=exact\nBenchmarkA 1 20 x\n")
	if higher.Verdict != verdict.Pass || higher.Rows[0].Verdict != verdict.Faster {
		t.Errorf("%+v", higher)
	}
	unknown := judge(t, "BenchmarkA 1 10 x 5 ns/op\n", "BenchmarkA 1 10 x 5 ns/op\n")
	if len(unknown.Rows) != 1 || !strings.Contains(strings.Join(unknown.Notes, " "), `the better direction is unknown: x (want a line such as "Unit x better=lower")`) {
		t.Errorf("%+v", unknown)
	}
}

func TestUndecided(t *testing.T) {
	before := file(1, 20, "", "A 100 ns/op", "B 5 ns/op")
	none := func(*ab.Options) {}
	few := judge(t, file(1, 3, "", "A 100 ns/op"), file(2, 3, "", "A 100 ns/op"))
	if few.Verdict != verdict.Undecided || len(with(few, verdict.Undecided)) != 1 {
		t.Errorf("three samples: %+v", few)
	}
	for name, test := range map[string]struct {
		new    string
		change func(*ab.Options)
		want   verdict.Verdict
	}{
		"missing":         {file(2, 20, "", "A 100 ns/op"), none, verdict.Undecided},
		"ignored":         {file(2, 20, "", "A 100 ns/op"), func(o *ab.Options) { o.IgnoreMissing = true }, verdict.Pass},
		"failed":          {before + "--- FAIL: BenchmarkC\nFAIL\n", none, verdict.Undecided},
		"log":             {"BenchmarkA: a log\n" + before, none, verdict.Pass},
		"new benchmark":   {file(1, 20, "", "A 100 ns/op", "B 5 ns/op", "C 5 ns/op"), none, verdict.Pass},
		"configuration":   {"goarch: other\n" + before, none, verdict.Pass},
		"slightly slower": {file(3, 20, "", "A 102.5 ns/op", "B 5 ns/op"), func(o *ab.Options) { o.Prove = true }, verdict.Undecided},
		"the same, pass":  {file(3, 20, "", "A 102.5 ns/op", "B 5 ns/op"), none, verdict.Pass},
	} {
		if r := judge(t, before, test.new, test.change); r.Verdict != test.want {
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
		judge(t, good, good)
	}
	at := strings.Index(one, "ns/op")
	for i := at - 7; i < at; i++ {
		damaged := one[:i] + string(one[i]^1) + one[i+1:]
		if _, err := Judge("old.txt", []byte(one), "new.txt", []byte(damaged), ab.DefaultOptions(), nil); err == nil || !strings.Contains(err.Error(), "new.txt: checksum mismatch") {
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
		if _, err := Judge("old.txt", []byte(old), "new.txt", []byte(text), ab.DefaultOptions(), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	uneven := "interleaved: x\n" + file(1, 4, "", "A 100 ns/op")
	if _, err := Judge("o", []byte(uneven), "n", []byte(uneven+"BenchmarkA 1 5 ns/op\n"), ab.DefaultOptions(), nil); err == nil || !strings.Contains(err.Error(), "4 and 5 samples measured in turns") {
		t.Errorf("%v", err)
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
		if len(with(judge(t, before, file(2*k+1, 20, "", lines...)), verdict.Slower)) > 0 {
			alarms++
		}
		if judge(t, before, file(2*k+1, 20, "", slower...)).Rows[0].Verdict == verdict.Slower {
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
		r, err := Judge("a", text, "b", text, ab.DefaultOptions(), nil)
		if err != nil {
			return
		}
		if len(with(r, verdict.Slower)) > 0 {
			t.Errorf("a file is slower than itself: %+v", r)
		}
		if err := r.Write(&bytes.Buffer{}, "markdown"); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}
