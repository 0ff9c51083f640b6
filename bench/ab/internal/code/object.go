package code

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
)

// ReadPackages reads the compared packages of a build's programs. The linker's file of imports has the archive of each
// package. An archive in one program alone is a variant for it.
func (p *Programs) ReadPackages(folder string, isCompared func(importPath string) bool) error {
	type archive struct{ importPath, file string }
	users := make(map[archive][]string)
	configs, _ := fs.Glob(os.DirFS(folder), "go-build*/b*/importcfg.link")
	for _, file := range configs {
		config, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			return err
		}
		program := TestedPackage(string(config))
		for line := range strings.Lines(string(config)) {
			rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "packagefile ")
			importPath, name, _ := strings.Cut(rest, "=")
			if ok && importPath != program+".test" && isCompared(importPath) {
				users[archive{importPath, name}] = append(users[archive{importPath, name}], program)
			}
		}
	}
	for a, programs := range users {
		data, err := os.ReadFile(a.file)
		if err != nil {
			return err
		}
		variant := ""
		if len(programs) == 1 {
			variant = programs[0]
		}
		if err := p.readArchive(data, symbol.Path(a.importPath), variant); err != nil {
			return fmt.Errorf("the archive of %s: %w", a.importPath, err)
		}
	}
	p.dropUnknown()
	return nil
}

// errObject is the error about an archive in another format.
var errObject = errors.New("not in the object format of Go 1.20 or later")

// readArchive reads the objects of a package: one of the compiler, and those of the assembler. Objects of C are left
// out.
func (p *Programs) readArchive(data []byte, pkg, variant string) error {
	const magic, headerSize = "!<arch>\n", 60
	data, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return errObject
	}
	for len(data) >= headerSize {
		isExports := bytes.HasPrefix(data, []byte("__.PKGDEF"))
		size, err := strconv.Atoi(strings.TrimSpace(string(data[48:58])))
		if data = data[headerSize:]; err != nil || size < 0 || size > len(data) {
			return errObject
		}
		member, isOfGo := bytes.CutPrefix(data[:size], []byte("go object "))
		data = data[min(len(data), size+size%2):]
		_, object, found := bytes.Cut(member, []byte("\n!\n"))
		if !isOfGo || !found || isExports {
			continue
		}
		if err := p.readObject(object, pkg, variant); err != nil {
			return err
		}
	}
	return nil
}

// object is a file of the compiler or the assembler, in the format of cmd/internal/goobj in Go's sources.
// It has blocks of records. References are pairs of a package and an index.
type object struct {
	data   []byte
	blocks [19]uint32           // their beginnings
	first  map[uint32]uint32    // index of a block's first symbol, by the package of references to its symbols
	names  map[[2]uint32]string // symbols of other packages
	all    *Programs
}

// The blocks.
const (
	blockFiles = 2 + iota
	blockSymbols
	blockHashed64
	blockHashed
	blockOthers
	blockReferences
	blockRelocIndex = 5 + iota
	blockAuxIndex
	blockDataIndex
	blockRelocs
	blockAux
	blockData
	blockNames
	blockEnd
)

// Sizes of records.
const (
	symbolSize = 21 // name, ABI, kind, two sets of flags, size, alignment
	relocSize  = 23 // offset, size, kind, addend, reference
	auxSize    = 9  // kind, reference
	nameSize   = 16 // reference, name
	pairSize   = 8
	indexSize  = 4
)

// Packages of references with another meaning.
const (
	ofOthers = 1<<31 - 1 - iota // symbols of any package
	ofHashed64
	ofHashed
	ofRuntime
	ofSelf
)

// Kinds of auxiliary symbols, and a flag of symbols.
const (
	auxFunction  = 1
	auxFileTable = 8
	mayRepeat    = 1 // other packages may define the symbol, too
)

// readObject reads an object's symbols. It must not fail on any data: an index out of range is an error.
func (p *Programs) readObject(data []byte, pkg, variant string) (err error) {
	defer func() {
		if recover() != nil {
			err = errObject
		}
	}()
	const magic, header = "\x00go120ld", 20
	if !bytes.HasPrefix(data, []byte(magic)) {
		return errObject
	}
	o := object{data: data, first: make(map[uint32]uint32), names: make(map[[2]uint32]string), all: p}
	for i := range o.blocks {
		o.blocks[i] = o.number(header + indexSize*uint32(i))
	}
	for i, pkg := range []uint32{ofSelf, ofHashed64, ofHashed, ofOthers} {
		o.first[pkg] = (o.blocks[blockSymbols+i] - o.blocks[blockSymbols]) / symbolSize
	}
	for at := o.blocks[blockNames]; at < o.blocks[blockEnd]; at += nameSize {
		o.names[o.pair(at)] = o.text(at + pairSize)
	}
	for i := range (o.blocks[blockReferences] - o.blocks[blockSymbols]) / symbolSize {
		name := o.symbolName(i)
		if name == "" { // tables for functions, and debug data
			continue
		}
		p.Add(variant, name, o.symbol(i))
		isHashed := i >= o.first[ofHashed64] && i < o.first[ofOthers]
		isShared := isHashed || o.data[o.blocks[blockSymbols]+i*symbolSize+11]&mayRepeat != 0 ||
			strings.HasPrefix(name, "go:") || strings.HasPrefix(name, "type:")
		if from := symbol.Package(name); !isShared && from != pkg && from != name {
			p.Foreign[variant] = append(p.Foreign[variant], name)
		}
	}
	return nil
}

