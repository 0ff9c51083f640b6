package profile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/golden"
)

// loop is a subject that does little, behind a spin if it is busy.
type loop struct {
	busy  bool
	wrong error
}

func (*loop) Name() string   { return "Loop" }
func (*loop) Unit() string   { return "ns/op" }
func (l *loop) Check() error { return l.wrong }

func (l *loop) Pass() (float64, error) {
	if l.busy {
		busySpin()
	}
	return 1, work()
}

// work takes a small part of the time of the spin.
//
//go:noinline
func work() error {
	for i := range uint32(20_000) {
		spun = spun*22695477 + i
	}
	return nil
}

var spun uint32

// busySpin is where a profile must find the time.
//
//go:noinline
func busySpin() {
	for i := range uint32(1_000_000) {
		spun = spun*1664525 + i
	}
}

func TestProfileFindsTheBusyFunction(t *testing.T) {
	if testing.Short() {
		t.Skip("profiles for a second")
	}
	o := Options{
		Work: []Work{{&loop{busy: true}, "busy", "op"}, {&loop{}, "idle", "op"}},
		Time: 500 * time.Millisecond, Seed: 1,
	}
	done := 0
	o.Progress = func(n int) { done = n }
	c, err := Collect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if done != o.Slices() || done != 10 {
		t.Errorf("%d slices are done, want %d", done, o.Slices())
	}
	p := c.Profile(exampleEnvironment(), 3)
	busy, idle := p.Engines[0], p.Engines[1]
	if busy.Samples == 0 || idle.Samples == 0 {
		t.Skip("this system takes no samples")
	}
	if top := busy.Flat[0]; !strings.HasSuffix(top.Function, "profile.busySpin") || top.File != "internal/profile/profile_test.go" {
		t.Errorf("on top is %+v, want busySpin", top)
	}
	if line := busy.Lines[0]; !strings.HasSuffix(line.Function, "profile.busySpin") || line.Source != "spun = spun*1664525 + i" && !strings.HasPrefix(line.Source, "for i") {
		t.Errorf("the first line is %+v, want that of the spin", line)
	}
	for _, h := range slices.Concat(idle.Flat, idle.Cumulative) {
		if strings.HasSuffix(h.Function, "busySpin") {
			t.Errorf("%s spins without being busy: %+v", idle.Engine, h)
		}
	}
	for _, h := range slices.Concat(busy.Cumulative, idle.Cumulative) {
		if strings.Contains(h.Function, "(*loop)") || strings.HasPrefix(h.Function, "runtime/pprof.") {
			t.Errorf("a function above the work is listed: %+v", h)
		}
	}
	checkPprofReads(t, c.Raw)
}

// A function that is interrupted has the time itself, not what interrupts it.
func TestInterruptionsCountForTheFunction(t *testing.T) {
	frames := []spot{{name: "runtime.gopreempt_m"}, {name: "runtime.asyncPreempt2"}, {name: "runtime.asyncPreempt"}, {name: "a.f"}, {name: "a.g"}}
	if got := interrupted(frames); !slices.Equal(got, frames[3:]) {
		t.Errorf("%v, want %v", got, frames[3:])
	}
	if got := interrupted(frames[3:]); !slices.Equal(got, frames[3:]) {
		t.Errorf("of a function that was not interrupted: %v", got)
	}
	if got := interrupted(frames[:3]); len(got) != 3 {
		t.Errorf("of nothing else: %v", got)
	}
}

// checkPprofReads reads the file as "go tool pprof -tagfocus" does, which chooses by the labels.
func checkPprofReads(t *testing.T, raw []byte) {
	t.Helper()
	for engine, want := range map[string]bool{"busy": true, "idle": false} {
		p, err := profile.ParseData(raw)
		if err != nil {
			t.Fatal(err)
		}
		p.FilterSamplesByTag(func(s *profile.Sample) bool { return slices.Contains(s.Label["engine"], engine) }, nil)
		if spins := slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool {
			return slices.ContainsFunc(s.Location, inBusySpin)
		}); spins != want {
			t.Errorf("a sample labelled engine=%s is in busySpin: %v, want %v", engine, spins, want)
		}
	}
}

// inBusySpin reports whether a frame of a stack is of busySpin.
func inBusySpin(l *profile.Location) bool {
	return slices.ContainsFunc(l.Line, func(line profile.Line) bool { return strings.Contains(line.Function.Name, "busySpin") })
}

func TestProfileIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Work: []Work{{&loop{}, "one", "op"}, {&loop{}, "two", "op"}}, Time: time.Hour}
	o.Progress = func(done int) {
		if done == 1 {
			cancel()
		}
	}
	c, err := Collect(ctx, o)
	if !errors.Is(err, context.Canceled) || c == nil || !c.Interrupted {
		t.Fatalf("profile %v, error %v; want one that was interrupted", c, err)
	}
	p := c.Profile(exampleEnvironment(), 0)
	worked := 0
	for _, part := range p.Engines {
		if part.Seconds > 0 {
			worked++
		}
	}
	if worked != 1 || !p.Interrupted {
		t.Errorf("%d parts worked, interrupted %v; want 1, true", worked, p.Interrupted)
	}
	if _, err := json.Marshal(p); err != nil {
		t.Error(err)
	}
}

func TestProfileRefusesOptionsAndEngines(t *testing.T) {
	good := Options{Work: []Work{{&loop{}, "one", "op"}}, Time: time.Second}
	for want, change := range map[string]func(*Options){
		"nothing to profile": func(o *Options) { o.Work = nil },
		"must be positive":   func(o *Options) { o.Time = 0 },
		"2 and 2 are 5":      func(o *Options) { o.Work = []Work{{&loop{wrong: errors.New("2 and 2 are 5")}, "one", "op"}} },
	} {
		o := good
		change(&o)
		if c, err := Collect(t.Context(), o); c != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("profile %v, error %v; want %q", c, err, want)
		}
	}
}

const oracle = "array16/scalar"

// game is a subject whose time is told in microseconds.
type game struct{}

func (game) Unit() string           { return "us/game" }
func (game) Pass() (float64, error) { return 1, nil }
func (game) Name() string           { return "Game" }
func (game) Check() error           { return nil }

func exampleEnvironment() experiment.Environment {
	return experiment.Environment{CPU: "Example 9000", Family: 25, Model: 17, OS: "linux", Arch: "amd64", Go: "go1.26.0", Date: "2026-11-21T04:29:14Z"}
}

// exampleCollected is a profile made by hand: at the level game the oracle was seen
// 60 times in f inlined into g, 30 times in g, and 10 times in h, which calls itself;
// bits/scalar 25 times in g and 75 times in assembly.
func exampleCollected(t *testing.T) *Collected {
	t.Helper()
	const root = "github.com/seed-09dcdc84/ur"
	function := func(id uint64, name, file string) *profile.Function {
		return &profile.Function{ID: id, Name: name, Filename: file}
	}
	f, g := function(1, root+".f", "/src/f.go"), function(2, root+"/board.(*Bits).g[go.shape.int]", "/src/board/g.go")
	h := function(3, root+".h", "/src/h.go")
	timer, pass := function(6, root+"/internal/experiment.Clock.Time", "/src/clock.go"), function(4, root+"/internal/bench.(*Case).Pass", "/src/bench/case.go")
	task := function(7, root+"/internal/bench.(*gamesTask).pass", "/src/bench/level_games.go")
	kernel := function(5, root+".valuesAVX2", filepath.Join("..", "eval_amd64.s"))
	at := func(id uint64, lines ...profile.Line) *profile.Location {
		return &profile.Location{ID: id, Line: lines}
	}
	line := func(f *profile.Function, n int64) profile.Line { return profile.Line{Function: f, Line: n} }
	inG, inlined := at(1, line(g, 20)), at(2, line(f, 10), line(g, 21))
	inH, inKernel := at(3, line(h, 30)), at(5, line(kernel, 1))
	above := []*profile.Location{at(7, line(task, 9)), at(4, line(pass, 80)), at(6, line(timer, 5)), at(8, line(h, 31))}
	sample := func(engine string, n int64, stack ...*profile.Location) *profile.Sample {
		return &profile.Sample{
			Value: []int64{n, n * 1e7}, Location: append(stack, above...),
			Label: map[string][]string{"engine": {engine}, "level": {"game"}},
		}
	}
	c := &Collected{
		profile: &profile.Profile{
			Period: 1e7,
			Sample: []*profile.Sample{
				sample(oracle, 60, inlined), sample(oracle, 30, inG), sample(oracle, 10, inH, inH, inG),
				sample("bits/scalar", 25, inG), sample("bits/scalar", 75, inKernel),
				{Value: []int64{1000, 1e10}, Location: []*profile.Location{inH}}, // the harness, without labels
			},
		},
		options: Options{Seed: 1, Harness: root + "/internal/bench"},
	}
	for _, name := range []string{oracle, "bits/scalar"} {
		work := Work{game{}, name, "game"}
		c.Work = append(c.Work, Worked{Work: work, Elapsed: time.Second, Units: 10_000})
	}
	c.Work[1].Units = 40_000
	return c
}

