package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seed-09dcdc84/ur/cmd/internal/clitest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// writeFiles writes files of benchmarks to a new working directory: figures of one benchmark each, with a
// unit at the end.
func writeFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, benchmarks := range map[string]string{
		"old.txt":    "Turn 2000 2010 1990 2005 1995 2000 2002 2003 ns/turn, Game 40.1 40.2 40.3 40.1 40.2 40 40.2 40.3 us/game",
		"new.txt":    "Turn 2120 2130 2100 2120 2140 2110 2125 2115 ns/turn, Game 40.2 40.1 40.3 40.2 40.1 40.1 40 40.2 us/game",
		"gone.txt":   "Game 40.1 40.2 40.3 40.1 40.2 40 40.2 40.3 us/game",
		"rate.txt":   "Search 1000 1002 998 1000 999 1001 nodes/s",
		"lower.txt":  "Search 900 902 898 900 899 901 nodes/s",
		"odd.txt":    "Turn 5 5 things",
		"evil.txt":   "Turn 5 5 \x1b]0;x\a",
		"few.txt":    "Turn 2000 2010 1990 ns/turn",
		"noisy.txt":  "Turn 2000 2400 1700 2200 1900 2300 ns/turn",
		"broken.txt": "Turn fast ns/turn",
	} {
		var content strings.Builder
		content.WriteString("goos: linux\n")
		for text := range strings.SplitSeq(benchmarks, ", ") {
			words := strings.Fields(text)
			for _, x := range words[1 : len(words)-1] {
				fmt.Fprintf(&content, "Benchmark%s-4 10 %s %s\n", words[0], x, words[len(words)-1])
			}
		}
		testkit.WriteText(t, file, content.String())
	}
}

// Two files are judged by the options and exit codes of commits.
func TestFiles(t *testing.T) {
	writeFiles(t)
	run := runFiles(t)
	for _, test := range []struct {
		args string
		code int
		want string // in the output
	}{
		{"old.txt new.txt", slower, "\nTurn       sec/turn  2.00 µs  2.12 µs  +5.99%"},
		{"old.txt new.txt", slower, "not measured in turns"},
		{"old.txt new.txt --json", slower, `"base":"old.txt","head":"new.txt",`},
		{"old.txt old.txt", done, "\nPass: nothing is slower."},
		{"old.txt new.txt --limit Turn=10%", done, "Pass"},
		{"old.txt new.txt --exclude Turn", done, "Pass"},
		{"new.txt old.txt", done, "faster"},
		{"rate.txt lower.txt", slower, "Slower: Search -10.0% nodes/s"},
		{"lower.txt rate.txt", done, "Pass"},
		{"few.txt few.txt", undecided, "Undecided: too few samples: at least 4 on each side are needed (Turn)."},
		{"few.txt few.txt --undecided fail", slower, "Undecided"},
		{"few.txt few.txt --undecided pass", done, "Undecided"},
		{"noisy.txt noisy.txt", undecided, "Undecided"},
		{"old.txt gone.txt", undecided, "Undecided: the new side does not have it (Turn)."},
		{"old.txt gone.txt --missing ignore --json", done, `"delta":null`},
		{"odd.txt odd.txt", badUsage, "nothing to judge: the better direction is unknown: things"},
		{"evil.txt evil.txt", badUsage, `the better direction is unknown: \x1b]0;x\a (want`},
		{"old.txt broken.txt", badUsage, "broken.txt:2: invalid measurement fast ns/turn (want a number)"},
		{"old.txt -", badUsage, "-: the standard input is not read (want two files, OLD.txt and NEW.txt)"},
		{"old.txt", badUsage, "old.txt: 1 argument with files (want two"},
		{"old.txt .", badUsage, ".: no file beside old.txt (want two, OLD.txt and NEW.txt)"},
		{"nwe old.txt", badUsage, "nwe: no file beside old.txt (want two, OLD.txt and NEW.txt)"},
		{"old.txt new.txt gone.txt", badUsage, "old.txt: 3 arguments with files (want two"},
		{"old.txt nwe.txt", badUsage, "nwe.txt: no such file (want two files"},
		{"gone.txt old.txt", done, "Turn       sec/turn           2.00 µs"},
		{"old.txt new.txt --save x", badUsage, "--save, --explain and --old cannot be used with two files"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), strings.Fields(test.args), &stdout, &stderr)
		testkit.ErrorIf(t, code != test.code || !strings.Contains(stdout.String()+stderr.String(), test.want),
			"benchab %s: exit code %d (want %d and %q)\n%s%s", test.args, code, test.code, test.want, &stdout, &stderr)
	}
}

