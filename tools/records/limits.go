package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// printLimits prints a line of JSON with an engine's limits by the program "ur": a profile of whole games, and an
// estimate of the loop where most samples are. It needs llvm-objdump and llvm-mca of LLVM 16 or later.
//
// The estimate is of a straight run through the loop, without its branches, with all loads in the first-level
// cache: cycles of one round, those that its resources alone would take, and the shares of cycles in which
// resources or dependencies delay it.
func printLimits(out io.Writer, program, engine string) error {
	hot, err := profileGames(program, engine)
	if err != nil {
		return err
	}
	line := map[string]any{"name": "Limits/" + bench.SubName(engine), "ghz": measureClock(), "lines": hot.shares()}
	if line["function"], line["loop"], err = hot.estimate(program); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(line)
}

// measureClock returns the frequency of this core in GHz, by a chain of additions and exclusive ors: each waits
// for the one before it, for one cycle.
func measureClock() float64 {
	const rounds, cycles = 50_000, 16
	best := time.Duration(1 << 62)
	for range 500 {
		begin := time.Now()
		runtime.KeepAlive(runChain(rounds, 0x9e3779b97f4a7c15))
		best = min(best, time.Since(begin))
	}
	return rounds * cycles / float64(best.Nanoseconds())
}

//go:noinline
func runChain(rounds int, k uint64) uint64 {
	x := k
	for range rounds {
		x = ((x ^ k) + k) ^ k
		x = ((x + k) ^ k) + k
		x = ((x ^ k) + k) ^ k
		x = ((x + k) ^ k) + k
		x = ((x ^ k) + k) ^ k
		x = (x + k)
	}
	return x
}

// hotspots are the samples of a profile by their place.
type hotspots struct {
	lines     map[string]int64 // FILE:LINE of sources, relative to the root
	functions map[string]int64
	addresses map[uint64]int64
	all       int64
}

