package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// files are the files of a commit by their names. A text that begins with "-> " is the target of a
// symbolic link.
type files map[string]string

// kind is a change of a small module, and the answer that it must have.
type kind struct {
	name     string
	old, new files // in addition to go.mod
	args     string
	long     bool // only with UR_LONG, as all that measure: other tests have a smaller variant
	quick    bool // measures, and runs always
	code     int
	reached  int    // benchmarks
	judged   int    // of these
	reason   string // part of the reason of one that is not judged, several with "|" between them
	says     string // parts of the report's text, with "|" between them

	benchmarks string   // of a turn
	imports    []string // the same
	aside      bool     // [together] takes it: it is in folders of its own
	unseen     bool     // [unseen] takes it
}

// with returns files with others added, and those without a text removed.
func (f files) with(others files) files {
	all := files{}
	maps.Copy(all, f)
	maps.Copy(all, others)
	maps.DeleteFunc(all, func(_, text string) bool { return text == "" })
	return all
}

const header = "package p\n\nimport \"testing\"\n\n"

// loop is a benchmark with a body.
func loop(name, body string) string {
	return fmt.Sprintf("func Benchmark%s(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\t%s\n\t}\n}\n\n", name, body)
}

// tested is a package with a value and benchmarks that use it.
func tested(value, benchmarks string, imports ...string) files {
	text := strings.Replace(header, "import \"testing\"",
		"import (\n\t\""+strings.Join(append(imports, "testing"), "\"\n\t\"")+"\"\n)", 1)
	return files{"p/p.go": "package p\n\nvar Value = " + value + "\n\nvar Sink int\n", "p/p_test.go": text + benchmarks}
}

// turned is a change of the value that benchmarks read.
func turned(benchmarks string, imports ...string) (old, new files) {
	return tested("1", benchmarks, imports...), tested("2", benchmarks, imports...)
}

// either is both values.
const either = 3

// on is a benchmark whose iterations do something on the side of a value.
func on(value int, name, body string) string {
	return loop(name, fmt.Sprintf("if Value&%d > 0 {\n\t\t\t%s\n\t\t}", value, body))
}

// spin is a function that takes a number of steps.
func spin(steps int) string {
	return fmt.Sprintf("package p\n\nfunc F() (n int) {\n\tfor i := 0; i < %d; i++ {\n\t\tn += i * n\n\t}\n\treturn n\n}\n", steps)
}

// read is a benchmark that reads a file.
func read(name string) files {
	return files{"p/p_test.go": "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n" +
		loop("Read", "if _, err := os.ReadFile(\""+name+"\"); err != nil {\n\t\t\tb.Fatal(err)\n\t\t}")}
}

// change is a kind with files of both sides and others that only one has.
func (k kind) change(both, old, new files) kind {
	k.old, k.new = both.with(old), both.with(new)
	return k
}

// turn is a kind whose benchmarks see 1 on the old side, and 2 on the new one.
func (k kind) turn(benchmarks string, imports ...string) kind {
	k.old, k.new = turned(benchmarks, imports...)
	k.benchmarks, k.imports = benchmarks, imports
	return k
}

// beside is a turn with other files on each side.
func (k kind) beside(old, new files) kind {
	k.old, k.new = k.old.with(old), k.new.with(new)
	return k
}

// isTurn reports whether [together] takes the kind.
func (k kind) isTurn() bool {
	return k.aside || k.benchmarks != "" && (k.args == "" || k.args == tagged) && k.judged == 0 && !k.long
}

// tagged are the arguments of a turn with files of a tag, which others do not have.
const tagged = "--tags special"

// together is a turn of all benchmarks of turns with an exit code, beside the files of kinds in other folders: one
// build instead of one for each.
func together(all []kind, code int) kind {
	k := kind{name: fmt.Sprint("turns with exit code ", code), quick: true, code: code}
	names := regexp.MustCompile(`func Benchmark(\w+)`)
	var benchmarks, reasons, says, imports []string
	old, new := files{}, files{}
	for i, of := range all {
		if of.isTurn() && of.code == code {
			old, new = old.with(of.old), new.with(of.new)
			benchmarks = append(benchmarks, names.ReplaceAllString(of.benchmarks, fmt.Sprint("func Benchmark${1}", i)))
			imports = append(imports, of.imports...)
			reasons, says = append(reasons, of.reason), append(says, of.says)
			k.reached += of.reached
			k.args = cmp.Or(k.args, of.args)
		}
	}
	slices.Sort(imports)
	k.reason, k.says = strings.Join(reasons, "|"), strings.Join(says, "|")
	k = k.turn(strings.Join(benchmarks, ""), slices.Compact(imports)...)
	k.old, k.new = old.with(k.old), new.with(k.new)
	return k
}

// in returns the files of the package p in another folder.
func (f files) in(folder string) files {
	all := files{}
	for name, text := range f {
		if file, ok := strings.CutPrefix(name, "p/"); ok {
			name = folder + "/" + file
		}
		all[name] = text
	}
	return all
}