// symbol reads a definition.
func (o *object) symbol(i uint32) *Symbol {
	at := o.blocks[blockSymbols] + i*symbolSize
	begin, end := o.indices(blockDataIndex, i)
	content := o.data[o.blocks[blockData]+begin : o.blocks[blockData]+end]
	digest := o.all.digest
	digest.Reset()
	digest.Write(o.data[at+10 : at+11]) // kind
	digest.Write(o.data[at+13 : at+17]) // size
	digest.Write(content)
	s := &Symbol{IsData: len(content) > 0}
	var relocs []byte
	for k, end := o.indices(blockRelocIndex, i); k < end; k++ {
		reloc := o.blocks[blockRelocs] + k*relocSize
		relocs = append(relocs, o.data[reloc:reloc+relocSize-pairSize]...)
		s.Refs = append(s.Refs, o.nameOf(o.pair(reloc+relocSize-pairSize)))
	}
	digest.Write(relocs)
	digest.Sum(s.Digest[:0])
	if strings.HasPrefix(o.symbolName(i), "type:") {
		s.Shape = shapeOf(content, relocs, s.Refs)
	}
	var function, files []byte
	for k, end := o.indices(blockAuxIndex, i); k < end; k++ {
		aux := o.blocks[blockAux] + k*auxSize
		switch o.data[aux] {
		case auxFunction:
			function = o.content(o.pair(aux + 1))
			s.IsFunction = true
		case auxFileTable:
			files = o.content(o.pair(aux + 1))
		}
	}
	if change, n := binary.Uvarint(files); n > 0 && change&1 == 0 && len(function) > 16 { // zigzag, from -1
		name := strings.TrimPrefix(o.text(o.blocks[blockFiles]+(uint32(change>>1)-1)*pairSize), "gofile..")
		s.Place = fmt.Sprintf("%s:%d", name, binary.LittleEndian.Uint32(function[12:]))
	}
	return s
}

// nameOf returns the name of a reference's symbol.
func (o *object) nameOf(ref [2]uint32) string {
	if ref[0] == ofRuntime {
		return fmt.Sprint("builtin ", ref[1])
	}
	if first, ok := o.first[ref[0]]; ok {
		return o.symbolName(first + ref[1])
	}
	name, ok := o.names[ref]
	if !ok && ref != [2]uint32{} { // without the reference, code behind it would be missed
		panic(errObject)
	}
	return name
}

// content returns the data of a symbol of the object.
func (o *object) content(ref [2]uint32) []byte {
	first, ok := o.first[ref[0]]
	if !ok {
		return nil
	}
	begin, end := o.indices(blockDataIndex, first+ref[1])
	return o.data[o.blocks[blockData]+begin : o.blocks[blockData]+end]
}

// symbolName returns the name of a symbol.
func (o *object) symbolName(i uint32) string { return o.text(o.blocks[blockSymbols] + i*symbolSize) }

// indices returns the range of a symbol's records in a block.
func (o *object) indices(block int, i uint32) (begin, end uint32) {
	at := o.blocks[block] + i*indexSize
	return o.number(at), o.number(at + indexSize)
}

// text returns the text behind its length and place.
func (o *object) text(at uint32) string {
	pair := o.pair(at)
	return o.all.intern(o.data[pair[1] : pair[1]+pair[0]])
}

// pair returns two numbers.
func (o *object) pair(at uint32) [2]uint32 { return [2]uint32{o.number(at), o.number(at + 4)} }

// number returns a number.
func (o *object) number(at uint32) uint32 { return binary.LittleEndian.Uint32(o.data[at:]) }

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

// TestedPackage returns the import path in the linker's file of imports: the program comes first.
func TestedPackage(config string) string {
	_, rest, _ := strings.Cut(config, "packagefile ")
	path, _, _ := strings.Cut(rest, "=")
	return strings.TrimSuffix(path, ".test")
}
