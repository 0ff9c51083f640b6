package ab

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// comparison compares the machine code of two programs, function by function, with addresses
// replaced by their targets. It is read once and then queried for each benchmark.
type comparison struct {
	programs [2]*image
	known    map[[2]*symbol]bool // data already compared, or in comparison
	changed  map[string]bool     // functions that differ
	standard map[string]bool     // packages of the standard library, shared by both sides
	roots    []string            // functions that run before every benchmark
	methods  []string            // changed methods, possibly called without a reference by name
}

// compareCode compares the binaries of a package, except for the packages of a shared standard
// library. It returns nil if that is impossible.
func compareCode(binaries [2]string, standard map[string]bool) *comparison {
	c := &comparison{standard: standard, known: make(map[[2]*symbol]bool), changed: make(map[string]bool)}
	for side, path := range binaries {
		var err error
		if c.programs[side], err = openImage(path); err != nil {
			return nil
		}
	}
	before, after := c.programs[oldSide], c.programs[newSide]
	if before.arch != after.arch {
		return nil
	}
	for name, s := range before.functions {
		if other := after.functions[name]; other == nil || !standard[packageOf(name)] && !c.sameFunction(s, other) {
			c.changed[name] = true
		}
	}
	for name := range after.functions {
		if before.functions[name] == nil {
			c.changed[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.changed)) {
		if standard[packageOf(name)] { // linked on one side only: some caller differs
			delete(c.changed, name)
			continue
		}
		if isMethod(name) {
			c.methods = append(c.methods, name)
		}
	}
	all := maps.Clone(before.functions)
	maps.Copy(all, after.functions)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if initializer.MatchString(name) {
			c.roots = append(c.roots, name)
		}
	}
	return c
}

// packageOf is the import path in the name of a function.
func packageOf(name string) string {
	name, _, _ = strings.Cut(name, "[")
	slash := strings.LastIndexByte(name, '/') + 1
	path, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + strings.ReplaceAll(path, "%2e", ".")
}

// initializer matches functions that run before benchmarks.
var initializer = regexp.MustCompile(`\.(init(\.[0-9]+)?|TestMain|map\.init\.[0-9]+)$`)

// isMethod reports whether a function is a method: an interface may call it.
func isMethod(name string) bool {
	_, rest, _ := strings.Cut(name[strings.LastIndex(name, "/")+1:], ".")
	return strings.Contains(strings.TrimPrefix(rest, "init."), ".") && !strings.Contains(rest, ".func") && !strings.Contains(rest, "-fm")
}

// codeOf compares the machine code reachable from a benchmark function of the package, and
// returns the names of the functions that differ.
func (p *Package) codeOf(function string) (Code, []string) {
	c := p.comparison
	if c == nil {
		return UnknownCode, nil
	}
	var starts []string
	for _, path := range []string{p.Path, p.Path + "_test"} {
		if name := linkName(path) + "." + function; c.programs[oldSide].functions[name] != nil && c.programs[newSide].functions[name] != nil {
			starts = append(starts, name)
		}
	}
	if len(starts) == 0 {
		return UnknownCode, nil
	}
	reached := c.reach(append(starts, c.roots...))
	if len(reached) > 0 {
		return ChangedCode, reached
	}
	if len(c.methods) > 0 || p.otherData {
		return UnknownCode, nil
	}
	return SameCode, nil
}

// linkName is an import path as symbols have it: dots of the last element are escaped.
func linkName(path string) string {
	at := strings.LastIndexByte(path, '/') + 1
	return path[:at] + strings.ReplaceAll(path[at:], ".", "%2e")
}

// reach returns the changed functions reachable on either side.
func (c *comparison) reach(starts []string) []string {
	reached := make(map[string]bool)
	for _, p := range c.programs {
		var rest []*symbol
		for _, name := range starts {
			if s := p.functions[name]; s != nil {
				rest = append(rest, s)
			}
		}
		for seen := make(map[*symbol]bool); len(rest) > 0; {
			s := rest[len(rest)-1]
			rest = rest[:len(rest)-1]
			if seen[s] {
				continue
			}
			seen[s] = true
			if s.function && c.changed[s.name] {
				reached[s.name] = true
			}
			rest = append(rest, p.leadsTo(s)...)
		}
	}
	return slices.Sorted(maps.Keys(reached))
}

