package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// measureLimits measures an engine's limits by the program "ur": a profile of whole games, and an
// estimate of the loop where most samples are. It needs llvm-objdump and llvm-mca of LLVM 16 or later.
//
// The estimate is of a straight run through the loop, without its branches, with all loads in the first-level
// cache: cycles of one round, those that its resources alone would take, and the shares of cycles in which
// resources or dependencies delay it.
func measureLimits(program, engine string) (row record.Row, err error) {
	hot, err := profileGames(program, engine)
	if err != nil {
		return row, err
	}
	lines, err := hottestLines(hot)
	if err != nil {
		return row, err
	}
	function, loop, err := estimate(program, hot)
	row = newRow("Limits/"+bench.SubName(engine), "GHz", measureClock(), make(map[string]float64))
	row.Note = function
	for line, share := range lines {
		row.Metrics["lines."+line] = share
	}
	for name, figure := range loop {
		row.Metrics["loop."+name] = figure
	}
	return row, err
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

// profileGames plays games of an engine under the profiler.
func profileGames(program, engine string) (*sample.Hotspots, error) {
	folder, err := os.MkdirTemp("", "ur-limits-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "cpu.pb.gz")
	cmd := exec.Command(program, "bench", "run", "--engine", engine, "--level", string(bench.Game), "--samples", "8",
		"--benchtime", "250ms", "--json", "--cpuprofile", name)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("ur bench run: %w\n%s", err, out)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	parts, err := sample.ReadHotspots(raw)
	if err == nil && parts[engine+" "+string(bench.Game)] == nil {
		err = errors.New("no samples")
	}
	return parts[engine+" "+string(bench.Game)], err
}

// hottestLines returns the shares of the hottest lines by FILE:LINE, relative to the root.
func hottestLines(h *sample.Hotspots) (map[string]float64, error) {
	const most = 3
	root, err := os.Getwd()
	samples, shares := make(map[string]int64), make(map[string]float64)
	for line, n := range h.Lines {
		name := strings.TrimPrefix(line.File, root+string(filepath.Separator))
		samples[fmt.Sprintf("%s:%d", filepath.ToSlash(name), line.Number)] += n
	}
	for _, line := range text.Ranked(samples)[:min(most, len(samples))] {
		shares[line] = float64(samples[line]) / float64(h.Samples)
	}
	return shares, err
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
func estimate(program string, h *sample.Hotspots) (function string, loop map[string]float64, err error) {
	function = text.Ranked(h.Compiled)[0]
	var listing []byte
	for _, symbol := range []string{function, function + ".abi0"} {
		cmd := exec.Command("llvm-objdump", "-d", "--no-show-raw-insn", "--disassemble-symbols="+symbol, program)
		if listing, err = cmd.Output(); err != nil {
			return "", nil, fmt.Errorf("llvm-objdump: %w", err)
		}
		if list := hottestLoop(parseInstructions(listing), h.Addresses); list != nil {
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
