package ab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// twoPrograms returns options that compare two calls of this test binary.
func twoPrograms(t *testing.T, oldArgs, newArgs string) Options {
	t.Helper()
	binary := testkit.Must(os.Executable())(t)
	t.Setenv(programVariable, "1")
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each program takes a second to end
	o := DefaultOptions()
	o.Seed, o.Time, o.rounds, o.Prove = 1, time.Minute, 20, true
	o.Old, o.New = "'"+binary+"' "+oldArgs, "'"+binary+"' "+newArgs
	return o
}

// find returns the row of a benchmark in a unit.
func find(t *testing.T, r *report.Report, name, unit string) report.Row {
	t.Helper()
	for _, row := range r.Rows {
		if row.Name == name && row.Unit == unit {
			return row
		}
	}
	t.Fatalf("there is no row %s %s in %+v", name, unit, r.Rows)
	return report.Row{}
}

func TestCommands(t *testing.T) {
	dir := t.TempDir()
	o := twoPrograms(t, "0 "+filepath.Join(dir, "a"), "5 "+filepath.Join(dir, "b"))
	var last Progress
	o.Progress = func(p Progress) {
		if p.Plan == "" { // a slow machine makes another plan
			last = p
		}
	}
	got := testkit.Must(Run(t.Context(), o))(t)
	testkit.Equal(t, got.Verdict, verdict.Slower, "verdict")
	row := find(t, got, "fast.Hash/n=1", "sec/op")
	testkit.ErrorIf(t, row.Verdict != verdict.Slower || row.Delta < 0.04 || row.Delta > 0.06 || row.Old < 990e-9 ||
		row.Old > 1010e-9, "%+v", row)
	row = find(t, got, "fast.Hash/n=1", "allocs/op")
	testkit.ErrorIf(t, row.Verdict != verdict.Slower || row.Delta != 1, "%+v", row)
	testkit.Equal(t, find(t, got, "fast.Hash/n=1", "B/op").Verdict, verdict.Identical, "bytes of fast.Hash/n=1")
	row = find(t, got, "fast.Same", "sec/op")
	testkit.Equal(t, row.Verdict, verdict.NotSlower, "%+v", row)
	row = find(t, got, "fast.Rate", "games/s")
	testkit.ErrorIf(t, row.Verdict != verdict.Slower || row.Delta > -0.03, "%+v", row)
	for _, row := range got.Rows {
		testkit.ErrorIf(t, row.Unit == "widgets" && row.Verdict != verdict.NotJudged || row.Unit == "B/s",
			"%+v should not be judged", row)
	}
	s := got.Suite
	testkit.ErrorIf(t, s == nil || s.Benchmarks != 2 || s.Delta < 0.01 || s.Delta > 0.04, "suite %+v", s)
	testkit.ErrorIf(t, last.Phase != "measuring" || last.Round == 0, "progress %+v", last)
}

// All formats have the verdict.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	o := twoPrograms(t, "0 "+filepath.Join(dir, "gone1"), "5 "+filepath.Join(dir, "gone2"))
	got := testkit.Must(Run(t.Context(), o))(t)
	testkit.Equal(t, find(t, got, "fast.Rate", "sec/op").Verdict, verdict.Missing, "fast.Rate")
	for _, format := range report.Formats() {
		out := testkit.Written(t, func(w io.Writer) error { return got.Write(w, format) })
		testkit.WantText(t, format+":\n"+out, "fast.Hash/n=1", "slower", "fast.Rate")
	}
	testkit.WantError(t, got.Write(io.Discard, "xml"), "", "there is a format xml")
	saved := filepath.Join(t.TempDir(), "made", "here")
	testkit.NoError(t, got.Save(saved))
	text := testkit.ReadText(t, filepath.Join(saved, "old.txt"))
	testkit.WantText(t, text, "\ninterleaved: ")
	testkit.Equal(t, strings.Count(text, "BenchmarkHash"), got.Rounds, "samples in\n%s", text)

	// A benchmark that is no more is not a pass, unless the user says so.
	o.New = strings.Replace(o.New, " 5 ", " 0.001 ", 1)
	for _, ignore := range []bool{false, true} {
		o.IgnoreMissing = ignore
		got = testkit.Must(Run(t.Context(), o))(t)
		testkit.Equal(t, got.Verdict == verdict.Pass, ignore, "%s is a pass", got.Verdict)
	}
}