// leadsTo lists the functions and variables referenced by a function or variable.
func (p *image) leadsTo(s *symbol) []*symbol {
	if known, ok := p.links[s]; ok {
		return known
	}
	var found []*symbol
	add := func(address uint64) {
		t, ok := p.at(address)
		if ok && t.symbol == nil && strings.HasPrefix(t.region, "go:func") {
			t, ok = p.at(p.word(address))
		}
		if ok && t.symbol != nil && t.symbol != s {
			found = append(found, t.symbol)
		}
	}
	switch {
	case s.function:
		for _, r := range p.references(s) {
			add(r.to)
		}
	case holdsPointers(s.name) && p.section(s.address).bytes != nil:
		for i := uint64(0); i+8 <= s.size; i += 8 {
			if word := p.word(s.address + i); word != 0 {
				add(word)
			}
		}
	}
	slices.SortFunc(found, func(a, b *symbol) int { return cmp.Compare(a.address, b.address) })
	found = slices.Compact(found)
	p.links[s] = found
	return found
}

// holdsPointers reports whether a variable may lead to functions called by a benchmark. The
// tables of all tests and of the runtime lead everywhere.
func holdsPointers(name string) bool {
	return !strings.HasPrefix(name, "runtime.") && !strings.HasPrefix(name, "main.") && !strings.HasPrefix(name, "go:fips")
}

// sameFunction reports whether two functions have the same instructions.
func (c *comparison) sameFunction(s, other *symbol) bool {
	if s.size != other.size {
		return false
	}
	before, after := c.programs[oldSide].code(s), c.programs[newSide].code(other)
	if len(before) != len(after) {
		return false
	}
	theirs := make(map[int][]uint64)
	for _, r := range c.programs[newSide].references(other) {
		theirs[r.at] = append(theirs[r.at], r.to)
	}
	masked := make([]bool, len(before)) // bytes of addresses with the same target
	for _, r := range c.programs[oldSide].references(s) {
		for _, to := range theirs[r.at] {
			switch {
			case c.sameTarget(r.to, to, before, r.at):
				for k := r.at; k < r.at+r.size; k++ {
					masked[k] = true
				}
			case c.samePlace(r.to, to):
				return false // equal instructions, whose data differ
			}
		}
	}
	arm := c.programs[oldSide].arch == elf.EM_AARCH64
	for i := range before {
		if before[i] != after[i] && !masked[i] {
			return false
		}
		if arm && masked[i] && i%4 == 0 && !sameOperation(before[i:], after[i:]) {
			return false
		}
	}
	return true
}

// samePlace reports whether two addresses are of the same place in a variable of one name, or
// of one place among the texts.
func (c *comparison) samePlace(to, other uint64) bool {
	t, ok := c.programs[oldSide].at(to)
	u, also := c.programs[newSide].at(other)
	if !ok || !also || t.symbol == nil || u.symbol == nil {
		return ok && also && to == other && t.region == u.region && strings.HasPrefix(t.region, "go:string")
	}
	return !t.symbol.function && !isRegion(t.symbol.name) && t.symbol.name == u.symbol.name && t.offset == u.offset
}

// sameOperation compares two instructions except for the addresses they hold.
func sameOperation(before, after []byte) bool {
	v, w := binary.LittleEndian.Uint32(before), binary.LittleEndian.Uint32(after)
	switch {
	case v>>26 == 0x25 || v>>26 == 0x05:
		return v>>26 == w>>26
	case v&0x9f000000 == 0x90000000:
		return v&0x9f00001f == w&0x9f00001f
	}
	return v&^(0xfff<<10) == w&^(0xfff<<10)
}

