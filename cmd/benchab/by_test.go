package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// implementations has benchmarks of many kinds: by /impl in package a, and the same names with other costs in package b.
const implementations = `package p

import (
	"os"
	"testing"
)

var sink, data = 0, []byte(nil)

func work(steps int) {
	for i := range steps {
		sink += i * sink
	}
}

// each runs sub-benchmarks that take some steps.
func each(b *testing.B, steps map[string]int) {
	for _, name := range []string{"impl=slow", "impl=fast", "impl=with space", "impl=dash-8", "rs/zerolog", "plain", "quick/small", "lazy/small", "quick/large"} {
		if n, ok := steps[name]; ok {
			b.Run(name, func(b *testing.B) {
				for range b.N {
					work(n)
				}
			})
		}
	}
}

func BenchmarkSpin(b *testing.B)  { each(b, map[string]int{"impl=slow": SLOW, "impl=fast": 1000}) }
func BenchmarkNames(b *testing.B) { each(b, map[string]int{"impl=slow": 9000, "impl=fast": 1000, "impl=with space": 3000, "impl=dash-8": 27000}) }
func BenchmarkOne(b *testing.B)   { each(b, map[string]int{"impl=fast": 1000}) }
func BenchmarkSlash(b *testing.B) { each(b, map[string]int{"rs/zerolog": 3000, "plain": 1000}) }
func BenchmarkParts(b *testing.B) { each(b, map[string]int{"quick/small": 1000, "lazy/small": 3000, "quick/large": 9000}) }

func BenchmarkSub(b *testing.B) {
	b.Run("size=1", func(b *testing.B) { each(b, map[string]int{"impl=slow": 9000, "impl=fast": 1000}) })
	b.Run("size=2", func(b *testing.B) { each(b, map[string]int{"impl=slow": 4000, "impl=fast": 12000}) })
}

func BenchmarkBroken(b *testing.B) {
	each(b, map[string]int{"impl=slow": 9000, "impl=fast": 1000})
	b.Run("impl=broken", func(b *testing.B) { b.Fatal("the pipe is broken") })
	b.Run("impl=idle", func(b *testing.B) { b.Skip("not here") })
	b.Run("impl=late", func(b *testing.B) {
		if b.N > 1 {
			b.Fatal("too many")
		}
	})
}

func BenchmarkUnits(b *testing.B) {
	for name, n := range map[string]int{"impl=slow": 4, "impl=fast": 1} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				work(1000 * n)
				for range n {
					data = make([]byte, 1<<10)
				}
			}
			b.ReportMetric(float64(n), "pages/op")
			b.ReportMetric(float64(n), "misses")
		})
	}
}

func BenchmarkParallel(b *testing.B) {
	for name, n := range map[string]int{"impl=slow": 60000, "impl=fast": 2000} {
		b.Run(name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					x := 0
					for i := range n {
						x += i * x
					}
					if x < 0 {
						os.Exit(1)
					}
				}
			})
		})
	}
}
`

// ranked is the part of the JSON object that the tests read.
type ranked struct {
	Schema, Key, Verdict string
	Groups               []rankedGroup
}

type rankedGroup struct {
	Package, Name, Baseline string
	Rows                    []struct {
		Value, Unit, Clock, Verdict, Reason string
		Figure                              *float64
	}
}

// makeImplementations makes a repository of the packages, and a folder for temporary files: what runs there again is in
// the build cache.
func makeImplementations(t *testing.T) (dir, temporary string) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("git")))
	dir = t.TempDir()
	write := func(name, text string) {
		testkit.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		testkit.WriteText(t, filepath.Join(dir, name), text)
	}
	write("go.mod", "module example.com/p\n\ngo 1.24\n")
	write("a/a_test.go", strings.Replace(implementations, "SLOW", "5000", 1))
	write("b/a_test.go", strings.Replace(implementations, "SLOW", "300", 1))
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "all"}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		testkit.Run(t, cmd)
	}
	return dir, t.TempDir()
}

// runBy runs benchab without links in each round.
func runBy(dir, temporary, args string) (code int, stdout, stderr string) {
	cmd := program(dir, temporary, strings.Split("--time 5m "+args, " ")...)
	cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GOWORK=", "GOFLAGS=-toolexec=env")
	return runProgram(cmd)
}