// unseen is all changes that reach no benchmark and are found so without a build, each in folders of its own:
// one run instead of one for each.
func unseen(all []kind) kind {
	k := kind{name: "changes that reach no benchmark", old: files{}, new: files{}, code: done,
		says: "reaches no benchmark"}
	for i, of := range all {
		if !of.unseen {
			continue
		}
		for from, to := range map[*files]files{&of.old: k.old, &of.new: k.new} {
			for name, text := range *from {
				if folder, file, found := strings.Cut(name, "/"); found {
					name = fmt.Sprint(folder, i, "/", file)
				}
				to[name] = text
			}
		}
	}
	return k
}

// steady is a benchmark that both sides pass.
var steady = loop("Steady", "Sink += Value")

// kinds are the ways to change a module.
func kinds() []kind {
	plain := files{"p/p.go": spin(100), "p/p_test.go": header + loop("F", "F()")}
	hang := "time.Sleep(time.Hour)"
	twice := "package p_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/kinds/p\"\n)\n\nvar Value = p.Value\n\n"
	asm := func(n int) string {
		return fmt.Sprintf("#include \"textflag.h\"\n\n// G returns a number.\nTEXT ·G(SB), NOSPLIT, $0-8\n\tMOVQ $%d, AX\n\tMOVQ AX, ret+0(FP)\n\tRET\n", n)
	}
	special := files{"p/p_test.go": header + on(2, "A", "b.Fatal()")}
	value1 := files{"p/t.go": "//go:build special\n\npackage p\n\nvar Value = 1\n"}
	value2 := files{"p/t.go": "//go:build special\n\npackage p\n\nvar Value = 2\n"}
	assembly := files{"p/p.go": "package p\n\nfunc G() int\n", "p/p_test.go": header + loop("G", "G()")}
	return []kind{
		// Failures.
		kind{name: "hang", long: true, args: "--time 16s", code: slower, reached: 1, judged: 1,
			says: "times longer"}.turn(on(2, "A", hang), "time"),
		kind{name: "slow iteration", args: "--time 12s", code: slower, reached: 1, judged: 1}.turn(
			loop("A", "time.Sleep(time.Duration(1+(Value-1)*1000) * 20 * time.Millisecond)"), "time"),
		kind{name: "hang beside others", args: "--time 20s", long: true, code: slower, reached: 2, judged: 2}.turn(
			on(2, "A", hang)+steady, "time"),
		kind{name: "hang in a sub-benchmark", args: "--time 20s", long: true, code: slower, reached: 2, judged: 2}.turn(
			"func BenchmarkA(b *testing.B) {\n\tb.Run(\"x\", func(b *testing.B) {\n\t\tfor i := 0; i < b.N; i++ {\n\t\t\ttime.Sleep(time.Duration(Value-1) * time.Hour)\n\t\t}\n\t})\n\tb.Run(\"y\", func(b *testing.B) {})\n}\n", "time"),
		kind{name: "hang on both sides", args: "--time 12s", long: true, code: undecided, reached: 1,
			reason: "takes longer"}.turn(on(either, "A", hang), "time"),
		kind{name: "hang on the old side", args: "--time 12s", long: true, code: done, says: " new.|p.A"}.turn(
			on(1, "A", hang), "time"),
		kind{name: "six hangs", args: "--time 12s", long: true, code: undecided, reached: 6, reason: "longer"}.turn(
			on(either, "A", hang)+on(either, "B", hang)+on(either, "C", hang)+on(either, "D", hang)+on(either, "E",
				hang)+on(either, "F", hang), "time"),
		kind{name: "panic", code: undecided, reached: 1, reason: "fails on the new side: panic: no"}.turn(
			on(2, "A", `panic("no")`)),
		kind{name: "exit", code: undecided, reached: 1, reason: "fails on the new side"}.turn(
			on(2, "A", "os.Exit(0)"), "os"),
		kind{name: "exit with 1", code: undecided, reached: 1, reason: "fails on the new side"}.turn(
			on(2, "A", "os.Exit(1)"), "os"),
		kind{name: "fatal", code: undecided, reached: 1, reason: "fails on the new side: no"}.turn(
			on(2, "A", `b.Fatal("no")`)),
		kind{name: "fatal, ignored", args: "--missing ignore", long: true, code: done, reached: 1,
			reason: "fails on the new side"}.turn(on(2, "A", `b.Fatal("no")`)),
		kind{name: "fatal later", code: undecided, reached: 1, reason: "fails on the new side: no"}.turn(
			loop("A", "if Value == 2 && b.N > 1 {\n\t\t\tb.Fatal(\"no\")\n\t\t}")),
		kind{name: "fatal later, unknown code, beside ten others", long: true, code: undecided, reached: 12, judged: 11,
			reason: "fails on the new side"}.change(
			files{"p/p_test.go": "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc BenchmarkA(b *testing.B) {\n\tif text, _ := os.ReadFile(\"in.txt\"); string(text) == \"2\" && b.N > 1 {\n\t\tb.Fatal(\"no\")\n\t}\n}\n\n" +
				"func BenchmarkB(b *testing.B) {\n\tfor _, name := range []string{\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\", \"k\"} {\n\t\tb.Run(name, func(b *testing.B) {\n\t\t\tfor i := 0; i < b.N; i++ {\n\t\t\t\t_ = make([]byte, 1<<12)\n\t\t\t}\n\t\t})\n\t}\n}\n"},
			files{"p/in.txt": "1"}, files{"p/in.txt": "2"}),
		kind{name: "fatal in a sub-benchmark", code: undecided, reached: 2, judged: 1,
			reason: "fails on the new side: no"}.turn(
			"func BenchmarkA(b *testing.B) {\n\tb.Run(\"x\", func(b *testing.B) {\n\t\tif Value == 2 {\n\t\t\tb.Fatal(\"no\")\n\t\t}\n\t})\n\tb.Run(\"y\", func(b *testing.B) {\n\t\tfor i := 0; i < b.N; i++ {\n\t\t\t_ = Value\n\t\t}\n\t})\n}\n"),
		kind{name: "skip on the new side", code: undecided, reached: 1, reason: "skips on the new side"}.turn(
			on(2, "A", "b.Skip()")),
		kind{name: "skip later", quick: true, code: undecided, reached: 1, reason: "skips on the new side"}.turn(
			loop("A", "if Value == 2 && b.N > 1 {\n\t\t\tb.Skip()\n\t\t}")),
		kind{name: "skip on the new side, ignored", long: true, args: "--missing ignore", code: done, reached: 1,
			reason: "skips on the new side"}.turn(on(2, "A", "b.Skip()")),
		kind{name: "skip on the old side", code: done, says: " new.|p.A"}.turn(on(1, "A", "b.Skip()")),
		kind{name: "skip on both sides", code: undecided, reached: 1, reason: "skips on both sides"}.turn(
			on(either, "A", "b.Skip()")),
		kind{name: "failing on both sides", code: undecided, reached: 1, reason: "fails on both sides"}.turn(
			on(either, "A", "b.Fatal(\"no\")")),
		kind{name: "failing on both sides beside one that passes", code: done, reached: 2, judged: 1,
			reason: "fails on both sides",
			says:   "; 1 fails on both sides"}.turn(
			on(either, "A", "b.Fatal(\"no\")") + steady),
		kind{name: "a test program that fails at its end", aside: true, code: undecided, reached: 1,
			reason: "fails on the new side after its benchmarks: leaked"}.change(
			files{"end/p_test.go": "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n" +
				"\tif Value == 2 {\n\t\tprintln(\"leaked\")\n\t\tcode = 1\n\t}\n\tos.Exit(code)\n}\n\n" + loop("E", "_ = Value")},
			files{"end/p.go": "package p\n\nvar Value = 1\n"}, files{"end/p.go": "package p\n\nvar Value = 2\n"}),
		kind{name: "repaired", code: done, says: " new.|p.A"}.turn(on(1, "A", `b.Fatal("no")`)),
		kind{name: "repaired beside one that passes", code: done, reached: 1, judged: 1,
			says: "1 of 1 reached benchmark was judged"}.turn(on(1, "A", `panic("no")`) + steady),
		kind{name: "repaired later", code: done, says: " new.|p.A"}.turn(
			loop("A", "if Value == 1 && b.N > 1 {\n\t\t\tb.Fatal(\"no\")\n\t\t}")),
		// Names.
		kind{name: "gone", long: true, code: undecided, reached: 1, reason: "removes it"}.change(
			plain, files{"p/q_test.go": header + loop("G", "F()")}, nil),
		kind{name: "all gone", aside: true, code: undecided, reached: 1, reason: "removes it"}.change(
			files{"g/p.go": spin(100)}, plain.in("g"), nil),
		kind{name: "package gone", aside: true, code: undecided, reached: 1, reason: "does not have it"}.change(
			files{"q/q.go": "package q\n"}, plain.in("h"), nil),
		kind{name: "gone, ignored", long: true, args: "--missing ignore", code: done, reached: 1,
			reason: "removes it"}.change(
			plain, files{"p/q_test.go": header + loop("G", "F()")}, nil),
		kind{name: "sub-benchmark gone", code: undecided, reached: 1, reason: "does not have it"}.turn(
			"func BenchmarkA(b *testing.B) {\n\tif Value == 1 {\n\t\tb.Run(\"x\", func(b *testing.B) {})\n\t}\n}\n"),
		kind{name: "renamed", long: true, code: done}.change(files{"p/p.go": spin(100)},
			files{"p/p_test.go": header + loop("F", "F()")}, files{"p/p_test.go": header + loop("G", "F()")}),
		kind{name: "first benchmark", aside: true, code: done, says: "r.F"}.change(
			files{"q/q.go": "package q\n"}, nil, plain.in("r")),
		kind{name: "new, of new code", long: true, code: done, says: "new"}.change(
			nil, plain, plain.with(files{"p/g.go": "package p\n\nfunc G() {}\n",
				"p/g_test.go": header + loop("G", "G()")})),
		kind{name: "name without a suffix", code: slower, reached: 1, judged: 1}.change(
			files{"p/p_test.go": header + loop("", "F()")}, files{"p/p.go": spin(300)}, files{"p/p.go": spin(3000)}),
		kind{name: "one name in two packages", code: slower, reached: 2, judged: 2}.change(
			files{"p/p_test.go": header + loop("F", "F()"), "p/x_test.go": twice + loop("F", "for k := 0; k < 1000; k++ {\n\t\t\tValue = Value*3 + 1\n\t\t}")},
			files{"p/p.go": spin(300) + "\nvar Value = 1\n"}, files{"p/p.go": spin(3000) + "\nvar Value = 1\n"}),
		// Speed.
		kind{name: "slower", args: "--time 60s", quick: true, code: slower, reached: 1, judged: 1,
			says: "Slower: p.F"}.change(plain, files{"p/p.go": spin(300)}, files{"p/p.go": spin(3000)}),
		kind{name: "faster", long: true, args: "--time 60s", code: done, reached: 1, judged: 1,
			says: "1 of 1 reached benchmark was judged"}.change(
			plain, files{"p/p.go": spin(9000)}, files{"p/p.go": spin(3000)}),
		kind{name: "below a large limit", args: "--limit 40% --time 60s", code: done, reached: 1, judged: 1}.change(
			plain, files{"p/p.go": spin(3000)}, files{"p/p.go": spin(3300)}),
		kind{name: "cache misses, which only time sees", args: "--time 60s", long: true, code: slower, reached: 1,
			judged: 1, says: "Slower: p.Read"}.change(
			files{"p/p_test.go": header + "var table [1 << 22]int\n\nfunc init() {\n\tfor i := range table {\n\t\ttable[i] = i\n\t}\n}\n\n" +
				"func BenchmarkRead(b *testing.B) {\n\tn := 0\n\tfor i := 0; i < b.N; i++ {\n\t\tfor k := 0; k < 1<<12; k++ {\n\t\t\tSink += table[n*Value&(len(table)-1)]\n\t\t\tn++\n\t\t}\n\t}\n}\n"},
			files{"p/p.go": "package p\n\nvar Value = 1\n\nvar Sink int\n"}, files{"p/p.go": "package p\n\nvar Value = 1000003\n\nvar Sink int\n"}),
		kind{name: "inlined everywhere", args: "--time 60s", long: true, code: slower, reached: 1, judged: 1,
			says: "(p.Small)"}.change(
			files{"p/p_test.go": header + loop("Outer", "Sink += Outer(1000)"),
				"p/q.go": "package p\n\nvar Sink int\n\nfunc Outer(n int) (s int) {\n\tfor i := 0; i < n; i++ {\n\t\ts += Small(i)\n\t}\n\treturn s\n}\n"},
			files{"p/p.go": "package p\n\nfunc Small(x int) int { return x*3 + 1 }\n"}, files{"p/p.go": "package p\n\nfunc Small(x int) int { return (x*3 + 1) ^ (x*5 + 7) ^ (x>>3)*x }\n"}),
		kind{name: "one more allocation", args: "--explain --judge time --time 60s", code: slower,
			reached: 1, judged: 1, says: "p.A has more allocs/op in p.New (p/p.go:7)"}.change(
			files{"p/p_test.go": header + loop("A", "Sink = New(i)")},
			files{"p/p.go": "package p\n\nvar Sink []*[4]int\n\nfunc New(n int) []*[4]int {\n\treturn []*[4]int{{n}}\n}\n"},
			files{"p/p.go": "package p\n\nvar Sink []*[4]int\n\n// New is.\nfunc New(n int) []*[4]int {\n\tx := new([4]int)\n\treturn []*[4]int{{n}, x}\n}\n"}),
		kind{name: "one more allocation, by a caller of the library", args: "--explain --judge time --time 60s",
			long: true, code: slower, reached: 1, judged: 1, says: "in p.New (p/p.go:8)."}.change(
			files{"p/p_test.go": header + loop("A", "Sink = New(i)")},
			files{"p/p.go": "package p\n\nimport \"strconv\"\n\nvar Sink string\n\nfunc New(n int) string {\n\treturn strconv.Itoa(n % 2)\n}\n"},
			files{"p/p.go": "package p\n\nimport \"strconv\"\n\nvar Sink string\n\nfunc New(n int) string {\n\treturn strconv.Itoa(n%2 + 1000)\n}\n"}),
		// Data.
		kind{name: "data", code: done, reached: 1, judged: 1}.change(
			read("in.txt"), files{"p/in.txt": "1"}, files{"p/in.txt": "22"}),
		kind{name: "broken data", long: true, code: undecided, reached: 1,
			reason: "fails on the new side: open in.txt"}.change(
			read("in.txt"), files{"p/in.txt": "1"}, files{"p/in2.txt": "1"}),
		kind{name: "data behind a symbolic link", code: done, reached: 1, judged: 1}.change(
			read("testdata/in.txt").with(files{"p/testdata": "-> ../shared"}), files{"shared/in.txt": "1"}, files{"shared/in.txt": "22"}),
		kind{name: "data above the package", code: done, reached: 1, judged: 1}.change(
			read("../in.txt"), files{"in.txt": "1"}, files{"in.txt": "22"}),
		kind{name: "data that nobody reads", unseen: true, code: done}.change(plain, files{"q/in.txt": "1"}, files{"q/in.txt": "22"}),
		kind{name: "go files as data", code: done, reached: 1, judged: 1}.change(
			read("../src/in.go"), files{"src/in.go": "package src\n"}, files{"src/in.go": "package src\n\nvar X = 1\n"}),
		kind{name: "a built command as data", long: true, code: done, reached: 1, judged: 1}.change(
			files{"p/p_test.go": "package p\n\nimport (\n\t\"os/exec\"\n\t\"testing\"\n)\n\n" +
				loop("Build", "if err := exec.Command(\"go\", \"build\", \"-o\", b.TempDir(), \"../cmd/tool\").Run(); err != nil {\n\t\t\tb.Fatal(err)\n\t\t}")},
			files{"cmd/tool/main.go": "package main\n\nfunc main() {}\n"}, files{"cmd/tool/main.go": "package main\n\nfunc main() { println() }\n"}),
		kind{name: "code that nobody reads", unseen: true, code: done}.change(
			plain, files{"q/q.go": "package q\n"}, files{"q/q.go": "package q\n\nvar X = 1\n"}),
		kind{name: "embedded", code: done, reached: 1, judged: 1}.change(
			files{"p/p.go": "package p\n\nimport _ \"embed\"\n\n//go:embed in.txt\nvar Text string\n\nvar Sink int\n",
				"p/p_test.go": header + loop("A", "Sink += len(Text)") + loop("B", "_ = i")},
			files{"p/in.txt": "1"}, files{"p/in.txt": "22"}),
		kind{name: "a folder embedded by tests, and lines of go.mod that change nothing", aside: true, code: done}.change(
			files{"e/p_test.go": "package p\n\nimport (\n\t\"embed\"\n\t\"testing\"\n)\n\n//go:embed testdata\nvar folder embed.FS\n\n" + loop("A", "folder.ReadFile(\"testdata/in.txt\")") + loop("B", "_ = i")},
			files{"e/testdata/in.txt": "1"}, files{"e/testdata/in.txt": "22",
				"go.mod": "module example.com/kinds\n\n// A comment.\ngo 1.21\n"}),
		kind{name: "a folder embedded by one benchmark", long: true, args: "--tests own", code: undecided, reached: 1,
			reason: "fails on the new side: 22"}.change(
			files{"p/p.go": "package p\n", "p/p_test.go": "package p\n\nimport (\n\t\"embed\"\n\t\"testing\"\n)\n\n//go:embed testdata\nvar folder embed.FS\n\n" +
				loop("A", "if text, _ := folder.ReadFile(\"testdata/in.txt\"); len(text) > 1 {\n\t\t\tb.Fatal(string(text))\n\t\t}") + loop("B", "_ = i")},
			files{"p/testdata/in.txt": "1"}, files{"p/testdata/in.txt": "22"}),
		kind{name: "large data embedded as bytes", code: done, reached: 1, judged: 1}.change(
			files{"p/p.go": "package p\n\nimport _ \"embed\"\n\n//go:embed in.txt\nvar Text []byte\n\nvar Other = []int{1}\n\nvar Sink int\n", "p/p_test.go": header + loop("A", "Sink += len(Text)") + loop("B", "Sink += len(Other)")},
			files{"p/in.txt": strings.Repeat("1", 5000)}, files{"p/in.txt": strings.Repeat("2", 5000)}),
		kind{name: "embedded documents and settings", aside: true, code: undecided, reached: 1, reason: "fails on the new side: 22   2"}.change(
			files{"ed/p.go": "package p\n\nimport \"embed\"\n\n//go:embed README.md\nvar Text string\n\n//go:embed .conf c.yaml changes/*\nvar Folder embed.FS\n",
				"ed/p_test.go": header + loop("D", "x, _ := Folder.ReadFile(\"changes/LICENSE\")\n\t\tif Text != \"1\" {\n\t\t\tb.Fatal(Text, \" \", string(x))\n\t\t}")},
			files{"ed/README.md": "1", "ed/.conf": "1", "ed/c.yaml": "1", "ed/changes/LICENSE": "1"},
			files{"ed/README.md": "22", "ed/.conf": "2", "ed/c.yaml": "2", "ed/changes/LICENSE": "2"}),
		kind{name: "an embedded document", long: true, code: done, reached: 1, judged: 1}.change(
			files{"p/p.go": "package p\n\nimport _ \"embed\"\n\n//go:embed README.md\nvar Text string\n\nvar Sink int\n", "p/p_test.go": header + loop("A", "Sink += len(Text)") + loop("B", "_ = i")},
			files{"p/README.md": "1"}, files{"p/README.md": "22"}),
		kind{name: "an embedded file that another package opens", long: true, code: done, reached: 1, judged: 1}.change(
			read("../q/in.txt").with(files{"q/q.go": "package q\n\nimport _ \"embed\"\n\n//go:embed in.txt\nvar Text string\n"}), files{"q/in.txt": "1"}, files{"q/in.txt": "22"}),
		kind{name: "documents that a benchmark reads", long: true, code: done, reached: 1, judged: 1}.change(
			read("../LICENSE"), files{"LICENSE": "1"}, files{"LICENSE": "22"}),
		kind{name: "data in a folder named like a document", long: true, code: done, reached: 1, judged: 1}.change(
			read("../changes/in.bin"), files{"changes/in.bin": "1"}, files{"changes/in.bin": "22"}),
		kind{name: "a go file that is not built as data", long: true, code: done, reached: 1, judged: 1}.change(
			read("../src/in.go"), files{"src/in.go": "//go:build ignore\n\npackage src\n"}, files{"src/in.go": "//go:build ignore\n\npackage src\n\n// More.\n"}),
		kind{name: "generated", code: slower, reached: 1, judged: 1}.change(
			plain, files{"p/p.go": "// Code generated by x. DO NOT EDIT.\n\n" +
				spin(300)}, files{"p/p.go": "// Code generated by x. DO NOT EDIT.\n\n" + spin(3000)}),
		// Builds.
		kind{name: "a file of another tag", unseen: true, code: done}.change(
			plain, files{"p/t.go": "//go:build special\n\npackage p\n\nvar X = 1\n"}, files{"p/t.go": "//go:build special\n\npackage p\n\nvar X = 2\n"}),
		kind{name: "a file of the tag", args: tagged, code: undecided, reached: 1,
			reason: "fails on the new side: of the tag"}.turn(
			loop("A", "if Tagged == 2 {\n\t\t\tb.Fatal(\"of the tag\")\n\t\t}")).beside(
			files{"p/t.go": "//go:build special\n\npackage p\n\nvar Tagged = 1\n"},
			files{"p/t.go": "//go:build special\n\npackage p\n\nvar Tagged = 2\n"}),
		kind{name: "a file of the tag, ignored", args: "--tags special --missing ignore", long: true, code: done, reached: 1,
			reason: "fails on the new side"}.change(special, value1, value2),
		kind{name: "files of another processor", unseen: true, code: done}.change(
			plain, files{"p/p_riscv64.go": "package p\n\nvar X = 1\n", "p/a_riscv64.s": "// 1\n",
				"p/b_plan9.s": "// 1\n"},
			files{"p/p_riscv64.go": "package p\n\nvar X = 2\n", "p/a_riscv64.s": "TEXT ·G(SB), $0\n",
				"p/b_plan9.s": "TEXT ·G(SB), $0\n"}),
		kind{name: "a build that breaks", long: true, code: badUsage}.change(
			plain, nil, files{"p/p.go": "package p\n\nfunc F() int { return }\n"}),
		kind{name: "a broken package that imports nothing of the change", unseen: true, code: done, says: "reaches no benchmark"}.change(
			plain.with(files{"p/p.go": "package p\n\nfunc F() int { return }\n"}), files{"q/q.go": "package q\n"},
			files{"q/q.go": "package q\n\nvar X = 1\n"}),
		kind{name: "a build that breaks beside a package that passes", code: undecided, reached: 1, judged: 1,
			says: "not enough return values"}.change(
			plain.with(files{"q/q_test.go": strings.Replace(header, "package p", "package q", 1) + loop("G",
				"Sink += Value")}),
			files{"q/q.go": "package q\n\nvar Value, Sink = 1, 0\n"}, files{"q/q.go": "package q\n\nvar Value, Sink = 2, 0\n", "p/p.go": "package p\n\nfunc F() int { return }\n"}),
		kind{name: "builds on neither side beside a package that passes", code: done, reached: 1, judged: 1,
			says: "; 1 package builds on neither side"}.change(
			plain.with(files{"p/p.go": "package p\n\nimport _ \"example.com/kinds/q\"\n\nfunc F() int { return }\n",
				"q/q_test.go": strings.Replace(header, "package p", "package q", 1) + loop("G", "Sink += Value")}),
			files{"q/q.go": "package q\n\nvar Value, Sink = 1, 0\n"}, files{"q/q.go": "package q\n\nvar Value, Sink = 2, 0\n"}),
		kind{name: "cgo", long: true, code: undecided, reached: 1, reason: "fails"}.change(
			files{"p/p_test.go": header + on(2, "A", "b.Fatal()")},
			files{"p/p.go": "package p\n\n// #define VALUE 1\nimport \"C\"\n\nvar Value = int(C.VALUE)\n"}, files{"p/p.go": "package p\n\n// #define VALUE 2\nimport \"C\"\n\nvar Value = int(C.VALUE)\n"}),
		kind{name: "comments beside cgo", code: done, says: "reaches no benchmark"}.change(
			files{"p/p_test.go": header + on(2, "A", "b.Fatal()"),
				"p/p.go": "package p\n\n// #define VALUE 1\nimport \"C\"\n\nvar Value = int(C.VALUE)\n"},
			files{"p/q.go": "package p\n\n// /* x */ int g(void); // old\nimport \"C\"\n",
				"p/q.h": "/* old */ int h;\n"},
			files{"p/q.go": "// Package p is.\npackage p\n\n// /* x */ int g(void); // new\nimport \"C\"\n\n// A comment.\n", "p/q.h": "/* new\n*/ int h;\n"}),
		kind{name: "assembly", code: done, reached: 1, judged: 1}.change(
			assembly, files{"p/g_amd64.s": asm(1)}, files{"p/g_amd64.s": asm(2)}),
		kind{name: "comments of assembly", unseen: true, code: done, says: "reaches no benchmark"}.change(
			assembly, files{"p/g_amd64.s": asm(1)}, files{"p/g_amd64.s": strings.Replace(asm(1), "returns a",
				"gives one", 1)}),
		kind{name: "init", code: undecided, reached: 1, reason: "fails on the new side: begun"}.turn(
			loop("A", "if Begun == 2 {\n\t\t\tb.Fatal(\"begun\")\n\t\t}")).beside(
			files{"p/q.go": "package p\n\nvar Begun int\n\nfunc init() { Begun = 1 }\n"},
			files{"p/q.go": "package p\n\nvar Begun int\n\nfunc init() { Begun = 2 }\n"}),
		kind{name: "linkname", long: true, code: undecided, reached: 1, reason: "fails"}.change(
			files{"p/p.go": "package p\n\nimport (\n\t_ \"unsafe\"\n\n\t_ \"example.com/kinds/q\"\n)\n\n//go:linkname value example.com/kinds/q.value\nfunc value() int\n", "p/p.s": "",
				"p/empty.s": "// Functions without a body need a file of assembly.\n", "p/p_test.go": header + loop("A",
					"if value() == 2 {\n\t\t\tb.Fatal()\n\t\t}")},
			files{"q/q.go": "package q\n\n//go:noinline\nfunc value() int { return 1 }\n\nvar _ = value\n"}, files{"q/q.go": "package q\n\n//go:noinline\nfunc value() int { return 2 }\n\nvar _ = value\n"}),
		kind{name: "lines of go.mod that change settings", code: done, reached: 1, judged: 1}.change(
			plain, nil, files{"go.mod": "module example.com/kinds\n\ngo 1.21\n\ngodebug panicnil=1\n"}),
		kind{name: "a profile of the optimizer", args: "--time 120s", long: true, code: done, reached: 1,
			judged: 1}.change(
			files{"main.go": "package main\n\nfunc main() {}\n", "main_test.go": strings.Replace(header, "package p",
				"package main", 1) + loop("A", "_ = i")}, nil, files{"default.pgo": profile()}),
		kind{name: "only comments", unseen: true, code: done, says: "reaches no benchmark"}.change(
			plain, nil, files{"p/p.go": "// Package p is.\n" + spin(100)}),
		kind{name: "only documents", unseen: true, code: done, says: "reaches no benchmark"}.change(
			plain, files{"README.md": "old", "docs/x.md": "old", "LICENSE": "old"}, files{"README.md": "new",
				"docs/x.md": "new"}),
		kind{name: "only tests", long: true, code: done}.change(
			plain, nil, files{"p/q_test.go": header + "func TestF(t *testing.T) { F() }\n"}),
	}
}

