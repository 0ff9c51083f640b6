// Package code reads what a build compiles and links: the output of the go command and its archives go in, and the
// [Symbol]s of the functions and data of each test program come out, with digests of their code and what they refer to.
package code

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"hash"
	"maps"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// The archives of a build have the code and data of the packages of the module, and of packages below them that
// differ. The linker prints the functions of a program ("-dumpdep"). A benchmark has the same code on both sides if all
// that it can reach has.

// Symbol is a definition of a function or variable.
type Symbol struct {
	IsFunction bool
	Place      string            // function's place, as file:line
	IsData     bool              // whether it is data with initial values
	Digest     [sha256.Size]byte // digest over its bytes, without names
	Refs       []string          // symbols that it refers to, in order
	Shape      string            // digest of a type's description without its methods, or ""
}

// Programs holds the symbols of a side's test programs. It is the writer of go's output, and keeps the lines from
// others than the linker.
type Programs struct {
	// By the program that has a variant of the package, or "" for the usual one; then by name.
	// Packages may share definitions.
	Symbols map[string]map[string][]*Symbol
	Foreign map[string][]string        // symbols that //go:linkname defines for other packages, likewise
	Linked  map[string]map[string]bool // functions of a program
	Rest    bytes.Buffer               // other lines
	names   map[string]string          // names of all symbols
	Problem error                      // why symbols are missing

	line    []byte // begins the next line
	program string // tested package of the program that is linked
	digest  hash.Hash
}

func NewPrograms() *Programs {
	return &Programs{Symbols: make(map[string]map[string][]*Symbol), Foreign: make(map[string][]string),
		Linked: make(map[string]map[string]bool), names: make(map[string]string), digest: sha256.New()}
}

// Write reads lines.
func (p *Programs) Write(text []byte) (int, error) {
	n := len(text)
	for {
		line, rest, ok := bytes.Cut(text, []byte("\n"))
		if !ok {
			p.line = append(p.line, text...)
			return n, nil
		}
		if text = rest; len(p.line) > 0 {
			line = append(p.line, line...)
			p.line = p.line[:0]
		}
		p.read(line)
	}
}

// programLine matches the heading of a test program.
var programLine = text.Regexp(`^# \[?([^ \[\]]+)\.test\]?$`)

// read reads a line.
func (p *Programs) read(line []byte) {
	if found := programLine().FindSubmatch(line); found != nil {
		p.program = string(found[1])
	} else if name := bytes.LastIndex(line, []byte(" -> ")); name >= 0 {
		if p.Linked[p.program] == nil {
			p.Linked[p.program] = make(map[string]bool)
		}
		p.Linked[p.program][linkerMarks().ReplaceAllString(string(line[name+4:]), "")] = true
	} else if !bytes.HasPrefix(line, []byte("# ")) && len(line) > 0 {
		p.Rest.Write(append(line, '\n'))
	}
}

// intern returns the one copy of a name.
func (p *Programs) intern(name []byte) string {
	known, ok := p.names[string(name)]
	if !ok {
		known = string(name)
		p.names[known] = known
	}
	return known
}

// Add adds a definition.
func (p *Programs) Add(variant, name string, s *Symbol) {
	table := p.Symbols[variant]
	if table == nil {
		table = make(map[string][]*Symbol)
		p.Symbols[variant] = table
	}
	if at, known := slices.BinarySearchFunc(table[name], s, Compare); !known {
		table[name] = slices.Insert(table[name], at, s)
	}
}

// Compare orders definitions of one symbol by their content: go compiles the packages that have them in any order.
func Compare(a, b *Symbol) int {
	return cmp.Or(bytes.Compare(a.Digest[:], b.Digest[:]), slices.Compare(a.Refs, b.Refs))
}

// dropUnknown forgets the linked symbols of other packages: they do not matter.
func (p *Programs) dropUnknown() {
	for program, linked := range p.Linked {
		maps.DeleteFunc(linked, func(name string, _ bool) bool {
			return p.Symbols[program][name] == nil && p.Symbols[""][name] == nil
		})
		if len(linked) == 0 {
			delete(p.Linked, program)
		}
	}
}

// linkerMarks matches what the linker prints behind a name. A name itself may have " <-chan int".
var linkerMarks = text.Regexp(` (<[A-Za-z]+>)+$`)
