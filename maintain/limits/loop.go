package limits

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

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
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		found := instructionLine.FindStringSubmatch(strings.ReplaceAll(lines.Text(), "\t", " "))
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

// hottestLoop returns the loop that has most samples for its length: from a target to the branch that goes back to it.
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
		if list := hottestLoop(parseInstructions(listing), h.addresses[function]); list != nil {
			loop, err = estimateLoop(list)
			return function, loop, err
		}
	}
	return function, map[string]float64{}, nil // without a loop
}

// model is the processor of llvm-mca, the newest of its vendor in LLVM 14.
const model = "znver3"

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