// profile is a profile of the optimizer.
func profile() string {
	var out bytes.Buffer
	if err := pprof.StartCPUProfile(&out); err != nil {
		return ""
	}
	pprof.StopCPUProfile()
	return out.String()
}

// importKinds makes a repository whose branches old-N and new-N are the sides of the kinds.
func importKinds(t *testing.T, all []kind) string {
	t.Helper()
	dir := t.TempDir()
	var in bytes.Buffer
	for i, k := range all {
		for side, content := range map[string]files{"old": k.old, "new": k.new} {
			fmt.Fprintf(&in, "commit refs/heads/%s-%d\ncommitter a <a@example.com> %d +0000\ndata 0\n", side, i, i)
			content = files{"go.mod": "module example.com/kinds\n\ngo 1.21\n"}.with(content)
			for _, name := range slices.Sorted(maps.Keys(content)) {
				text, mode := content[name], "100644"
				if target, ok := strings.CutPrefix(text, "-> "); ok {
					text, mode = target, "120000"
				}
				fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, name, len(text), text)
			}
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"fast-import", "--quiet"}} {
		cmd := exec.Command("git", args...)
		if cmd.Dir = dir; args[0] == "fast-import" {
			cmd.Stdin = &in
		}
		testkit.Run(t, cmd)
	}
	return dir
}