func TestCommandsThatFail(t *testing.T) {
	dir := t.TempDir()
	good := "0 " + filepath.Join(dir, "a")
	for args, want := range map[string]string{"fail": "no such table", "rubbish": "the output: no benchmarks"} {
		o := twoPrograms(t, good, args)
		got, err := Run(t.Context(), o)
		testkit.WantError(t, err, want, "%s", args)
		testkit.WantError(t, err, "new command", "%s", args)
		testkit.Equal(t, got, nil, "report")
	}
	for _, change := range []func(*Options){
		func(o *Options) { o.New = "/nosuch/program" },
		func(o *Options) { o.New = "a | b" },
	} {
		o := twoPrograms(t, good, good)
		change(&o)
		wantInputError(t, o, "")
	}
}

// A command that hangs ends with the time.
func TestHangingCommand(t *testing.T) {
	o := twoPrograms(t, "sleep", "sleep")
	o.Time = 300 * time.Millisecond
	got, err := Run(t.Context(), o)
	testkit.ErrorIf(t, got != nil || !errors.Is(err, ErrTime), "%v, %v", got, err)
}

// A run that is told to stop ends what it started and removes its folder.
func TestInterrupted(t *testing.T) {
	o := twoPrograms(t, "sleep", "sleep")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	got, err := Run(ctx, o)
	testkit.ErrorIf(t, got != nil || !errors.Is(err, context.DeadlineExceeded), "%v, %v", got, err)
	nothingLeft(t)
}

// programVariable makes this test binary a program that prints benchmarks: its value is
// the slowdown in percent, and what follows in its arguments what it is to do.
const programVariable = "UR_AB_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		runProgram(os.Args[1:])
		return
	}
	testkit.Main(m)
}

// Whole programs have rows of wall-clock time, CPU time with children, and peak memory. Their output is of no account.
func TestWholePrograms(t *testing.T) {
	for unit, args := range map[string][2]string{"cpu-sec/op": {"whole 1 idle", "whole 1 spin"},
		report.TimeUnit: {"whole 1 idle", "whole 1 spin"}, "peak-bytes": {"whole 1 idle", "whole 64 idle"}} {
		if unit == "peak-bytes" && process.PeakMemory() == 0 {
			continue // the system has none
		}
		o := twoPrograms(t, args[0], args[1])
		o.Whole, o.Limit, o.rounds = true, 0.2, 12
		got := testkit.Must(Run(t.Context(), o))(t)
		row := find(t, got, "Program", unit)
		testkit.ErrorIf(t, row.Verdict != verdict.Slower || !(row.Delta > 0.2), "%s: %+v", unit, row)
		testkit.ErrorIf(t, unit == "peak-bytes" && (row.New < 64<<20 || row.New-row.Old < 32<<20), "%+v", row)
		out := testkit.Written(t, func(w io.Writer) error { return got.Write(w, "text") })
		testkit.WantText(t, strings.Join(strings.Fields(out), " "), "Program sec/op", "Program cpu-sec/op")
	}
}

// A program that fails, hangs or is none is named.
func TestWholeProgramsThatFail(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	for args, want := range map[string]string{"fail": "no such table", "sleep": "was running"} {
		o := twoPrograms(t, "whole", args)
		o.Whole, o.Time = true, time.Second
		got, err := Run(t.Context(), o)
		testkit.WantError(t, err, want, "%s", args)
		testkit.WantError(t, err, args, "the command of %s", args)
		_, isInput := errors.AsType[*InputError](err)
		testkit.ErrorIf(t, got != nil || isInput == errors.Is(err, ErrTime), "%s: %v, %v", args, got, err)
	}
	o := twoPrograms(t, "whole", "thrice "+calls)
	o.Whole = true
	got := testkit.Must(Run(t.Context(), o))(t)
	testkit.Equal(t, got.Verdict, verdict.Undecided, "verdict")
	testkit.ErrorIf(t, len(got.Benchmarks.NotJudged) != 1 ||
		!strings.Contains(got.Benchmarks.NotJudged[0].Reason, calls), "%+v", got.Benchmarks)
}