// sameTarget reports whether two addresses have the same target. The code and the position in
// it give the length of a text.
func (c *comparison) sameTarget(to, other uint64, code []byte, place int) bool {
	before, after := c.programs[oldSide], c.programs[newSide]
	t, ok := before.at(to)
	u, also := after.at(other)
	if !ok || !also {
		return false
	}
	if t.symbol != nil || u.symbol != nil {
		if t.symbol == nil || u.symbol == nil || t.offset != u.offset || t.symbol.function != u.symbol.function {
			return false
		}
		if t.symbol.function {
			return t.symbol.name == u.symbol.name
		}
		return c.sameData(t.symbol, u.symbol)
	}
	if t.region != u.region {
		return false
	}
	sameBytes := func(from, to uint64) bool {
		x, y := before.bytes(t.offset+from, to-from), after.bytes(u.offset+from, to-from)
		return bytes.Equal(x, y)
	}
	switch {
	case strings.HasPrefix(t.region, "go:func"):
		f, ok := before.at(before.word(to))
		g, also := after.at(after.word(other))
		return ok && also && f.symbol != nil && g.symbol != nil && f.symbol.name == g.symbol.name
	case strings.HasPrefix(t.region, "go:string"):
		return sameBytes(0, textLength(code, place))
	case strings.HasPrefix(t.region, "type:"):
		return sameBytes(0, 8) && sameBytes(16, 20) // size and hash
	}
	if sameBytes(0, 8) {
		return true
	}
	f, ok := before.at(before.word(to)) // a table of jumps begins with a place in its function
	g, also := after.at(after.word(other))
	return ok && also && f.symbol != nil && g.symbol != nil && f.symbol.function && f.symbol.name == g.symbol.name && f.offset == g.offset
}

// textLength returns the length of a text whose address is in the code: the nearest loaded
// number.
func textLength(code []byte, place int) uint64 {
	const most, near = 1 << 16, 28
	length, nearest := uint64(1), near
	for i := max(0, place-near); i+5 <= min(len(code), place+near); i++ {
		at := -1
		switch {
		case i > place-8 && i < place+4: // the instruction itself
		case code[i]&0xf8 == 0xb8: // MOVL $n, R
			at = i + 1
		case code[i] == 0xc7 && i+6 <= len(code) && code[i+1]>>6 == 3: // MOVQ $n, R
			at = i + 2
		case code[i] == 0xc7 && i+9 <= len(code) && code[i+1]>>6 == 1 && code[i+1]&7 == 4: // MOVQ $n, x(SP)
			at = i + 4
		case code[i] == 0xc7 && i+7 <= len(code) && code[i+1]>>6 == 1: // MOVQ $n, x(R)
			at = i + 3
		}
		if at < 0 || at+4 > len(code) {
			continue
		}
		away := max(place-i, i-place)
		if n := uint64(binary.LittleEndian.Uint32(code[at:])); n > 0 && n <= most && away < nearest {
			length, nearest = n, away
		}
	}
	return length
}

// compilerName matches variables numbered by the compiler. Their numbers carry no meaning.
var compilerName = regexp.MustCompile(`\.\.?(stmp_|typeAssert\.|interfaceSwitch\.|arraylit|maplit)[0-9]*|^\$`)

// sameData reports whether two variables begin with the same values.
func (c *comparison) sameData(s, other *symbol) bool {
	if s.name != other.name && !(compilerName.MatchString(s.name) && compilerName.MatchString(other.name)) {
		return false
	}
	if same, ok := c.known[[2]*symbol{s, other}]; ok {
		return same
	}
	if s.size != other.size {
		return false
	}
	c.known[[2]*symbol{s, other}] = true // until it is known: data may point to itself
	if !holdsPointers(s.name) {
		return true
	}
	same := c.sameWords(c.programs[oldSide].code(s), c.programs[newSide].code(other))
	c.known[[2]*symbol{s, other}] = same
	return same
}

// sameWords compares values that may be addresses.
func (c *comparison) sameWords(before, after []byte) bool {
	if len(before) != len(after) {
		return false
	}
	for i := 0; i < len(before); i += 8 {
		end := min(i+8, len(before))
		if bytes.Equal(before[i:end], after[i:end]) {
			continue
		}
		if end < i+8 {
			return false
		}
		to, other := binary.LittleEndian.Uint64(before[i:]), binary.LittleEndian.Uint64(after[i:])
		length := []byte{0xb8, 0, 0, 0, 0} // of a text, stored after its address
		if end+4 <= len(before) {
			copy(length[1:], before[end:end+4])
		}
		if !c.sameTarget(to, other, length, 0) {
			return false
		}
	}
	return true
}