// A slowdown by a third is found with every release of Go, also one that lies in the module cache.
func TestToolchains(t *testing.T) {
	testkit.SkipIf(t, os.Getenv("UR_TOOLCHAINS") == "", "loads other versions of Go (want UR_TOOLCHAINS=1)")
	third := kind{name: "third"}.change(files{"p/p_test.go": header + loop("F", "F()")}, files{"p/p.go": spin(3000)},
		files{"p/p.go": spin(4000)})
	dir := importKinds(t, []kind{third})
	for version, want := range map[string]struct {
		code int
		text string
	}{
		"go1.18.10": {badUsage, "go1.18.10 is too old (want Go 1.19 or later)"},
		"go1.22.12": {slower, "go1.22.12"},
		"go1.23.12": {slower, "go1.23.12"},
		"go1.27.4":  {slower, "go1.27.4"},
	} {
		t.Run(version, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", version)
			t.Setenv("GOFLAGS", "")
			out, err := exec.Command("go", "version").CombinedOutput()
			testkit.SkipIf(t, err != nil || !strings.Contains(string(out), version),
				"%s cannot be loaded: %v\n%s", version, err, out)
			code, text, messages := runProgram(program(dir, t.TempDir(), "--seed", "1", "--time", "30s", "--horizon", "100ms", "old-0", "new-0"))
			testkit.ErrorIf(t, code != want.code || !strings.Contains(text+messages, want.text),
				"exit code %d (want %d), no %q\n%s%s", code, want.code, want.text, text, messages)
		})
	}
}

