package ab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// samplesOf writes n samples of benchmarks, each with a figure and 1 % of noise by a seed.
func samplesOf(seed uint64, n int, header string, lines ...string) string {
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

// judgeTexts judges the contents of two files.
func judgeTexts(before, after string, change func(*Options)) (*report.Report, error) {
	o := DefaultOptions()
	if change != nil {
		change(&o)
	}
	var files [2]*report.File
	for side, content := range []string{before, after} {
		var err error
		if files[side], err = report.Read([]string{"old.txt", "new.txt"}[side], []byte(content)); err != nil {
			return nil, err
		}
	}
	return judge.Files(files, o.fileRules())
}

// listVerdicts lists the verdict on two files and those of the rows, or the error.
func listVerdicts(before, after string, change func(*Options)) string {
	r, err := judgeTexts(before, after, change)
	if err != nil {
		return err.Error()
	}
	rows := text.List(r.Rows, func(row report.Row) string { return row.Name + " " + row.Unit + " " + string(row.Verdict) })
	return strings.Join(append([]string{string(r.Verdict)}, rows...), ", ")
}

func TestJudgeFiles(t *testing.T) {
	lines := []string{"A/n=1 100 ns/op", "B 50 us/game", "C 7 widgets/s"}
	slow := []string{"A/n=1 110 ns/op", "B 45 us/game", "C 6 widgets/s"}
	two := samplesOf(1, 20, "", "A 100 ns/op", "B 5 ns/op")
	exact := "Unit x better=higher assume=exact\nBenchmarkA 1 10 x\n"
	for name, test := range map[string]struct {
		before, after string
		change        func(*Options)
		want          string
	}{
		"same": {samplesOf(1, 20, "", lines...), samplesOf(2, 20, "", lines...), nil,
			"pass, A/n=1 sec/op not-slower, B sec/game not-slower, C widgets/s not-slower"},
		"slower": {samplesOf(1, 20, "", lines...), samplesOf(2, 20, "", slow...), nil,
			"slower, A/n=1 sec/op slower, B sec/game faster, C widgets/s slower"},
		"slower, turns": {samplesOf(1, 20, "interleaved: x\n", lines...), samplesOf(2, 20, "interleaved: x\n",
			slow...), nil, "slower, A/n=1 sec/op slower, B sec/game faster, C widgets/s slower"},
		"selected": {samplesOf(1, 20, "", lines...), samplesOf(2, 20, "", slow...),
			func(o *Options) { o.Bench, o.Exclude = `rk[B/]$|A/(n=2|m)|C`, "C" }, "pass, B sec/game faster"},
		"limit": {samplesOf(1, 20, "", lines[0]), samplesOf(2, 20, "", slow[0]),
			func(o *Options) { o.Limit = 0.5 }, "pass, A/n=1 sec/op not-slower"},
		"accepted by name": {samplesOf(1, 20, "", "A 100 ns/op", "B 50 ns/op"), samplesOf(2, 20, "", "A 125 ns/op", "B 50 ns/op"),
			func(o *Options) { o.limits = []judge.NamedLimit{{Pattern: regexp.MustCompile("A"), Part: 0.4}} },
			"pass, A sec/op not-slower, B sec/op not-slower"},
		"limit of memory by name": {strings.Repeat("BenchmarkA 1 1000 B/op\n", 10), strings.Repeat("BenchmarkA 1 1020 B/op\n", 10),
			func(o *Options) { o.limits = []judge.NamedLimit{{Pattern: regexp.MustCompile("A"), Part: 0.005}} }, "slower, A B/op slower"},
		"too few": {samplesOf(1, 3, "", "A 1 ns/op"), samplesOf(2, 3, "", "A 1 ns/op"), nil,
			"undecided, A sec/op undecided"},
		"too few of a rate": {"BenchmarkA 1 1000 hits/s\n", "BenchmarkA 1 10 hits/s\n", func(o *Options) { o.Limit = 0.5 },
			"undecided, A hits/s undecided"},
		"missing": {two, samplesOf(2, 20, "", "A 100 ns/op"), nil,
			"undecided, A sec/op not-slower, B sec/op missing"},
		"ignored": {two, samplesOf(2, 20, "", "A 100 ns/op"), func(o *Options) { o.IgnoreMissing = true },
			"pass, A sec/op not-slower, B sec/op missing"},
		"failed": {two, two + "--- FAIL: BenchmarkC\nFAIL\n", nil,
			"undecided, A sec/op not-slower, B sec/op not-slower"},
		"log": {two, "BenchmarkA: a log\n" + two, nil, "pass, A sec/op not-slower, B sec/op not-slower"},
		"new": {two, two + "BenchmarkC 1 5 ns/op\n", nil,
			"pass, A sec/op not-slower, B sec/op not-slower, C sec/op new"},
		"unproven": {two, samplesOf(3, 20, "", "A 102.5 ns/op", "B 5 ns/op"), func(o *Options) { o.Prove = true },
			"undecided, A sec/op undecided, B sec/op not-slower"},
		"exact": {exact, strings.Replace(exact, "10", "20", 1), nil, "pass, A x faster"},
		"repeated": {"BenchmarkA 1 2000 ns/a 500000 a/s\nBenchmarkA 1 2001 ns/a 499750 a/s\n",
			"BenchmarkA 1 2.000 us/a 500000 a/s\nBenchmarkA 1 1.999 us/a 500250 a/s\n", nil, "undecided, A sec/a undecided"},
		"two units on one side": {strings.Repeat("BenchmarkA 1 5 ns/op 6 ms/op 7 B/op\n", 10), strings.Repeat("BenchmarkA 1 5 ms/op 7 B/op\n", 10),
			nil, "undecided, A sec/op missing, A ms/op missing, A B/op identical"},
		"some figures that are none": {strings.Repeat("BenchmarkA 1 5 ns/op 6 lag-ms\n", 10), strings.Repeat("BenchmarkA 1 5 ns/op 6 lag-ms\nBenchmarkA 1 5 ns/op +Inf lag-ms\n", 5),
			nil, "undecided, A sec/op identical, A lag-sec not-judged"},
		"unknown": {"BenchmarkA 1 10 x 5 ns/op\n", "BenchmarkA 1 10 x 5 ns/op\n", nil,
			"undecided, A sec/op undecided"},
		"nothing": {"BenchmarkA 1 10 x\n", "BenchmarkA 1 10 x\n", nil,
			`nothing to judge: the better direction is unknown: x (want --higher-better x, or a line "Unit x better=lower" or better=higher)`},
		"nothing common": {two, "BenchmarkZ 1 5 ns/op\n", nil,
			"nothing to judge: the files have no benchmark in common"},
		"other CPU": {two, "cpu: x\n" + two, nil,
			"nothing to judge: the files differ in cpu (want files of the same work and machine, or --ignore cpu)"},
		"uneven turns": {"interleaved: x\n" + two, "interleaved: x\n" + two + "BenchmarkA 1 5 ns/op\n", nil,
			"benchmark A: 20 and 21 samples measured in turns (want the same number on both sides)"},
	} {
		testkit.Equal(t, listVerdicts(test.before, test.after, test.change), test.want, "%s", name)
	}
	widgets := "Unit y assume=exact\nBenchmarkA 1 10 y\n"
	higher := func(o *Options) { o.HigherBetter = append(o.HigherBetter, regexp.MustCompile("^y$")) }
	got := listVerdicts(widgets, strings.Replace(widgets, "10", "5", 1), higher)
	testkit.Equal(t, got, "slower, A y slower", "--higher-better y")
}

// Files that were measured one after the other on a machine without drift: a false alarm in at most 5 % of
// the files, and slowdowns of 5 % are found.
func TestFileErrorRates(t *testing.T) {
	const files = 40
	alarms, found := 0, 0
	for k := range uint64(files) {
		before := samplesOf(2*k, 20, "", "A 100 ns/op", "B 100 ns/op", "C 100 ns/op")
		after := samplesOf(2*k+1, 20, "", "A 105 ns/op", "B 100 ns/op", "C 100 ns/op")
		r := testkit.Must(judgeTexts(before, after, nil))(t)
		if r.Rows[0].Verdict == verdict.Slower {
			found++
		}
		if slices.ContainsFunc(r.Rows[1:], func(row report.Row) bool { return row.Verdict == verdict.Slower }) {
			alarms++
		}
	}
	testkit.ErrorIf(t, alarms > files/20 || found < files*9/10,
		"%d false alarms and %d of the slowdowns in %d files", alarms, found, files)
}

func FuzzJudgeFiles(f *testing.F) {
	f.Add("BenchmarkA-4 10 5 ns/op 7 B/op\n")
	f.Add("interleaved: x\nUnit x better=higher\nBenchmarkA/b=1 1 1e300 x\nFAIL\n# sha256 00\n")
	f.Fuzz(func(t *testing.T, content string) {
		r, err := judgeTexts(content, content, nil)
		testkit.SkipOn(t, err)
		testkit.ErrorIf(t, r.Verdict == verdict.Slower, "a file is slower than itself: %+v", r)
		testkit.NoError(t, r.Write(&bytes.Buffer{}, "markdown"))
		testkit.Must(json.Marshal(r))(t)
	})
}