// What cannot be compared is refused with the way out, before anything is measured.
func TestByRefuses(t *testing.T) {
	dir, temporary := makeImplementations(t)
	for args, want := range map[string]string{
		"--by nope ./a":                                    "no benchmark has the key /nope: the names have /1 (",
		"--by /4 ./a":                                      "no benchmark has the key /4: the names have /1 (",
		"--by impl --bench One ./a":                        "there is one implementation by /impl: fast (want",
		"--by size --bench Sub/size=1 ./a":                 "there is one implementation by /size: 1 (want",
		"--by size --bench One ./a":                        "no benchmark has the key /size",
		"--by impl --bench Nothing ./a":                    "no benchmark matches \"Nothing\" in ./a",
		"--by impl,size ./a":                               "several keys (want one",
		"--by impl/size ./a":                               "several keys (want one",
		"--by impl --by size ./a":                          "2 keys (want one",
		"--by /0 ./a":                                      "invalid key \"/0\"",
		"--by = ./a":                                       "invalid key \"=\"",
		"--by impl --baseline none ./a":                    "--baseline: no group has the implementation \"none\" (want one of slow, fast",
		"--by impl --fastest none ./a":                     "--fastest: no group has the implementation \"none\"",
		"--by impl HEAD~7 ./a":                             "HEAD~7",
		"--by impl --old x --new y":                        "--old cannot be used with --by",
		"--by impl --missing ignore ./a":                   "--missing cannot be used with --by",
		"--by impl --ignore pkg ./a":                       "--ignore cannot be used with --by",
		"--by impl --tests head ./a":                       "--tests cannot be used with --by",
		"--by impl --horizon 1s ./a":                       "--horizon cannot be used with --by",
		"--by impl --format github ./a":                    "unknown format \"github\" with --by (want one of text, markdown",
		"--baseline fast ./a":                              "--baseline and --fastest need --by",
		"--by impl --bench Broken/impl=(broken|idle)$ ./a": "no benchmark of \"Broken/impl=(broken|idle)$\" runs; fails: the pipe is broken: a.Broken/impl=broken; skips: a.Broken/impl=idle",
	} {
		t.Run(args, func(t *testing.T) {
			code, out, messages := runBy(dir, temporary, args)
			testkit.ErrorIf(t, code != badUsage || out != "", "exit code %d\n%s%s", code, out, messages)
			testkit.WantText(t, messages, want)
		})
	}
}

// A page is written where the file ends in .html, and the file of settings may have flags that only other runs need.
func TestByOutput(t *testing.T) {
	c := newCommand()
	flags := c.flags()
	args := []string{"--by", "impl", "-o", filepath.Join(t.TempDir(), "a.html")}
	testkit.NoError(t, testkit.ErrorOf(parseSettings(flags, "horizon 2s\nmissing ignore\n", settingsFile)))
	words := testkit.Must(parse(flags, args))(t)
	c.given = givenFlags(args)
	testkit.NoError(t, c.check(words))
	testkit.Equal(t, c.format, "html", "format")
}

