package movegen

import (
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

func TestMain(m *testing.M) {
	if err := cpu.CheckRequired(All()); err != nil {
		println(err.Error())
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// positions calls f with the positions of random games, and between them with random
// boards of every density, which no game need lead to.
func positions(n int, f func(b board.Board)) {
	random := rand.New(rand.NewPCG(14, 1))
	for n > 0 {
		b := board.Start
		for passes := 0; passes < 2 && n > 0; n-- {
			f(b)
			moves := b.Moves()
			if moves == 0 {
				b, passes = b.Pass(), passes+1
				continue
			}
			passes = 0
			for range random.IntN(bits.OnesCount64(moves)) {
				moves &= moves - 1
			}
			s := board.First(moves)
			b = b.Play(s, b.Flips(s))
		}
		for range 20 {
			taken := random.Uint64() | random.Uint64()&random.Uint64()
			own := random.Uint64()
			f(board.Board{Own: taken & own, Opp: taken &^ own})
			n--
		}
	}
}

// Every generator must give the oracle's moves and flips, asked one by one and expanded.
func TestGeneratorsEqualTheOracle(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	generators := Available()
	var c Children
	positions(n, func(b board.Board) {
		a := board.ArrayOf(b)
		var want Children
		moves := a.Moves()
		for set := moves; set != 0; set &= set - 1 {
			s := board.First(set)
			want.Flips[want.N] = a.Flips(s)
			next := a
			next.Play(s, want.Flips[want.N])
			want.Moves[want.N] = next.Moves()
			want.N++
		}
		for _, g := range generators {
			if got := g.Moves(b); got != moves {
				t.Fatalf("%s: moves of %v are %v, want %v", g.Name(), b, board.Squares(got), board.Squares(moves))
			}
			i := 0
			for empty := b.Empty(); empty != 0; empty &= empty - 1 {
				s := board.First(empty)
				var flips uint64
				if moves&s.Bit() != 0 {
					flips = want.Flips[i]
					i++
				}
				if got := g.Flips(b, s); got != flips {
					t.Fatalf("%s: %s on %v turns over %v, want %v", g.Name(), s, b, board.Squares(got), board.Squares(flips))
				}
			}
			g.Expand(b, moves, &c)
			if c.N != want.N || !slices.Equal(c.Flips[:c.N], want.Flips[:c.N]) || !slices.Equal(c.Moves[:c.N], want.Moves[:c.N]) {
				t.Fatalf("%s: %v is expanded otherwise than by the oracle", g.Name(), b)
			}
		}
	})
}

func FuzzGeneratorsEqualTheOracle(f *testing.F) {
	f.Add(board.Start.Own, board.Start.Opp)
	f.Add(uint64(0), uint64(1<<63-1))
	f.Add(uint64(0xff818181818181ff), uint64(0x007e7e7e7e7e7e00))
	f.Fuzz(func(t *testing.T, own, opp uint64) {
		b := board.Board{Own: own, Opp: opp &^ own}
		var want, got Children
		moves := Oracle().Moves(b)
		Oracle().Expand(b, moves, &want)
		for _, g := range Available() {
			if m := g.Moves(b); m != moves {
				t.Errorf("%s: moves %x, want %x", g.Name(), m, moves)
			}
			g.Expand(b, moves, &got)
			if got.N != want.N || !slices.Equal(got.Flips[:got.N], want.Flips[:got.N]) || !slices.Equal(got.Moves[:got.N], want.Moves[:got.N]) {
				t.Errorf("%s expands otherwise", g.Name())
			}
		}
	})
}

func TestLookup(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range All() {
		if seen[g.Name()] {
			t.Errorf("two generators are called %s", g.Name())
		}
		seen[g.Name()] = true
		if found, err := Lookup(g.Name()); found != g && err == nil {
			t.Errorf("%s is not found by its name", g.Name())
		}
	}
	if _, err := Lookup("abacus"); err == nil || !strings.Contains(err.Error(), "array") {
		t.Errorf("the error does not name what there is: %v", err)
	}
	t.Setenv("UR_DISABLE", "avx2")
	if name := Fastest().Name(); name != "rays" {
		t.Errorf("without vector registers the fastest is %s", name)
	}
}

// requires matches what the generator of assembly notes above a kernel.
var requires = regexp.MustCompile(`// Requires: (.*)\nTEXT ·(\w+)\(SB\)`)

// A generator must ask for the features of its kernel, and for no others, and a kernel
// for AVX2 must hold none of AVX-512.
func TestKernelsKeepWithinTheirGates(t *testing.T) {
	needs := map[string][]cpu.Feature{}
	for _, g := range All() {
		if tier := cpu.TierOf(g.Needs()); tier > cpu.Base {
			needs[strings.ReplaceAll(g.Name(), "lanes/avx", "expandAVX")] = g.Needs()
		}
	}
	files, _ := filepath.Glob("*_amd64.s")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range requires.FindAllStringSubmatch(string(text), -1) {
			var used []cpu.Feature
			for name := range strings.SplitSeq(m[1], ", ") {
				switch name {
				case "AVX": // every CPU with AVX2 has it
				case "BMI":
					used = append(used, cpu.BMI1)
				default:
					used = append(used, cpu.Feature(name))
				}
			}
			if want, ok := needs[m[2]]; ok && !slices.Equal(used, want) {
				t.Errorf("%s uses %v, its generator asks for %v", m[2], used, want)
			}
		}
	}
}

// BenchmarkMoves measures a list of moves, BenchmarkFlips the flips of one of them.
func BenchmarkMoves(b *testing.B) {
	sample := sampleBoards()
	for _, g := range Available() {
		b.Run("generator="+g.Name(), func(b *testing.B) {
			var sum uint64
			for b.Loop() {
				for _, p := range sample {
					sum += g.Moves(p)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(sample)), "ns/list")
			sink = sum
		})
	}
}

func BenchmarkExpand(b *testing.B) {
	sample := sampleBoards()
	for _, g := range Available() {
		b.Run("generator="+g.Name(), func(b *testing.B) {
			var c Children
			n := 0
			for b.Loop() {
				n = 0
				for _, p := range sample {
					g.Expand(p, board.Moves(p.Own, p.Opp), &c)
					n += c.N
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/child")
		})
	}
}

func BenchmarkFlips(b *testing.B) {
	sample := sampleBoards()
	for _, g := range Available() {
		b.Run("generator="+g.Name(), func(b *testing.B) {
			var sum uint64
			n := 0
			for b.Loop() {
				n = 0
				for _, p := range sample {
					for moves := board.Moves(p.Own, p.Opp); moves != 0; moves &= moves - 1 {
						sum += g.Flips(p, board.First(moves))
						n++
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/flip")
			sink = sum
		})
	}
}

var sink uint64

func sampleBoards() []board.Board {
	var sample []board.Board
	positions(400, func(b board.Board) {
		if bits.OnesCount64(b.Own|b.Opp) > 8 && len(sample) < 200 {
			sample = append(sample, b)
		}
	})
	return sample
}