// answer is the part of the JSON object that the kinds check.
type answer struct {
	Schema     string
	Verdict    string
	Benchmarks struct {
		Reached, Judged int
		NotJudged       []struct{ Name, Reason string } `json:"not_judged"`
	}
}

// Every kind of change has its exit code: nothing passes that was not judged.
func TestKinds(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("git")))
	all := kinds()
	passing := together(all, done)
	if !testkit.Long() { // all that run measure little, or differences that no load hides
		t.Parallel()
		passing.args += " --judge time" // a failure is counted among those of another exit code
	}
	all = append(all, passing, together(all, undecided), unseen(all))
	dir := importKinds(t, all)
	for i, k := range all {
		t.Run(k.name, func(t *testing.T) {
			testkit.SkipIf(t, k.code == slower && testing.Short(), "measures")
			if !testkit.Long() {
				testkit.SkipIf(t, k.long || k.unseen || !k.quick && (k.isTurn() || k.judged > 0), "measures")
			}
			if !testkit.Long() || k.judged == 0 { // others measure
				t.Parallel()
			}
			out, temporary := t.TempDir(), t.TempDir()
			run := func(seed int) (code int, text, messages string) {
				args := append(strings.Fields(fmt.Sprint("--seed ", seed, " --time 60s --horizon 100ms --force --save ", out, " ", k.args)),
					fmt.Sprint("old-", i), fmt.Sprint("new-", i))
				cmd := program(dir, temporary, args...)
				cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GOWORK=",
					"GOFLAGS=-toolexec=env") // a tool around the linker keeps benchab from linking in each round
				return runProgram(cmd)
			}
			report := filepath.Join(out, "report.json")
			code, text, messages := run(1)
			for seed := 2; seed <= 3 && k.unlucky(t, code, report); seed++ {
				t.Logf("a false alarm, or too noisy:\n%s%s", text, messages)
				code, text, messages = run(seed)
			}
			if code == k.code && k.unlucky(t, code, report) {
				t.Logf("too noisy in three runs: fewer benchmarks judged")
				return
			}
			testkit.ErrorIf(t, code != k.code, "exit code %d (want %d)\n%s%s", code, k.code, text, messages)
			testkit.WantText(t, strings.Join(strings.Fields(text+messages), " "), strings.Split(k.says, "|")...)
			if k.code != badUsage {
				k.check(t, report)
			}
			checkNothingLeft(t, temporary)
		})
	}
}

