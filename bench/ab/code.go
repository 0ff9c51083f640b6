package ab

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"hash"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// The archives of a build have the code and data of the packages of the module, and of packages below them that
// differ. The linker prints the functions of a program ("-dumpdep"). A benchmark has the same code on both sides if all
// that it can reach has.

// symbol is a definition of a function or variable.
type symbol struct {
	function bool
	place    string            // function's place, as file:line
	data     bool              // whether it is data with initial values
	digest   [sha256.Size]byte // digest over its bytes, without names
	refs     []string          // symbols that it refers to, in order
	shape    string            // digest of a type's description without its methods, or ""
}

// programs holds the symbols of a side's test programs. It is the writer of go's output, and keeps the lines from
// others than the linker.
type programs struct {
	// By the program that has a variant of the package, or "" for the usual one; then by name.
	// Packages may share definitions.
	symbols map[string]map[string][]*symbol
	foreign map[string][]string        // symbols that //go:linkname defines for other packages, likewise
	linked  map[string]map[string]bool // functions of a program
	rest    bytes.Buffer               // other lines
	names   map[string]string          // names of all symbols
	problem error                      // why symbols are missing

	line    []byte // begins the next line
	program string // tested package of the program that is linked
	digest  hash.Hash
}

func newPrograms() *programs {
	return &programs{symbols: make(map[string]map[string][]*symbol), foreign: make(map[string][]string),
		linked: make(map[string]map[string]bool), names: make(map[string]string), digest: sha256.New()}
}

// Write reads lines.
func (p *programs) Write(text []byte) (int, error) {
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
func (p *programs) read(line []byte) {
	if found := programLine().FindSubmatch(line); found != nil {
		p.program = string(found[1])
	} else if name := bytes.LastIndex(line, []byte(" -> ")); name >= 0 {
		p.addLinked(linkerMarks().ReplaceAllString(string(line[name+4:]), ""))
	} else if !bytes.HasPrefix(line, []byte("# ")) && len(line) > 0 {
		p.rest.Write(append(line, '\n'))
	}
}

// intern returns the one copy of a name.
func (p *programs) intern(name []byte) string {
	known, ok := p.names[string(name)]
	if !ok {
		known = string(name)
		p.names[known] = known
	}
	return known
}

// add adds a definition.
func (p *programs) add(variant, name string, s *symbol) {
	table := p.symbols[variant]
	if table == nil {
		table = make(map[string][]*symbol)
		p.symbols[variant] = table
	}
	if at, known := slices.BinarySearchFunc(table[name], s, orderSymbols); !known {
		table[name] = slices.Insert(table[name], at, s)
	}
}

// orderSymbols orders definitions of one symbol by their content: go compiles the packages that have them in any order.
func orderSymbols(a, b *symbol) int {
	return cmp.Or(bytes.Compare(a.digest[:], b.digest[:]), slices.Compare(a.refs, b.refs))
}

// addLinked adds a symbol to the linked program.
func (p *programs) addLinked(name string) {
	if p.linked[p.program] == nil {
		p.linked[p.program] = make(map[string]bool)
	}
	p.linked[p.program][name] = true
}

// dropUnknown forgets the linked symbols of other packages: they do not matter.
func (p *programs) dropUnknown() {
	for program, linked := range p.linked {
		maps.DeleteFunc(linked, func(name string, _ bool) bool {
			return p.symbols[program][name] == nil && p.symbols[""][name] == nil
		})
		if len(linked) == 0 {
			delete(p.linked, program)
		}
	}
}

// linkerMarks matches what the linker prints behind a name. A name itself may have " <-chan int".
var linkerMarks = text.Regexp(` (<[A-Za-z]+>)+$`)

// packageOf is the import path in a function's name, as symbols have it.
func packageOf(name string) string {
	name, _, _ = strings.Cut(name, "[")
	slash := strings.LastIndexByte(name, '/') + 1
	path, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + path
}

// linkName is an import path as symbols have it: dots of the last element are escaped.
func linkName(path string) string {
	at := strings.LastIndexByte(path, '/') + 1
	return path[:at] + strings.ReplaceAll(path[at:], ".", "%2e")
}

// initializer matches functions run before benchmarks.
var initializer = text.Regexp(`\.(init(\.[0-9]+)?|TestMain|map\.init\.[0-9]+)$`)

// numbers matches symbols the compiler numbers. Their numbers carry no meaning.
var numbers = text.Regexp(`\.\.(stmp_|typeAssert\.|interfaceSwitch\.|arraylit|maplit)[0-9]*$|glob\.\.func[0-9]+`)

func isNumbered(name string) bool {
	return strings.Contains(name, "..") && numbers().MatchString(name)
}