// timesTen repeats lines, as "go test -count 10" does.
func timesTen(lines ...string) string { return strings.Repeat(strings.Join(lines, "\n")+"\n", 10) }

// inUTF16 is a text as PowerShell writes it.
func inUTF16(text string) string {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return string(out)
}

// inEvents is the output of a package as "go test -json" prints it.
func inEvents(text string) string {
	var out strings.Builder
	for part := range strings.SplitAfterSeq(text, "\t") {
		fmt.Fprintf(&out, "{\"Time\":\"2026-01-02T10:00:00Z\",\"Action\":\"output\",\"Package\":\"x.org/store\",\"Output\":%q}\n", part)
	}
	return out.String()
}

// inWorkflow is a text in the log of a workflow, with the time of each line.
func inWorkflow(text string) string {
	const time = "2026-01-02T10:00:00.1234567Z "
	return time + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+time) + "\n"
}

// inContainer is a text as docker compose prints it, with the name of the container in front of each line.
func inContainer(text string) string {
	return strings.TrimSuffix("bench-1  | "+strings.ReplaceAll(text, "\n", "\nbench-1  | "), "bench-1  | ")
}

// Every kind of text has its exit code, from files and from commands: nothing passes that was not judged.
func TestKindsOfTexts(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("cat")))
	const header = "goos: linux\npkg: x.org/store\n"
	a, slowA := timesTen("BenchmarkA-8   \t     100\t       100 ns/op"), timesTen("BenchmarkA-8   \t     100\t       130 ns/op")
	b, slowB := strings.ReplaceAll(a, "kA-", "kB-"), strings.ReplaceAll(slowA, "kA-", "kB-")
	figures := func(figures string) string { return header + timesTen("BenchmarkA-8 \t 100\t 100 ns/op\t"+figures) }
	loud := strings.NewReplacer("-8   \t", "-8   \t2026/01/02 warm\nBenchmarkA is slow\ntook 12 ms\n")
	mute := header + a + "BenchmarkB-8   \t2026/01/02 warm\nPASS\n"
	inPackages := func(first, second string) string {
		return "pkg: x.org/" + first + "\n" + a + "PASS\nok  \tx.org/" + first + "\t1s\npkg: x.org/" + second + "\n"
	}
	for _, test := range []struct {
		name, old, new, args string
		code                 int
		says                 string
	}{
		{"slower", header + a, header + slowA, "", slower, "Slower: store.A +30.0% sec/op."},
		{"go test -v of names that end with a number", header + "BenchmarkA-10\n" + strings.ReplaceAll(a, "A-8", "A-10") + "BenchmarkA-20\n" + strings.ReplaceAll(a, "A-8", "A-20"),
			header + "BenchmarkA-10\n" + strings.ReplaceAll(a, "A-8", "A-10") + "BenchmarkA-20\n" + strings.ReplaceAll(slowA, "A-8", "A-20"), "", slower, "Slower: store.A-20 +30"},
		{"a name that ends with a number and is gone", header + a + strings.ReplaceAll(a, "A-8", "A-9"), header + a, "", undecided, "the new side does not have it (store.A-9)"},
		{"a name that ends with a number and is new", header + a, header + a + strings.ReplaceAll(a, "A-8", "A-9"), "", done, "1 benchmark is new"},
		{"a pattern that ends with a number", header + a + strings.ReplaceAll(a, "A-8", "A-9"), header + a + strings.ReplaceAll(slowA, "A-8", "A-9"), "--bench A-9$", slower,
			"Slower: store.A-9 +30|1 of 1 benchmark was judged"},
		{"logs between names and figures", header + loud.Replace(a), header + loud.Replace(slowA), "", slower, "Slower: store.A +30"},
		{"logs between them on one side", header + a, header + loud.Replace(slowA), "", slower, "Slower: store.A +30"},
		{"figures that never come", header + a + b, mute, "", undecided, "the new side does not print its figures (store.B)"},
		{"figures that never came", mute, header + a + b, "", undecided, "the old side does not print its figures (store.B)"},
		{"figures that come on neither side", mute, mute, "", undecided, "neither side prints its figures (store.B)"},
		{"figures that come on neither side, left out", mute, mute, "--exclude store.B", done, "Pass"},
		{"figures without a name", header + a, header + a + "  100\t 100 ns/op\n", "", badUsage, "figures without the name of a benchmark"},
		{"a result that is none", header + a, header + a + "BenchmarkA 1 5 ns/op 7\n", "", badUsage, ":13: incomplete benchmark"},
		{"packages that end alike", inPackages("a/store", "b/store") + a, inPackages("a/store", "b/store") + slowA, "", slower,
			"Slower: b/store.A +30"},
		{"a major version", inPackages("store", "store/v2") + a, inPackages("store", "store/v2") + slowA, "", slower,
			"Slower: store/v2.A +30"},
		{"one package in each", "pkg: m\n" + a, "pkg: m/v2\n" + slowA, "--ignore pkg", slower, "Slower: A +30"},
		{"two packages that are one", inPackages("a", "b") + a, inPackages("a", "b") + a, "--ignore pkg", badUsage,
			"BenchmarkA-8 is in the packages x.org/a and x.org/b"},
		{"CRLF", strings.ReplaceAll(header+a, "\n", "\r\n"), header + slowA, "", slower, "store.A +30"},
		{"byte order mark", "\ufeff" + header + a, header + slowA, "", slower, "store.A +30"},
		{"UTF-16", inUTF16(header + a), inUTF16(header + slowA), "", slower, "store.A +30"},
		{"go test -json", inEvents(header + a), inEvents(header + slowA), "", slower, "store.A +30"},
		{"go test -v", header + "BenchmarkA\n" + a, header + "BenchmarkA\n" + slowA, "", slower, "store.A +30"},
		{"blanks", "cpu: X  \n" + header + a, "cpu: X\n" + header + slowA, "", slower, "store.A +30"},
		{"a failure", header + a + b, header + a + "BenchmarkB-8 \t--- FAIL: BenchmarkB-8\nFAIL\nexit status 1\nFAIL\tx.org/store\t1s\n", "",
			undecided, "reports failures: BenchmarkB-8, x.org/store.|fails on the new side (store.B)"},
		{"a log like a setting", header + a + b, header + a + "debug: warm\n" + slowB, "", slower, "Slower: store.B +30"},
		{"a crash behind the last result", header + a, header + a + "panic: boom\n\ngoroutine 1 [running]:\n", "", undecided, "reports failures: panic: boom|Undecided: the new side reports failures."},
		{"a crash on both sides", header + a + "fatal error: deadlock\n", header + a + "fatal error: deadlock\n", "", undecided, "reports failures: fatal error: deadlock"},
		{"a crash in a benchmark", header + a + b, header + a + "BenchmarkB-8 \tpanic: boom\nFAIL\tx.org/store\t1s\n", "", undecided, "reports failures: panic: boom, x.org/store|figures (store.B)"},
		{"a crash before another package", header + a + "pkg: x.org/b\n" + b, header + a + "SIGSEGV: x\npkg: x.org/b\n" + b, "", undecided, "reports failures: SIGSEGV: x"},
		{"a killed program", header + a, header + a + "signal: killed\n", "", undecided, "reports failures: signal: killed"},
		{"a failed make", header + a, header + a + "make: *** [Makefile:3: bench] Error 1\n", "", undecided, "reports failures: make: ***"},
		{"a bar of progress", header + a, strings.ReplaceAll(header+slowA, "Benchmark", "50%\r100%\rBenchmark"), "", slower, "store.A +30"},
		{"a warning of a linker", header + a, "# x.org/store\nld: warning: duplicate\n" + header + slowA, "", slower, "store.A +30"},
		{"a panic that is a log", header + a, header + "panic: recovered\n" + a + "panic: recovered\nPASS\n", "", done, "Pass"},
		{"an event of a build", inEvents(header + a), inEvents(header+a) + `{"ImportPath":"x.org/c","Action":"build-fail"}` + "\n", "", undecided, "reports failures: x.org/c"},
		{"UTF-16 without its mark", inUTF16(header + a)[2:], inUTF16(header + slowA)[2:], "", slower, "store.A +30"},
		{"UTF-32", "\xff\xfe\x00\x00" + header + a, header + slowA, "", badUsage, "a text in UTF-32 (want UTF-8)"},
		{"ends of lines of old", strings.ReplaceAll(header+a, "\n", "\r"), header + slowA, "", slower, "store.A +30"},
		{"the log of a workflow", inWorkflow(header + a), inWorkflow(header + slowA), "", slower, "store.A +30"},
		{"packages in a container", inContainer(inPackages("a", "b") + a), inContainer(inPackages("a", "b") + slowA), "", slower, "Slower: b.A +30"},
		{"a failure in a container", inContainer(header + a), inContainer(header + a + "FAIL\tx.org/store\t1s\n"), "", undecided, "reports failures: x.org/store"},
		{"packages in two containers", inContainer(inPackages("a", "b")+a) + "c\n", inContainer(inPackages("a", "b")+slowA) + "c\n", "", badUsage,
			`:2: a result and "pkg: x.org/a" behind other text`},
		{"a limit of nothing", header + a, header + slowA, "--limit x.org/store.A=50%", slower, `no benchmark matches the limit of "x.org/store.A"`},
		{"tiny times", header + timesTen("BenchmarkA-8 1000000000 0.0000100 ns/op"), header + timesTen("BenchmarkA-8 1000000000 0.0000130 ns/op"),
			"", slower, "store.A +30.0% sec/op"},
		{"infinite", figures("+Inf x/op"), figures("+Inf x/op"), "", done, "x/op|+Inf"},
		{"not a number beside more allocations", figures("1 allocs/op\t NaN x/op"), figures("9 allocs/op\t NaN x/op"), "", slower,
			"allocs/op|NaN"},
		{"negative on one side", figures("1 B/op\t 1 x-B/op"), figures("1 B/op\t -1 x-B/op"), "", done, "x-B/op|-1"},
		{"a time that is none", header + b + timesTen("BenchmarkA-8 1 NaN ns/op"), header + b + timesTen("BenchmarkA-8 1 NaN ns/op"), "",
			undecided, "store.A"},
		{"a floor", figures("100 allocs/op"), figures("105 allocs/op"), "--limit allocs/op=5", done, "Pass"},
		{"above a floor", figures("1000 allocs/op"), figures("1006 allocs/op"), "--limit allocs/op=5", slower, "allocs/op"},
		{"a limit of a package", header + a, header + slowA, "--limit store.A$=50%", done, "Pass"},
		{"a pattern", header + a + b, header + a + slowB, "--bench A$", done, "1 of 1 benchmark"},
		{"an excluded benchmark", header + a + b, header + a + slowB, "--exclude store.B$", done, "1 of 1 benchmark"},
		{"a declared unit", "Unit y better=higher\n" + figures("5 y"), figures("4 y"), "", slower, "store.A -20"},
		{"a unit that is gone", figures("5 allocs/op"), header + a, "", undecided, "the new side does not print it in allocs/op (store.A)"},
		{"a unit that is gone beside a slower time", figures("5 allocs/op"), header + slowA, "", slower, "store.A +30"},
		{"a time that is gone", figures("5 allocs/op"), header + timesTen("BenchmarkA-8 100 5 allocs/op"), "", undecided, "does not print it in sec/op"},
		{"floors of two units of memory", figures("8000 B/op 1000 allocs/op"), figures("8008 B/op 1001 allocs/op"), "--limit allocs/op=0", slower, "allocs/op"},
		{"a byte by rounding", figures("3 B/op 0 allocs/op"), figures("4 B/op 0 allocs/op"), "", done, "Pass"},
		{"no byte by rounding", figures("0 B/op 0 allocs/op"), figures("1 B/op 0 allocs/op"), "", done, "Pass"},
		{"more bytes than by rounding", figures("3 B/op 0 allocs/op"), figures("5 B/op 0 allocs/op"), "", slower, "B/op"},
		{"a large floor of bytes", figures("80 B/op 10 allocs/op"), figures("104 B/op 13 allocs/op"), "--limit B/op=100000", slower, "allocs/op"},
		{"an exact unit that varies on one side", "Unit x/op assume=exact\ninterleaved: 1\n" + figures("5 x/op"),
			"Unit x/op assume=exact\ninterleaved: 1\n" + header + strings.Repeat("BenchmarkA-8 1 100 ns/op 5 x/op\nBenchmarkA-8 1 100 ns/op 5.1 x/op\n", 5), "", done, "x/op"},
		{"a part of a unit of memory", figures("1000 B/op 100 allocs/op"), figures("1090 B/op 100 allocs/op"), "--limit B/op=10%", done, "Pass"},
		{"above a part of a unit of memory", figures("1000 B/op 100 allocs/op"), figures("1090 B/op 109 allocs/op"), "--limit B/op=10%", slower, "Slower: store.A +9.00% allocs/op"},
		{"a part below the limit", figures("1000 B/op 100 allocs/op"), figures("1000 B/op 102 allocs/op"), "--limit allocs/op=5 --limit allocs/op=1%", slower, "allocs/op"},
		{"a pattern of units that matches times", header + a, header + slowA, "--higher-better hits|op", slower, "Slower: store.A +30.0% sec/op"},
		{"a time that is declared to be better higher", "Unit ns/op better=higher\n" + header + a, header + slowA, "", slower, "Slower: store.A +30.0% sec/op"},
		{"a floor without end", header + a, header + slowA, "--limit allocs/op=Inf", badUsage, "--limit: invalid limit"},
		{"a benchmark of an unknown unit", header + a + timesTen("BenchmarkB-8 1 5 things"), header + a + timesTen("BenchmarkB-8 1 50 things"), "",
			undecided, "the better direction of things is unknown (want --higher-better things"},
		{"a benchmark of an unknown unit, and --missing ignore", header + a + timesTen("BenchmarkB-8 1 5 things"), header + a + timesTen("BenchmarkB-8 1 50 things"),
			"--missing ignore", undecided, "1 of 2 benchmarks were judged"},
		{"times without a slash", figures("1 p99-ms"), figures("9 p99-ms"), "", slower, "p99-sec"},
		{"a printed unit that is better higher", figures("5 MB/req"), figures("4 MB/req"), "--higher-better MB/req", slower, "store.A -20"},
		{"a time in two units", figures("60 ms/op"), strings.ReplaceAll(figures("60 ms/op"), " 100 ns", " 120 ns"), "", slower, "store.A +20.0% sec/op"},
		{"bytes in two units", figures("5 MB/op\t 1000 B/op"), figures("5 MB/op\t 2000 B/op"), "", slower, "store.A +100% B/op"},
		{"a declaration of the new side", figures("5 y"), "Unit y better=higher\n" + figures("4 y"), "", slower, "store.A -20"},
		{"declarations that differ", "Unit y better=higher\n" + figures("5 y"), "Unit y better=lower\n" + figures("4 y"), "", badUsage,
			"declare different directions of y"},
		{"another setting of one benchmark", header + a + "\nx: 1\n\n" + b, header + a + "\nx: 2\n\n" + slowB, "--missing ignore", undecided, "the sides differ in x"},
		{"another number of processors", header + a + b, header + a + strings.ReplaceAll(slowB, "B-8", "B-4"), "--missing ignore", undecided, "the sides differ in GOMAXPROCS"},
		{"only another number of processors", header + a, header + strings.ReplaceAll(a, "A-8", "A-4"), "", badUsage, "of the same work and machine)"},
		{"a result behind a log", header + a + strings.ReplaceAll(b, "BenchmarkB", "warm.BenchmarkB"), header + a + strings.ReplaceAll(slowB, "BenchmarkB", "warm.BenchmarkB"), "", slower, "store.B +30"},
		{"an indented result", header + a + strings.ReplaceAll(b, "BenchmarkB", "  BenchmarkB"), header + a + strings.ReplaceAll(slowB, "BenchmarkB", "  BenchmarkB"), "", slower, "store.B +30"},
		{"colours", header + a + strings.ReplaceAll(b, "BenchmarkB", "\x1b[32mBenchmarkB\x1b[0m"), header + a + slowB, "", slower, "store.B +30"},
		{"UTF-16 behind UTF-8", header + a + inUTF16(b), header + a + inUTF16(slowB), "", badUsage, "one part is in UTF-16"},
		{"UTF-8 behind UTF-16", inUTF16(header+a) + b, inUTF16(header+a) + slowB, "", badUsage, "one part is in UTF-16"},
		{"too many iterations", header + a, header + a + "BenchmarkB-8 10000000000000000000000 5 ns/op\n", "", badUsage, ":13: invalid number of iterations"},
		{"iterations that are none", header + a, header + a + "BenchmarkB-8 1e6 5 ns/op\n", "", badUsage, ":13: invalid number of iterations 1e6"},
		{"a blank in a name", header + a, header + a + strings.ReplaceAll(b, "B-8", "B x-8"), "", badUsage, ":13: a blank in the name"},
		{"a name that is none", header + a, header + a + "Benchmarkfoo 1 5 ns/op\n", "", badUsage, ":13: Benchmarkfoo is no name"},
		{"events in another order", strings.ReplaceAll(inEvents(header+a), `{"Time":"2026-01-02T10:00:00Z",`, "{"), header + slowA, "", slower, "store.A +30"},
		{"an event of a failure", inEvents(header + a), inEvents(header+a) + `{"Action":"fail","Package":"x.org/store"}` + "\n", "", undecided, "reports failures: x.org/store"},
		{"one figure of ten that is none", figures("1 p99-ns"), strings.Replace(figures("9 p99-ns"), "9 p99", "NaN p99", 1), "", slower, "p99-sec|NaN"},
		{"figures that end with a name, and --missing ignore", header + a + b, header + a + slowB + "BenchmarkB-8   \t", "--missing ignore", undecided, "the new side does not print its figures (store.B)"},
		{"a time that is none, and --missing ignore", header + b + a, header + b + a + "BenchmarkA-8 1 NaN ns/op\n", "--missing ignore", undecided, "the new side does not print its figures (store.A)"},
		{"times that are none, and --missing ignore", header + a, header + timesTen("BenchmarkA-8 1 -5 ns/op"), "--missing ignore", undecided, "the new side does not print its figures (store.A)"},
		{"minus zero", header + b + timesTen("BenchmarkA-8 1 -0 ns/op"), header + b + timesTen("BenchmarkA-8 1 5 ns/op"), "", slower, "store.A"},
		{"a skip in another package", header + a + "BenchmarkB\n" + "pkg: x.org/b\n--- SKIP: BenchmarkB\n", header + a + "BenchmarkB\npkg: x.org/b\n--- SKIP: BenchmarkB\n", "",
			undecided, "neither side prints its figures (store.B)"},
		{"a skip on both sides", header + a + "BenchmarkB-8 \t--- SKIP: BenchmarkB-8\n", header + a + "BenchmarkB-8 \t--- SKIP: BenchmarkB-8\n", "", done, "1 of 1 benchmark was judged"},
		{"a skip on the new side", header + a + b, header + a + "BenchmarkB\n--- SKIP: BenchmarkB\n", "", undecided, "skips on the new side (store.B)"},
		{"a log that looks like figures", header + a + timesTen("BenchmarkB-8 \t12 items", "12\t34 rows", "   100\t  5 p50-ns"), header + a + timesTen("BenchmarkB-8 \t12 items", "12\t34 rows", "   100\t  9 p50-ns"), "",
			badUsage, "more figures of BenchmarkB-8"},
		{"a log like a name", header + strings.ReplaceAll(a, "A-8   \t", "A-8   \tlog\nBenchmarkHelper\tstart\n"), header + slowA, "", slower, "Slower: store.A +30"},
		{"an announcement without figures", header + a + "BenchmarkZ\n", header + slowA + "BenchmarkZ\n", "--limit store.A$=50% --exclude Z", done, "Pass"},
		{"messages in front", "go: downloading x v1\nmake: x\nwarning: y\n" + header + a, "make: z\n" + header + slowA, "", slower, "store.A +30"},
		{"the time between runs", header + a + "\nreal: 12s\n\n" + b, header + a + "\nreal: 13s\n\n" + slowB, "", slower, "store.B +30"},
		{"logs like settings of the suites", header + a + "clock: 12:00\nsignature: abc\n" + b, header + a + "clock: 13:00\nsignature: abd\n" + slowB, "", slower, "store.B +30"},
		{"a sentence about units", header + a + "Unit tests passed\n", header + slowA + "Unit tests passed\n", "", slower, "store.A +30"},
		{"a pattern without a benchmark", header + a, header + a, "--bench Nope", badUsage, `--bench: no benchmark matches "Nope" (there are store.A)`},
		{"all left out", header + a, header + a, "--exclude .", badUsage, `--exclude: "." leaves no benchmark`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			testkit.WriteText(t, "old.txt", test.old)
			testkit.WriteText(t, "new.txt", test.new)
			for args, code := range map[string]int{"old.txt new.txt": test.code, "--old cat_old.txt --new cat_new.txt --time 20s": test.code} {
				var stdout, stderr bytes.Buffer
				words := strings.Fields(args + " " + test.args)
				for i := range words {
					words[i] = strings.Replace(words[i], "cat_", "cat ", 1)
				}
				got := runFiles(t)(t.Context(), words, &stdout, &stderr)
				text := strings.Join(strings.Fields(stdout.String()+stderr.String()), " ")
				if code == badUsage && strings.Contains(text, " command \"cat ") {
					code = failure // of the command
				}
				testkit.ErrorIf(t, got != code, "benchab %s: exit code %d (want %d)\n%s%s", args, got, code, &stdout, &stderr)
				testkit.WantText(t, text, strings.Split(test.says, "|")...)
			}
		})
	}
}