// unlucky reports whether a run ended as chance and other work on the machine may end it: with a false alarm, or with
// fewer benchmarks judged. A pass that must not be is never chance.
func (k *kind) unlucky(t *testing.T, code int, file string) bool {
	t.Helper()
	if (code == slower || code == undecided) && k.code == done || code == slower && k.code == undecided {
		return true
	}
	return k.judged > 0 && (code == k.code || code == undecided) && readAnswer(t, file).Benchmarks.Judged < k.judged
}

// readAnswer reads the JSON object of a run.
func readAnswer(t *testing.T, file string) (got answer) {
	t.Helper()
	testkit.NoError(t, json.Unmarshal([]byte(testkit.ReadText(t, file)), &got))
	return got
}

// check checks the JSON object of a kind.
func (k *kind) check(t *testing.T, file string) {
	t.Helper()
	got := readAnswer(t, file)
	verdicts := map[int][]string{done: {"pass"}, slower: {"slower", "more-work"}, undecided: {"undecided", "nothing"}}
	b := got.Benchmarks
	testkit.Equal(t, got.Schema, "ur.ab/3", "schema")
	testkit.ErrorIf(t, !slices.Contains(verdicts[k.code], got.Verdict), "verdict %s", got.Verdict)
	testkit.ErrorIf(t, b.Reached != k.reached || b.Judged != k.judged || len(b.NotJudged) != b.Reached-b.Judged,
		"%+v (want %d reached, %d judged)", b, k.reached, k.judged)
	for reason := range strings.SplitSeq(k.reason, "|") {
		found := slices.ContainsFunc(b.NotJudged, func(n struct{ Name, Reason string }) bool {
			return n.Name != "" && strings.Contains(n.Reason, reason)
		})
		testkit.ErrorIf(t, k.reached > k.judged && !found, "not judged: %+v (want one with %q)", b.NotJudged, reason)
	}
}

// runProgram runs a program to its end.
func runProgram(cmd *exec.Cmd) (code int, stdout, stderr string) {
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	_ = cmd.Run() // the code says so
	return cmd.ProcessState.ExitCode(), out.String(), messages.String()
}