// profileGames plays games of an engine under the profiler.
func profileGames(program, engine string) (*hotspots, error) {
	folder, err := os.MkdirTemp("", "ur-limits-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "cpu.pb.gz")
	cmd := exec.Command(program, "bench", "run", "--engine", engine, "--level", "game", "--samples", "8", "--benchtime",
		"250ms", "--json", "--cpuprofile", name)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("ur bench run: %w\n%s", err, out)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	p, err := profile.ParseData(raw)
	if err != nil {
		return nil, err
	}
	return newHotspots(p, engine)
}

// newHotspots counts the samples of an engine.
func newHotspots(p *profile.Profile, engine string) (*hotspots, error) {
	h := &hotspots{lines: make(map[string]int64), functions: make(map[string]int64), addresses: make(map[uint64]int64)}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for _, s := range p.Sample {
		if !slices.Contains(s.Label["engine"], engine) || len(s.Location) == 0 || len(s.Location[0].Line) == 0 {
			continue
		}
		at := s.Location[0]
		for _, location := range s.Location { // behind the frames of an interruption
			if at = location; !strings.HasPrefix(at.Line[0].Function.Name, "runtime.asyncPreempt") {
				break
			}
		}
		inner, outer := at.Line[0], at.Line[len(at.Line)-1] // the outer one has the code
		name := strings.TrimPrefix(inner.Function.Filename, root+string(filepath.Separator))
		h.lines[fmt.Sprintf("%s:%d", filepath.ToSlash(name), inner.Line)] += s.Value[0]
		h.functions[outer.Function.Name] += s.Value[0]
		h.addresses[at.Address] += s.Value[0]
		h.all += s.Value[0]
	}
	if h.all == 0 {
		return nil, fmt.Errorf("no samples")
	}
	return h, nil
}

// shares returns the shares of the hottest lines.
func (h *hotspots) shares() map[string]float64 {
	const most = 3
	shares := make(map[string]float64)
	for _, line := range text.Ranked(h.lines)[:min(most, len(h.lines))] {
		shares[line] = float64(h.lines[line]) / float64(h.all)
	}
	return shares
}

// instruction is one of a disassembled function.
type instruction struct {
	address uint64
	text    string
	target  uint64 // branch target, or 0
}

// instructionLine matches an instruction of llvm-objdump, and branchTarget a branch's target.
var (
	instructionLine = regexp.MustCompile(`^ *([0-9a-f]+): +(\S.*?)(?: *<[^>]*>)?$`)
	branchTarget    = regexp.MustCompile(`^j\w+\s+(?:0x)?([0-9a-f]+)$`)
)

// parseInstructions reads the output of llvm-objdump.
func parseInstructions(text []byte) (list []instruction) {
	for line := range strings.SplitSeq(string(text), "\n") {
		found := instructionLine.FindStringSubmatch(strings.ReplaceAll(line, "\t", " "))
		if found == nil {
			continue
		}
		i := instruction{text: found[2]}
		i.address, _ = strconv.ParseUint(found[1], 16, 64) // the expression has hexadecimal digits
		if to := branchTarget.FindStringSubmatch(i.text); to != nil {
			i.target, _ = strconv.ParseUint(to[1], 16, 64)
		}
		list = append(list, i)
	}
	return list
}

// hottestLoop returns the loop with most samples for its length: from a target to the branch back to it.
func hottestLoop(list []instruction, samples map[uint64]int64) (loop []instruction) {
	best := 0.0
	for end, back := range list {
		if back.target == 0 || back.target > back.address {
			continue
		}
		for begin := range list[:end+1] {
			if list[begin].address != back.target {
				continue
			}
			sum := int64(0)
			for _, i := range list[begin : end+1] {
				sum += samples[i.address]
			}
			if density := float64(sum) / float64(end+1-begin); density > best {
				best, loop = density, list[begin:end+1]
			}
		}
	}
	return loop
}

// estimate returns the function of most samples, and what llvm-mca estimates of its hottest loop.
func (h *hotspots) estimate(program string) (function string, loop map[string]float64, err error) {
	function = text.Ranked(h.functions)[0]
	var listing []byte
	for _, symbol := range []string{function, function + ".abi0"} {
		cmd := exec.Command("llvm-objdump", "-d", "--no-show-raw-insn", "--disassemble-symbols="+symbol, program)
		if listing, err = cmd.Output(); err != nil {
			return "", nil, fmt.Errorf("llvm-objdump: %w", err)
		}
		if list := hottestLoop(parseInstructions(listing), h.addresses); list != nil {
			loop, err = estimateLoop(list)
			return function, loop, err
		}
	}
	return function, map[string]float64{}, nil // without a loop
}

// model is the processor of llvm-mca: the first one of AMD with AVX-512.
const model = "znver4"

// estimateLoop runs llvm-mca on a loop without its branches.
func estimateLoop(list []instruction) (map[string]float64, error) {
	var source strings.Builder
	for _, i := range list {
		if !strings.HasPrefix(i.text, "j") && !strings.HasPrefix(i.text, "call") {
			fmt.Fprintln(&source, i.text)
		}
	}
	const rounds = 1000
	cmd := exec.Command("llvm-mca", "-mcpu="+model, "-bottleneck-analysis", fmt.Sprintf("-iterations=%d", rounds))
	cmd.Stdin = strings.NewReader(source.String())
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("llvm-mca: %w", err)
	}
	return parseEstimate(out, rounds), nil
}

// estimateLines are the figures of llvm-mca by the beginning of their lines.
var estimateLines = map[string]string{
	"Instructions:": "instructions", "Total Cycles:": "cycles", "Block RThroughput:": "throughput",
	"Resource Pressure": "resources", "- Register Dependencies": "registers", "- Memory Dependencies": "memory",
}

// number matches a line's last number.
var number = regexp.MustCompile(`([0-9.]+)%? *\]?$`)

// parseEstimate reads figures of a round from the output of llvm-mca; shares are in per cent of the cycles.
func parseEstimate(out []byte, rounds float64) map[string]float64 {
	figures := make(map[string]float64)
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		for begin, name := range estimateLines {
			if found := number.FindStringSubmatch(line); found != nil && strings.HasPrefix(line, begin) {
				figures[name], _ = strconv.ParseFloat(found[1], 64) // the expression has digits
			}
		}
	}
	figures["instructions"] /= rounds
	figures["cycles"] /= rounds
	return figures
}