// Files of many benchmarks tell how many samples they need, and have their geometric mean.
func TestManyBenchmarks(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name string, samples ...float64) {
		var out strings.Builder
		for k := range 200 {
			for i, x := range samples {
				fmt.Fprintf(&out, "BenchmarkF%d 1 %g ns/op\n", k, x+float64((k+i)%3))
			}
		}
		testkit.WriteText(t, name, out.String())
	}
	write("old.txt", 100, 101, 102, 103, 104)
	write("new.txt", 130, 131, 132, 133, 134)
	for format, want := range map[string]string{
		"text":     "too few samples: at least 8 on each side among 201 comparisons are needed (F0, F1, F2 and 197 more).",
		"markdown": "All together, the geometric mean of 200: +29.1% [",
		"json":     `"suite":{"benchmarks":200,"rounds":5,"delta":0.29`,
	} {
		var stdout, stderr bytes.Buffer
		code := runFiles(t)(t.Context(), []string{"old.txt", "new.txt", "--format", format}, &stdout, &stderr)
		testkit.Equal(t, code, undecided, "exit code")
		testkit.WantText(t, strings.Join(strings.Fields(stdout.String()+stderr.String()), " "), want)
	}
}

// What a command prints in later rounds only has its exit code as well.
func TestKindsOfRounds(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("sh")))
	const old = "echo pkg: x.org/store; echo 'BenchmarkA-8 1 100 ns/op 5 p99-ns/op'\n"
	for _, test := range []struct {
		name, third string // what the new side prints from the third round on
		code        int
		says        string
	}{
		{"a unit that is gone", "echo 'BenchmarkA-8 1 100 ns/op'", undecided, "a round does not print it in p99-sec/op (store.A)"},
		{"figures that are gone", "echo 'BenchmarkB-8 1 100 ns/op'", undecided, "a round does not print its figures (store.A)"},
		{"a failure", "echo 'BenchmarkA-8 1 100 ns/op 5 p99-ns/op'; echo '--- FAIL: BenchmarkC'", undecided, "reports failures: BenchmarkC"},
		{"a figure that is none", "echo \"BenchmarkA-8 1 100 ns/op $(if [ $n = 3 ]; then echo NaN; else echo 50; fi) p99-ns/op\"", slower, "p99-sec/op"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			testkit.WriteText(t, "old.sh", old)
			testkit.WriteText(t, "new.sh", "echo x >> calls; n=$(wc -l < calls); if [ $n -lt 3 ]; then\n"+old+"else echo pkg: x.org/store; "+test.third+"; fi\n")
			var stdout, stderr bytes.Buffer
			code := runFiles(t)(t.Context(), []string{"--old", "sh old.sh", "--new", "sh new.sh", "--time", "20s"}, &stdout, &stderr)
			testkit.ErrorIf(t, code != test.code, "exit code %d (want %d)\n%s%s", code, test.code, &stdout, &stderr)
			testkit.WantText(t, strings.Join(strings.Fields(stdout.String()+stderr.String()), " "), test.says)
		})
	}
}

