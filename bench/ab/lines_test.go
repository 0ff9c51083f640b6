package ab

import (
	"math"
	"testing"
)

func TestParseLines(t *testing.T) {
	lines := parseLines("goos: linux\npkg: example.com/a/b\n" +
		"BenchmarkHash/rounds=1-4 \t 1000\t  350.5 ns/op\t 12.00 MB/s\t 16 B/op\t 2 allocs/op\n" +
		"BenchmarkLoud\nhello 12\nworld   \t 7\t 1e+03 ns/op\n" + // the benchmark prints lines of its own
		"BenchmarkLoudest-4 hello      \t5\t0.25 ns/op\r\n" +
		"Benchmarking is fun 5\t1 ns/op\n" + // no name of a benchmark
		"--- FAIL: BenchmarkBroken\nBenchmarkEmpty\nPASS\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines: %+v", len(lines), lines)
	}
	first := lines[0]
	if first.name != "Hash/rounds=1-4" || first.pkg != "example.com/a/b" || first.iterations != 1000 || len(first.figures) != 4 {
		t.Errorf("%+v", first)
	}
	if allocs, ok := first.figure("allocs/op"); !ok || allocs != 2 {
		t.Errorf("allocs %v", allocs)
	}
	if ns, _ := lines[1].figure("ns/op"); lines[1].name != "Loud" || ns != 1000 || lines[1].iterations != 7 {
		t.Errorf("%+v", lines[1])
	}
	if ns, _ := lines[2].figure("ns/op"); lines[2].name != "Loudest-4" || ns != 0.25 {
		t.Errorf("%+v", lines[2])
	}
	for _, c := range []struct {
		name  string
		procs int
		want  string
	}{{"A-4", 4, "A"}, {"A-4", 1, "A-4"}, {"A/n=-4-4", 4, "A/n=-4"}, {"A-8", 4, "A-8"}} {
		if got := withoutProcs(c.name, c.procs); got != c.want {
			t.Errorf("%s with %d processors is %s, want %s", c.name, c.procs, got, c.want)
		}
	}
}

func FuzzParseLines(f *testing.F) {
	f.Add("BenchmarkA 1 2 ns/op\n")
	f.Add("BenchmarkA\nnoise 1 2 ns/op 3 B/op x\npkg: y\nBenchmarkB-2 9 1e9999 ns/op")
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range parseLines(text) {
			if l.iterations < 1 || len(l.figures) == 0 {
				t.Fatalf("%+v", l)
			}
			for _, figure := range l.figures {
				if math.IsNaN(figure.value) || math.IsInf(figure.value, 0) || figure.unit == "" {
					t.Fatalf("%+v", l)
				}
			}
		}
	})
}

func TestDeclaredUnits(t *testing.T) {
	r := &runner{units: declaredUnits("goos: linux\nUnit ns/eval better=lower\nUnit points assume=exact better=higher\nUnit x\nBenchmarkB 1 2 ns/op\n")}
	if len(r.units) != 2 {
		t.Errorf("directions %v", r.units)
	}
	for unit, want := range map[string]int{"ns/eval": -1, "points": 1, "things": 0, "games/s": 1} {
		if got := r.direction(unit); got != want {
			t.Errorf("direction of %s is %d, want %d", unit, got, want)
		}
	}
}
