package ab

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
)

// traps returns the functions of the new side whose execution shows the change, as programs have them. Data that
// differs, or refers to such data, shows where a function refers to it. It returns nil if the old side begins with
// what the new side does not have, because nothing shows it.
func (c *comparison) traps() map[string]bool {
	for name := range c.sides[oldSide].linked[c.program] {
		if initializer().MatchString(name) && !c.sides[newSide].linked[c.program][name] {
			return nil
		}
	}
	traps := make(map[string]bool)
	users := make(map[*reached][]*reached)
	var differing []*reached
	for _, s := range c.reached[newSide] {
		for _, ref := range s.refs {
			users[ref] = append(users[ref], s)
		}
		switch {
		case !s.differs:
		case c.isFunction(s.name):
			traps[s.name] = true
		case len(c.find(oldSide, s.name)) > 0 && !c.differsInMethods(s.name): // what refers to new data differs itself
			differing = append(differing, s)
		}
	}
	seen := make(map[*reached]bool)
	for len(differing) > 0 {
		s := differing[len(differing)-1]
		differing = differing[:len(differing)-1]
		for _, user := range users[s] {
			if c.isFunction(user.name) {
				traps[user.name] = true
			} else if !seen[user] {
				seen[user] = true
				differing = append(differing, user)
			}
		}
	}
	return traps
}

// isFunction reports whether a symbol is a function of the program of the new side.
func (c *linkedPair) isFunction(name string) bool {
	found := c.find(newSide, name)
	return len(found) > 0 && found[0].function
}

// differsInMethods reports whether a symbol describes a type with other methods, none of which is part of a program:
// no interface of the program has them.
func (c *linkedPair) differsInMethods(name string) bool {
	x, y := c.find(oldSide, name), c.find(newSide, name)
	if len(x) != 1 || len(y) != 1 || x[0].shape == "" || x[0].shape != y[0].shape {
		return false
	}
	for side, refs := range [2][2][]string{{x[0].refs, y[0].refs}, {y[0].refs, x[0].refs}} {
		for _, ref := range refs[0] {
			if found := c.find(side, ref); len(found) > 0 && found[0].function && !slices.Contains(refs[1], ref) {
				return false
			}
		}
	}
	return true
}

// errNoTraps is the error about programs without a place for traps.
var errNoTraps = errors.New("no traps can be set")

// setTraps copies a program, and replaces the beginning of functions by traps. All of them must be found.
func setTraps(from, to string, functions map[string]bool) error {
	program, err := elf.Open(from)
	if err != nil {
		return err
	}
	defer program.Close()
	trap, ok := map[elf.Machine]string{elf.EM_X86_64: "\xcc", elf.EM_AARCH64: "\x00\x00\x20\xd4"}[program.Machine]
	if !ok {
		return errNoTraps
	}
	symbols, err := program.Symbols()
	if err != nil {
		return err
	}
	if err := copyBinary(from, to); err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	found := make(map[string]bool)
	for _, s := range symbols {
		name := strings.TrimSuffix(s.Name, ".abi0")
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || !functions[name] || s.Section >= elf.SectionIndex(len(program.Sections)) {
			continue
		}
		section := program.Sections[s.Section]
		if _, err = file.WriteAt([]byte(trap), int64(s.Value-section.Addr+section.Offset)); err != nil {
			break
		}
		found[name] = true
	}
	if len(found) < len(functions) {
		err = errNoTraps
	}
	return errors.Join(err, file.Close())
}

// Places in the description of a type, as internal/abi of Go's sources has them for 64 bits.
const (
	typeFlags   = 20 // the lowest one: it has methods, or a package
	typeKind    = 23
	typePointer = 44 // its pointer type, where a program has it
	typeHeader  = 48
	fieldCount  = 64
	methodsSize = 16 // of what leads to the methods
	fieldSize   = 24
)

// shapeOf returns a digest of a type's description without its methods; "" of kinds that have more in other places.
func shapeOf(content, relocs []byte, refs []string) string {
	if len(content) < typeHeader {
		return ""
	}
	header, fields := typeHeader, 0
	switch kind := reflect.Kind(content[typeKind] & 31); {
	case kind == reflect.Pointer, kind == reflect.Slice:
		header += 8
	case kind == reflect.Struct && len(content) >= fieldCount+8:
		header += 32
		fields = fieldSize * int(min(1e6, binary.LittleEndian.Uint64(content[fieldCount:])))
	case kind > reflect.Complex128 && kind != reflect.String && kind != reflect.UnsafePointer:
		return ""
	}
	begin := header // of the fields
	if content[typeFlags]&1 != 0 {
		begin += methodsSize
	}
	if begin+fields > len(content) {
		return ""
	}
	// A place without what belongs to methods; -1 of these.
	place := func(at int) int {
		switch {
		case at >= typePointer && at < typeHeader, at >= header && at < begin, at >= begin+fields:
			return -1
		case at >= begin:
			return at - begin + header
		}
		return at
	}
	digest := sha256.New()
	for at, x := range content {
		if at == typeFlags {
			x &^= 1
		}
		if place(at) >= 0 {
			digest.Write([]byte{x})
		}
	}
	const size = relocSize - pairSize
	for k, ref := range refs {
		reloc := relocs[k*size : (k+1)*size]
		if at := place(int(binary.LittleEndian.Uint32(reloc))); at >= 0 {
			digest.Write(binary.LittleEndian.AppendUint32(nil, uint32(at)))
			digest.Write(reloc[4:])
			digest.Write([]byte(ref + "\n"))
		}
	}
	return string(digest.Sum(nil))
}
