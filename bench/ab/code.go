package ab

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"hash"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// The compiler and the assembler print the code and data of the packages of the module, and of
// packages below them that differ ("-S"). The linker prints the functions of a program
// ("-dumpdep"). A benchmark has the same code on both sides if all that it can reach has.

// symbol is a definition of a function or variable.
type symbol struct {
	function bool
	place    string            // function's place, as file:line
	data     bool              // whether it is data with initial values
	digest   [sha256.Size]byte // digest over its bytes, without names
	refs     []string          // symbols that it refers to, in order
}

// programs holds the symbols of a side's test programs. It is the writer of what go prints,
// and keeps the lines that are neither code nor dependencies.
type programs struct {
	// By the program that has a variant of the package, or "" for the usual one; then by name.
	// Packages may share definitions.
	symbols map[string]map[string][]*symbol
	foreign map[string][]string        // symbols that //go:linkname defines for other packages, likewise
	linked  map[string]map[string]bool // functions of a program
	rest    bytes.Buffer               // other lines
	names   map[string]string          // names of all symbols

	line    []byte // begins the next line
	variant string
	pkg     string // import path as symbols have it; "" of the main package of a test program
	program string // path of the tested package, of such a package
	name    string // symbol being read
	current *symbol
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

// symbolLine matches the line before a symbol's bytes: name, kind, attributes, size.
var symbolLine = text.Regexp(`^(.+) (S[A-Z]+) ([a-zA-Z ]*)size=(\d+)`)

// unnamedSymbol matches such a line without a name, as the compiler prints for debug data.
var unnamedSymbol = text.Regexp(`^ ?S[A-Z]+ ([a-zA-Z]+ )*size=\d+`)

// packageLine matches the heading of a package, of a variant of it for a test program, and of
// its assembly.
var packageLine = text.Regexp(`^# \[?([^ \[\]]+)\]?(?: \[(.+)\.test\])?$`)

// read reads a line.
func (p *programs) read(line []byte) {
	switch {
	case len(line) == 0:
	case line[0] == '\t':
		p.readBody(line)
	case bytes.HasPrefix(line, []byte("# ")):
		p.end()
		if found := packageLine().FindSubmatch(line); found != nil {
			p.pkg, p.variant, p.program = linkName(string(found[1])), string(found[2]), ""
			if tested, ok := strings.CutSuffix(string(found[1]), ".test"); ok {
				p.pkg, p.program = "", tested
			}
		}
	case bytes.Contains(line, []byte(" -> ")):
		p.end()
		p.readLinked(string(line))
	default:
		p.end()
		found := symbolLine().FindSubmatch(line)
		switch {
		case found == nil && !unnamedSymbol().Match(line):
			p.rest.Write(append(line, '\n'))
		case found == nil:
		case !bytes.HasPrefix(found[2], []byte("SDWARF")) && p.pkg != "":
			p.name, p.current = p.intern(found[1]), &symbol{function: string(found[2]) == "STEXT",
				data: bytes.HasSuffix(found[2], []byte("DATA"))}
			p.digest.Write(found[2])
			p.digest.Write(found[4])
			shared := string(found[2]) == "SRODATA" || bytes.Contains(found[3], []byte("dupok"))
			if from := packageOf(p.name); !shared && from != p.pkg && from != p.name {
				p.foreign[p.variant] = append(p.foreign[p.variant], p.name)
			}
		}
	}
}

// readBody reads a line of a symbol: an instruction in words, bytes, or a reference.
func (p *programs) readBody(line []byte) {
	if p.current == nil {
		return
	}
	if rest, ok := bytes.CutPrefix(line, []byte("\trel ")); ok {
		place, target, _ := bytes.Cut(rest, []byte(" t="))
		kind, target, _ := bytes.Cut(target, []byte(" "))
		at := max(0, bytes.LastIndexByte(target, '+'))
		p.digest.Write(place)
		p.digest.Write(kind)
		p.digest.Write(target[at:])
		p.current.refs = append(p.current.refs, p.intern(target[:at]))
		return
	}
	if p.current.function && p.current.place == "" {
		if _, rest, ok := bytes.Cut(line, []byte(" (")); ok && bytes.HasPrefix(line, []byte("\t0x0000 00000 (")) {
			place, _, _ := bytes.Cut(rest, []byte(")"))
			p.current.place = string(place)
		}
	}
	// Bytes have two digits, the place of an instruction five or more.
	if fields := bytes.SplitN(line, []byte(" "), 3); len(fields) == 3 && len(fields[1]) == 2 {
		p.digest.Write(line)
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

// end ends the current symbol.
func (p *programs) end() {
	if p.current == nil {
		return
	}
	p.digest.Sum(p.current.digest[:0])
	p.digest.Reset()
	table := p.symbols[p.variant]
	if table == nil {
		table = make(map[string][]*symbol)
		p.symbols[p.variant] = table
	}
	if at, known := slices.BinarySearchFunc(table[p.name], p.current, orderSymbols); !known {
		table[p.name] = slices.Insert(table[p.name], at, p.current)
	}
	p.current = nil
}

// orderSymbols orders definitions of one symbol by their content: go compiles the packages that have them in any order.
func orderSymbols(a, b *symbol) int {
	return cmp.Or(bytes.Compare(a.digest[:], b.digest[:]), slices.Compare(a.refs, b.refs))
}

// readLinked reads a dependency of the linker: the target is part of the program. Those of other
// packages do not matter.
func (p *programs) readLinked(line string) {
	name := linkerMarks().ReplaceAllString(line[strings.LastIndex(line, " -> ")+4:], "")
	if p.symbols[p.program][name] == nil && p.symbols[""][name] == nil {
		return
	}
	if p.linked[p.program] == nil {
		p.linked[p.program] = make(map[string]bool)
	}
	p.linked[p.program][name] = true
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

// initializer matches functions that run before benchmarks.
var initializer = text.Regexp(`\.(init(\.[0-9]+)?|TestMain|map\.init\.[0-9]+)$`)

// numbers matches symbols the compiler numbers. Their numbers carry no meaning.
var numbers = text.Regexp(`\.\.(stmp_|typeAssert\.|interfaceSwitch\.|arraylit|maplit)[0-9]*$|glob\.\.func[0-9]+`)

func isNumbered(name string) bool {
	return strings.Contains(name, "..") && numbers().MatchString(name)
}