// What --save writes has the same verdict.
func TestSavedDirections(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("cat")))
	t.Chdir(t.TempDir())
	testkit.WriteText(t, "a", "Unit y better=higher\n"+timesTen("BenchmarkA-8 1 100 ns/op 5 y"))
	testkit.WriteText(t, "b", "Unit y better=higher\n"+timesTen("BenchmarkA-8 1 100 ns/op 4 y"))
	for _, args := range [][]string{{"--old", "cat a", "--new", "cat b", "--time", "20s", "--save", "s"}, {"s/old.txt", "s/new.txt"}} {
		var stdout, stderr bytes.Buffer
		code := runFiles(t)(t.Context(), args, &stdout, &stderr)
		testkit.ErrorIf(t, code != slower, "%q: exit code %d (want %d)\n%s%s", args, code, slower, &stdout, &stderr)
	}
}

// A pipe that nobody writes does not keep a run from its end.
func TestPipeWithoutWriter(t *testing.T) {
	t.Chdir(t.TempDir())
	testkit.SkipOn(t, testkit.ErrorOf(exec.Command("mkfifo", "old.txt", "new.txt").Output()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := newCommand().run(ctx, []string{"old.txt", "new.txt"}, &bytes.Buffer{}, nil)
	testkit.Equal(t, exitCode(err), interrupted, "exit code of %v", err)
}

// runFiles returns a run of the command for [clitest.WrongInputsOf]: a screen wants files.
func runFiles(t *testing.T) func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int {
	dir := t.TempDir()
	return func(_ context.Context, args []string, stdout, stderr *bytes.Buffer) int {
		var files [2]*os.File
		for i := range files {
			files[i] = testkit.Must(os.Create(filepath.Join(dir, fmt.Sprint(i))))(t)
			defer files[i].Close()
		}
		code := run(args, files[0], files[1])
		for i, buffer := range []*bytes.Buffer{stdout, stderr} {
			buffer.WriteString(testkit.ReadText(t, files[i].Name()))
		}
		return code
	}
}

func TestWrongInputs(t *testing.T) {
	clitest.WrongInputsOf(t, "benchab", runFiles(t), `
--bogus
--json --format markdown
--old x
--new x
--limit (=3%
--history NONE HEAD
HEAD~1 HEAD --store EMPTY
HEAD
NONE HEAD ./...
`)
}

// Three wrong values of every flag are refused, with the name of the flag.
func TestWrongValues(t *testing.T) {
	var (
		anything = [3]string{"x", "2", "maybe"}
		path     = [3]string{"", "EMPTY/x", "GARBAGE/x"}
		regexp   = [3]string{"(", "[", "*"}
		word     = [3]string{"", "x", "FOLDER"}
	)
	values := map[string][3]string{
		"time": {"", "x", "-1s"}, "horizon": {"0", "50ms", "2m"}, "limit": {"", "x", "-1%"},
		"bench": regexp, "exclude": regexp, "tests": word, "judge": word, "cpu": {"x", "0", "1,-2"},
		"tags": {"-x", "a;b", "("}, "args": {"", "'", "-v"}, "prepare": {"", "'", "("}, "higher-better": regexp, "ignore": {"", "A", "-x"}, "undecided": word, "missing": word, "explain": anything, "explain-time": anything,
		"by": {"", "/0", "a,b"}, "baseline": {"", "x", "2"}, "fastest": {"", "x", "2"}, "whole": anything,
		"old": {"", "x", "NONE/NONE"}, "new": {"", "x", "NONE/NONE"}, "format": word, "json": anything, "o": {"",
			"FOLDER", "NONE/x"},
		"save": path, "store": path,
		"history": {"", "NONE", "EMPTY"}, "force": anything, "bisect": anything, "seed": {"", "x", "-1"}, "version": anything,
	}
	run := runFiles(t)
	newCommand().flags().VisitAll(func(f *flag.Flag) {
		three, ok := values[f.Name]
		testkit.ErrorIf(t, !ok, "--%s has no wrong values", f.Name)
		named := func(ctx context.Context, args []string, stdout, stderr *bytes.Buffer) int {
			code := run(ctx, args, stdout, stderr)
			testkit.ErrorIf(t, !strings.Contains(stderr.String(), "-"+f.Name),
				"%q: the flag is missing: %s", args, stderr)
			return code
		}
		for _, value := range three {
			clitest.WrongInputsOf(t, "benchab", named, fmt.Sprintf("--%s=%s", f.Name, value))
		}
	})
}