// runWhole is a program for whole measurements: it may take memory, and start a child that spins.
func runWhole(args []string) {
	os.Stdout.Write(bytes.Repeat([]byte("much output\n"), 1<<18))
	if len(args) == 0 {
		return
	}
	mib, err := strconv.Atoi(args[0])
	if err != nil {
		panic(err)
	}
	memory := make([]byte, mib<<20)
	for i := range memory {
		memory[i] = byte(i)
	}
	if out, err := exec.Command(os.Args[0], args[1]).CombinedOutput(); err != nil {
		panic(fmt.Sprint(err, string(out)))
	}
	runtime.KeepAlive(memory)
}

// runProgram prints noisy benchmarks, another sample at each call: a file counts the calls.
func runProgram(args []string) {
	if args[0] == "sleep" {
		fmt.Println("BenchmarkA 1 1 ns/op")
		time.Sleep(time.Hour)
	}
	switch args[0] {
	case "whole":
		runWhole(args[1:])
		return
	case "idle":
		return
	case "spin":
		x := uint32(len(args))
		for range 300_000_000 { // much longer than a process takes to start under the race detector
			x ^= x<<13 ^ x>>17
		}
		fmt.Println(x)
		return
	case "thrice":
		calls, _ := os.ReadFile(args[1])
		if err := os.WriteFile(args[1], append(calls, '.'), 0o600); err != nil || len(calls) == 3 {
			os.Exit(1)
		}
		return
	}
	if args[0] == "fail" {
		fmt.Fprintln(os.Stderr, "no such table")
		os.Exit(3)
	}
	if args[0] == "rubbish" {
		fmt.Println("rubbish")
		return
	}
	percent, err := strconv.ParseFloat(args[0], 64)
	if err != nil {
		panic(err)
	}
	file, seed := args[1], uint64(len(args[1]))
	calls, _ := os.ReadFile(file)
	if err := os.WriteFile(file, append(calls, '.'), 0o600); err != nil {
		panic(err)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(len(calls))+uint64(percent*1000)))
	noise := func() float64 { return math.Exp(0.005 * rng.NormFloat64()) }
	fmt.Println("goos: linux\npkg: example.com/x/fast")
	fmt.Printf("BenchmarkHash/n=1 \t100\t%.2f ns/op\t16 B/op\t%d allocs/op\n", 1000*(1+percent/100)*noise(),
		1+int(percent/5))
	fmt.Printf("BenchmarkSame \t100\t%.2f ns/op\t%.2f MB/s\t7 widgets\n", 500*noise(), 10*noise())
	if strings.Contains(file, "gone") && percent > 0 {
		return
	}
	fmt.Printf("BenchmarkRate 1 %.2f games/s\n", 2000/(1+percent/100)*noise())
}

// Memory of programs that need about what their peak begins with has figures in all runs or in none.
func TestMemoryOfWholePrograms(t *testing.T) {
	const inherited = 5 << 20
	for _, first := range []int64{inherited, 2 * inherited} {
		s := &commandSampler{}
		for _, peak := range []int64{first, inherited, 3 * inherited} {
			outcomes := [2]frame.Result{{Peak: peak}, {Peak: peak}}
			s.describeWhole(&outcomes, inherited)
			has := strings.Contains(string(outcomes[frame.New].Output), "peak-bytes")
			testkit.Equal(t, has, first > inherited, "a peak of %d has a figure, after one of %d", peak, first)
		}
	}
}