func TestProfileLists(t *testing.T) {
	p := exampleCollected(t).Profile(exampleEnvironment(), 0)
	if p.Hertz != 100 || p.Engines[0].Time != 100 || p.Engines[0].Samples != 100 || p.Engines[1].Time != 25 {
		t.Errorf("profile %+v", p)
	}
	list := func(hot []Hotspot) string {
		var lines []string
		for _, h := range hot {
			text, err := json.Marshal([]any{shortGenerics(filepath.Base(h.Function)), h.File, h.Line, h.Samples, h.Share, h.Time})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(text))
		}
		return strings.Join(lines, "\n")
	}
	first := p.Engines[0]
	for _, test := range []struct {
		name      string
		got, want string
	}{
		{"flat", list(first.Flat), `["ur.f","f.go",0,60,0.6,60]
["board.(*Bits).g[...]","board/g.go",0,30,0.3,30]
["ur.h","h.go",0,10,0.1,10]`},
		{"cumulative", list(first.Cumulative), `["board.(*Bits).g[...]","board/g.go",0,100,1,100]
["ur.f","f.go",0,60,0.6,60]
["ur.h","h.go",0,10,0.1,10]`},
		{"lines", list(first.Lines), `["ur.f","f.go",10,60,0.6,60]
["board.(*Bits).g[...]","board/g.go",20,30,0.3,30]
["ur.h","h.go",30,10,0.1,10]`},
	} {
		if test.got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, test.got, test.want)
		}
	}
	if short := exampleCollected(t).Profile(exampleEnvironment(), 2).Engines[0]; len(short.Flat) != 2 || len(short.Lines) != 2 || len(short.Cumulative) != 2 {
		t.Errorf("lists of two have %d, %d and %d entries", len(short.Flat), len(short.Cumulative), len(short.Lines))
	}
}

func TestProfileAsText(t *testing.T) {
	p := exampleCollected(t).Profile(exampleEnvironment(), 0)
	p.Interrupted, p.Corpus, p.Signature = true, "5d08b0548124", "ff4817236e341733"
	var out bytes.Buffer
	p.WriteText(&out)
	golden.Check(t, "profile.txt", out.Bytes())
}

func TestSourceOfPlaces(t *testing.T) {
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	assembly, err := os.ReadFile(filepath.Join(here, "eval_amd64.s"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(assembly), "\n")
	module := experiment.ModulePath()
	for _, test := range []struct {
		place  spot
		file   string
		source string
	}{
		{spot{module + ".values", filepath.Join(here, "eval_amd64.s"), 1}, "eval_amd64.s", strings.Join(strings.Fields(first), " ")},
		{spot{module + ".values", module + "/eval_amd64.s", 1}, "eval_amd64.s", strings.Join(strings.Fields(first), " ")}, // -trimpath
		{spot{module + "/internal/bench.(*Case).Pass", filepath.Join(here, "internal", "bench", "case.go"), 1}, "internal/bench/case.go", "package bench"},
		{spot{module + "/internal/bench.f[github.com/a/b.C]", "/gone/case.go", 1}, "internal/bench/case.go", "package bench"},
		{spot{module + "/internal/bench.f", "/gone/gone.go", 1}, "internal/bench/gone.go", ""},
		{spot{module + "/internal/bench.f", "/gone/case.go", 1 << 40}, "internal/bench/case.go", ""},
		{spot{module + "/internal/bench.f", "/gone/case.go", 0}, "internal/bench/case.go", ""},
		{spot{"runtime.memmove", "/usr/go/src/runtime/memmove_amd64.s", 0}, "runtime/memmove_amd64.s", ""},
		{spot{"unknown", "", 0}, "", ""},
	} {
		if file, source := shortFile(test.place), sourceLine(test.place); file != test.file || source != test.source {
			t.Errorf("%+v: file %q, source %q; want %q, %q", test.place, file, source, test.file, test.source)
		}
	}
}

func TestBlocksOfAssembly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kernel.s")
	text := "// Generated.\n\nTEXT ·f(SB), NOSPLIT, $0-0\n\tRET\n\nTEXT ·g(SB), NOSPLIT, $0-0\n\tNOP\n\n\t// Add the rows,\n\t// two at a time.\nloop:\n\tVPADDW Y0, Y1, Y2\n\n\t// Store.\n\tVMOVDQU Y2, (AX)\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int64]int64{1: 0, 4: 0, 7: 0, 9: 9, 10: 9, 11: 9, 12: 9, 14: 14, 15: 14, 100: 0} {
		block, ok := spot{"example.com/m.g", file, line}.block()
		if block.line != want || ok != (want > 0) {
			t.Errorf("line %d is in the block of line %d (%v), want %d", line, block.line, ok, want)
		}
	}
	if block, ok := (spot{"example.com/m.f", "/gone/case.go", 8}).block(); ok {
		t.Errorf("a line of Go is in the block %+v", block)
	}
}
