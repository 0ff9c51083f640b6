// Command mca shows what limits the hot loop of a kernel: it builds the tests of
// package engine, which hold all kernels, disassembles the kernel, and gives its longest loop to llvm-mca.
//
//	go -C _asm run ./mca -cpu icelake-server oneBrainPacked
//
// It needs objdump (GNU binutils) and llvm-mca (LLVM; Debian: apt-get install llvm).
// llvm-mca knows the units and latencies of a CPU, but neither caches nor wrong
// predictions, and takes every instruction between the ends of the loop as executed;
// blocks that a jump at the loop's head skips are therefore left out.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("mca: ")
	cpu := flag.String("cpu", "icelake-server", "CPU model of llvm-mca")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatalf("got %d arguments (want the name of one kernel, such as valuesArray16AVX2)", flag.NArg())
	}
	if err := analyse(flag.Arg(0), *cpu); err != nil {
		log.Fatal(err)
	}
}

// analyse prints the summary of llvm-mca for the hot loop of a kernel.
func analyse(kernel, cpu string) error {
	dir, err := os.MkdirTemp("", "mca")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "engine.test")
	build := exec.Command("go", "test", "-c", "-o", binary, "./engine")
	build.Dir = ".." // the root of the module above
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c: %w\n%s", err, out)
	}
	text, err := exec.Command("objdump", "-d", "--no-show-raw-insn", binary).Output()
	if err != nil {
		return fmt.Errorf("objdump: %w", err)
	}
	code, err := disassembled(text, kernel)
	if err != nil {
		return err
	}
	loop := hotLoop(code)
	fmt.Printf("%s: hot loop of %d instructions, %d of them with memory\n", kernel, len(loop), countMemory(loop))
	mca := exec.Command("llvm-mca", "-mtriple=x86_64", "-mcpu="+cpu, "-iterations=20", "-instruction-info=false")
	mca.Stdin = strings.NewReader(strings.Join(loop, "\n") + "\n")
	mca.Stdout, mca.Stderr = os.Stdout, os.Stderr
	return mca.Run()
}

// instruction is one line of a disassembly.
type instruction struct {
	address uint64
	text    string
	target  uint64 // of a jump; 0 for other instructions
}

var (
	line = regexp.MustCompile(`^\s*([0-9a-f]+):\s+(\S.*)$`)
	jump = regexp.MustCompile(`^j\w+\s+([0-9a-f]+)`)
)

// disassembled returns the instructions of a kernel.
func disassembled(text []byte, kernel string) ([]instruction, error) {
	_, body, found := bytes.Cut(text, []byte("."+kernel+".abi0>:\n"))
	if !found {
		return nil, fmt.Errorf("no kernel named %q", kernel)
	}
	body, _, _ = bytes.Cut(body, []byte("\n\n"))
	var code []instruction
	for l := range strings.Lines(string(body)) {
		m := line.FindStringSubmatch(strings.TrimRight(l, "\n"))
		if m == nil {
			continue
		}
		address, err := strconv.ParseUint(m[1], 16, 64)
		if err != nil {
			return nil, err
		}
		i := instruction{address: address, text: m[2]}
		if m := jump.FindStringSubmatch(i.text); m != nil {
			i.target, _ = strconv.ParseUint(m[1], 16, 64) // the expression matches digits only
		}
		code = append(code, i)
	}
	return code, nil
}

// hotLoop returns what lies between the ends of the longest jump backwards, without
// the jumps themselves and without a block that the head of the loop jumps over.
func hotLoop(code []instruction) []string {
	var begin, end uint64
	for _, i := range code {
		if i.target != 0 && i.target < i.address && i.address-i.target > end-begin {
			begin, end = i.target, i.address
		}
	}
	var loop []string
	skipTo := uint64(0)
	for _, i := range code {
		if i.address < max(begin, skipTo) || i.address > end {
			continue
		}
		if i.target > i.address && i.target < end && len(loop) < 4 {
			skipTo = i.target
		}
		if i.target == 0 {
			loop = append(loop, i.text)
		}
	}
	return loop
}

// countMemory returns how many instructions read or write memory.
func countMemory(loop []string) int {
	n := 0
	for _, i := range loop {
		if strings.Contains(i, "(%") && !strings.HasPrefix(i, "lea") {
			n++
		}
	}
	return n
}