// Implementations are ranked in groups of the other parts of their names, and what is missing, fails or skips is named.
func TestBy(t *testing.T) {
	dir, temporary := makeImplementations(t)
	for _, test := range []struct {
		args  string
		long  bool // with UR_LONG only
		code  int
		says  string // parts of the report's text, with "|" between them
		order string // group: implementations in order, with the baseline in brackets
		check func(t *testing.T, r *ranked)
	}{
		{args: "--by impl --bench Spin ./...", order: "a.Spin: [fast] slow; b.Spin: [slow] fast"},
		{long: true, args: "--by /1 --bench Spin|One ./a", order: "Spin: [impl=fast] impl=slow", says: "not compared, since there is one implementation: a.One"},
		{long: true, args: "--by impl --bench Spin --baseline slow ./a", order: "Spin: fast [slow]"},
		{long: true, args: "--by impl --bench Spin --fastest fast ./a", order: "Spin: [fast] slow", says: "Pass: nothing is faster than fast"},
		{args: "--by impl --bench Spin --fastest fast ./...", code: slower, order: "a.Spin: [fast] slow; b.Spin: [slow] fast",
			says: "Slower: fast is not the fastest in example.com/p/b.Spin."},
		{long: true, args: "--by impl --bench Names --baseline=with_space ./a", order: "Names: fast [with_space] slow dash-8"},
		{args: "--by impl --bench Spin/impl=(fast|slow)$ ./a", order: "Spin: [fast] slow"}, // in the processes of several cores
		{args: "--by impl --bench Sub ./a", order: "Sub/size=1: [fast] slow; Sub/size=2: [slow] fast"},
		{long: true, args: "--by size --bench Sub ./a", order: "Sub/impl=slow: [2] 1; Sub/impl=fast: [1] 2"},
		{args: "--by /1 --bench Slash ./a", order: "Slash: [plain] rs/zerolog"},
		{args: "--by /2 --bench Parts ./a", order: "Parts/quick: [small] large", says: "since there is one implementation: a.Parts/lazy"},
		{args: "--by impl --bench Spin|Broken ./a", code: undecided, order: "Spin: [fast] slow; Broken: [fast] slow",
			says: "fails: the pipe is broken: broken|skips: idle|fails: too many: late|missing"},
		{args: "--by impl --bench Spin --cpu 1,2 ./a", order: "Spin-1: [fast] slow; Spin-2: [fast] slow"},
		{args: "--by impl --bench Parallel ./a", order: "Parallel: [fast] slow", check: func(t *testing.T, r *ranked) {
			testkit.Equal(t, r.Groups[0].Rows[0].Clock, "wall", "clock")
		}},
		{args: "--by impl --bench Units ./a", order: "Units: [fast] slow", says: "allocs/op", check: checkUnits},
	} {
		t.Run(test.args, func(t *testing.T) {
			testkit.SkipIf(t, test.long && !testkit.Long(), "measures")
			save := filepath.Join(t.TempDir(), "out")
			code, out, messages := runBy(dir, temporary, test.args+" --judge time --seed 1 --save "+save)
			testkit.ErrorIf(t, code != test.code, "exit code %d (want %d)\n%s%s", code, test.code, out, messages)
			testkit.WantText(t, strings.Join(strings.Fields(out), " "), strings.Split(test.says, "|")...)
			var r ranked
			testkit.NoError(t, json.Unmarshal([]byte(testkit.ReadText(t, filepath.Join(save, "report.json"))), &r))
			testkit.Equal(t, r.Schema, "ur.by/1", "schema")
			testkit.Equal(t, orderOf(&r), test.order, "order\n%s", out)
			if test.check != nil {
				test.check(t, &r)
			}
			checkColumns(t, &r, filepath.Join(save, "samples.txt"))
		})
	}
}

// orderOf describes the groups: their measured implementations, with the baseline in brackets.
func orderOf(r *ranked) string {
	var groups []string
	for _, g := range r.Groups {
		name := g.Name
		if slices.ContainsFunc(r.Groups, func(other rankedGroup) bool { return other.Package != g.Package }) {
			name = filepath.Base(g.Package) + "." + name
		}
		words := []string{name + ":"}
		for _, row := range g.Rows {
			switch {
			case row.Figure == nil || row.Unit != g.Rows[0].Unit || row.Verdict == "not-judged":
			case row.Value == g.Baseline:
				words = append(words, "["+row.Value+"]")
			default:
				words = append(words, row.Value)
			}
		}
		groups = append(groups, strings.Join(words, " "))
	}
	return strings.Join(groups, "; ")
}

// checkUnits checks the rows of allocations and of ReportMetric.
func checkUnits(t *testing.T, r *ranked) {
	verdicts := make(map[string]string)
	for _, row := range r.Groups[0].Rows {
		verdicts[row.Value+" "+row.Unit] = fmt.Sprint(row.Verdict, " ", *row.Figure)
	}
	for row, want := range map[string]string{"fast allocs/op": "fastest 1", "slow allocs/op": "slower 4", "fast B/op": "fastest",
		"slow misses": "not-judged 4", "fast pages/op": "not-judged 1"} {
		testkit.WantText(t, verdicts[row], want)
	}
}

// checkColumns reads the samples as benchstat -col KEY does: each group has a column for each implementation.
func checkColumns(t *testing.T, r *ranked, file string) {
	var parser benchproc.ProjectionParser
	columns, err := parser.Parse(r.Key, nil)
	testkit.NoError(t, err)
	in, err := os.Open(file)
	testkit.NoError(t, err)
	defer in.Close()
	var values []string
	for reader := benchfmt.NewReader(in, file); reader.Scan(); {
		result, ok := reader.Result().(*benchfmt.Result)
		testkit.ErrorIf(t, !ok, "%v", reader.Result())
		if value := columns.Project(result).String(); !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	for _, g := range r.Groups {
		for _, row := range g.Rows {
			want := r.Key + ":" + strings.ReplaceAll(row.Value, "/", "_")
			isProcs := row.Value == "dash-8" // which the format takes for GOMAXPROCS, as go test does
			testkit.ErrorIf(t, row.Verdict != "not-judged" && !isProcs && !slices.Contains(values, want), "no column %q in %q", want, values)
		}
	}
}
