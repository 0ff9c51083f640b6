package count

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// dumpKey is the number of a benchmark, its line in the file of the work, and of its run.
type dumpKey struct{ line, run int }

// The lines in cachegrind's log of a copy of the process: the mark of the overlay, with the numbers of the benchmark, the
// run and the section, and the sum of all instructions so far.
var (
	markLine = regexp.MustCompile(`^\*\*(\d+)\*\* ur (\d+) (\d+) (\d+) (begin|end)$`)
	sumLine  = regexp.MustCompile(`^==(\d+)== I +refs: +([\d,]+)$`)
)

// sections are the sections of a run with the highest number: those before it are behind a reset of the timers.
type sections struct {
	number, begun, ended int
	sum                  float64
}

// readLog reads the instructions of runs from cachegrind's log: a copy of the process ends where a timed section begins, and
// another one where it ends, in any order. A section of line 0 is empty: it has the instructions of the marks themselves,
// which do not count.
func readLog(path string) (map[dumpKey]float64, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	runs, marks := make(map[dumpKey]*sections), make(map[string][]string) // marks by process
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if mark := markLine.FindStringSubmatch(lines.Text()); mark != nil {
			marks[mark[1]] = mark[2:]
			continue
		}
		number := sumLine.FindStringSubmatch(lines.Text())
		if number == nil || marks[number[1]] == nil { // it is of another program
			continue
		}
		mark := marks[number[1]]
		delete(marks, number[1])
		var at dumpKey
		section := 0
		_, _ = fmt.Sscan(strings.Join(mark, " "), &at.line, &at.run, &section) // the expressions have digits
		sum, _ := strconv.ParseFloat(strings.ReplaceAll(number[2], ",", ""), 64)
		s := runs[at]
		if s == nil || section > s.number {
			s = &sections{number: section}
			runs[at] = s
		}
		switch {
		case section < s.number:
		case mark[3] == "begin":
			s.begun, s.sum = s.begun+1, s.sum-sum
		default:
			s.ended, s.sum = s.ended+1, s.sum+sum
		}
	}
	totals, empty := make(map[dumpKey]float64), 0.0
	if s := runs[dumpKey{}]; s != nil {
		empty = s.sum
		delete(runs, dumpKey{})
	}
	for at, s := range runs {
		if total := s.sum - float64(s.ended)*empty; s.begun == s.ended && total > 0 { // or a copy failed
			totals[at] = total
		}
	}
	return totals, lines.Err()
}

// profile is the sum of the dumps of a run.
type profile struct {
	section   int // number of the last reset of the timers: dumps before it do not count
	total     float64
	functions map[string]*function
}

// function is a function in a profile.
type function struct {
	self, calls float64
	callers     map[string]float64 // calls
}

// readDumps reads the files of callgrind in a folder.
func readDumps(folder string) (map[dumpKey]*profile, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "dump.*"))
	profiles := make(map[dumpKey]*profile)
	for _, path := range paths {
		if err := readDump(path, profiles); err != nil {
			return nil, err
		}
	}
	return profiles, err
}

// readDump adds a file to the profiles.
func readDump(path string, profiles map[dumpKey]*profile) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		// Written by the overlay: the benchmark, the run and the section.
		request, ok := strings.CutPrefix(lines.Text(), "desc: Trigger: Client Request: ur ")
		if !ok {
			continue
		}
		var k dumpKey
		var section int
		if n, _ := fmt.Sscanf(request, "%d %d %d", &k.line, &k.run, &section); n != 3 {
			continue
		}
		p := profiles[k]
		switch {
		case p == nil || section > p.section:
			p = &profile{section: section, functions: make(map[string]*function)}
			profiles[k] = p
		case section < p.section:
			return nil
		}
		p.read(lines)
	}
	return lines.Err()
}

// functionLine is a line of callgrind's format that names a function or a called one. The first
// line with a number gives its name. Recursion is callgrind's mark of recursive calls.
var (
	functionLine = regexp.MustCompile(`^(c?)fn=\((\d+)\)(?: (.*))?$`)
	recursion    = regexp.MustCompile(`'\d+$`)
)

// read adds the functions of a dump, in callgrind's format: lines of costs belong to the function
// above, and the line behind "calls=" is the cost of the callee.
func (p *profile) read(lines *bufio.Scanner) {
	names := make(map[string]string)
	current, callee, inCall := "", "", false
	for lines.Scan() {
		line := lines.Text()
		if calls, ok := strings.CutPrefix(line, "calls="); ok {
			count, _, _ := strings.Cut(calls, " ")
			n, _ := strconv.ParseUint(count, 10, 64)
			f := p.function(callee)
			f.calls += float64(n)
			f.callers[current] += float64(n)
			inCall = true
			continue
		}
		if name := functionLine.FindStringSubmatch(line); name != nil {
			if name[3] != "" {
				names[name[2]] = strings.TrimSuffix(recursion.ReplaceAllString(name[3], ""), ".abi0") // the linker's mark
			}
			if name[1] == "c" {
				callee = names[name[2]]
			} else {
				current = names[name[2]]
			}
			continue
		}
		if cost, ok := parseCost(line); ok && !inCall {
			p.function(current).self += cost
			p.total += cost
		} else if ok {
			inCall = false
		}
	}
}

// parseCost reads a line of costs: "16 400", "+3 400", "-2 400" or "* 400".
func parseCost(line string) (cost float64, ok bool) {
	if line == "" || !strings.Contains("+-*0123456789", line[:1]) {
		return 0, false
	}
	_, text, _ := strings.Cut(line, " ")
	n, err := strconv.ParseUint(text, 10, 64)
	return float64(n), err == nil
}

// function returns a function of the profile.
func (p *profile) function(name string) *function {
	f := p.functions[name]
	if f == nil {
		f = &function{callers: make(map[string]float64)}
		p.functions[name] = f
	}
	return f
}

// figures returns the counts of an operation of n.
func (p *profile) figures(n int) Figures {
	figures := Figures{N: n, Instructions: p.total / float64(n)}
	for name, f := range p.functions {
		caller := ""
		for _, c := range slices.Backward(text.Ranked(f.callers)) {
			if c != name {
				caller = c
			}
		}
		if f.self > 0 || f.calls > 0 {
			figures.Functions = append(figures.Functions,
				Function{name, caller, f.self / float64(n), f.calls / float64(n)})
		}
	}
	slices.SortFunc(figures.Functions, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), strings.Compare(a.Name, b.Name))
	})
	return figures
}
