package ab

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"slices"
	"sort"
	"strings"
)

// image is a linked test binary, by its symbols.
type image struct {
	arch      elf.Machine
	sections  []section
	symbols   []symbol // by address
	regions   []symbol // likewise
	functions map[string]*symbol
	links     map[*symbol][]*symbol // see leadsTo
}

// section is a part of the memory of a program. It has no bytes where they begin as 0.
type section struct {
	name  string
	begin uint64
	size  uint64
	bytes []byte
}

// symbol is a function or a variable.
type symbol struct {
	name     string
	address  uint64
	size     uint64
	function bool
}

// target is an address: of a symbol, or of a part of the read-only data that has only one name
// from the linker ("go:string.*").
type target struct {
	symbol *symbol
	region string
	offset uint64
}

// openImage reads a binary of Linux and its like. Other formats are an error.
func openImage(path string) (*image, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &image{arch: f.Machine, functions: make(map[string]*symbol), links: make(map[*symbol][]*symbol)}
	if p.arch != elf.EM_X86_64 && p.arch != elf.EM_AARCH64 {
		return nil, errors.New("instructions of " + p.arch.String() + " are not compared")
	}
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Flags&elf.SHF_TLS != 0 {
			continue
		}
		part := section{name: s.Name, begin: s.Addr, size: s.Size}
		if s.Type != elf.SHT_NOBITS {
			if part.bytes, err = s.Data(); err != nil {
				return nil, err
			}
		}
		p.sections = append(p.sections, part)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		kind := elf.ST_TYPE(s.Info)
		if s.Section == elf.SHN_UNDEF || s.Section >= elf.SHN_LORESERVE || kind == elf.STT_FILE || kind == elf.STT_TLS || kind == elf.STT_SECTION {
			continue
		}
		p.symbols = append(p.symbols, symbol{s.Name, s.Value, s.Size, kind == elf.STT_FUNC})
	}
	slices.SortStableFunc(p.symbols, func(a, b symbol) int {
		if a.address != b.address {
			if a.address < b.address {
				return -1
			}
			return 1
		}
		return 0
	})
	for i := range p.symbols {
		s := &p.symbols[i]
		switch {
		case s.size == 0:
			if isRegion(s.name) {
				p.regions = append(p.regions, *s)
			}
		case s.function:
			p.functions[s.name] = s
		}
	}
	return p, nil
}

// at returns the target at an address. Outside of all sections it is not ok.
func (p *image) at(address uint64) (t target, ok bool) {
	if p.section(address) == nil {
		return t, false
	}
	i := sort.Search(len(p.symbols), func(i int) bool { return p.symbols[i].address > address })
	for k := i - 1; k >= 0 && k >= i-8; k-- {
		s := &p.symbols[k]
		if s.size > 0 && address < s.address+s.size {
			return target{symbol: s, offset: address - s.address}, true
		}
	}
	i = sort.Search(len(p.regions), func(i int) bool { return p.regions[i].address > address })
	if i > 0 && p.section(p.regions[i-1].address) == p.section(address) {
		return target{region: p.regions[i-1].name, offset: address}, true
	}
	return target{offset: address}, true
}

// isRegion reports whether a symbol begins data with one common name from the linker.
func isRegion(name string) bool {
	return strings.HasPrefix(name, "type:") || strings.HasPrefix(name, "go:") || strings.HasPrefix(name, "runtime.gcbits")
}

func (p *image) section(address uint64) *section {
	for i := range p.sections {
		if s := &p.sections[i]; address >= s.begin && address < s.begin+s.size {
			return s
		}
	}
	return nil
}

// bytes returns those at an address: n, or fewer where the section ends.
func (p *image) bytes(address, n uint64) []byte {
	s := p.section(address)
	if s == nil || s.bytes == nil {
		return nil
	}
	begin := address - s.begin
	return s.bytes[begin:min(uint64(len(s.bytes)), begin+n)]
}

// code returns the bytes of a symbol.
func (p *image) code(s *symbol) []byte { return p.bytes(s.address, s.size) }

// word reads a pointer.
func (p *image) word(address uint64) uint64 {
	if b := p.bytes(address, 8); len(b) == 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// reference is an address named by an instruction.
type reference struct {
	at, size int    // bytes of the instructions that hold the address
	to       uint64 // the address
}

// references lists the possible addresses in the instructions of a function. Without a
// disassembler some are false, so a comparison errs on the side of a change.
func (p *image) references(s *symbol) []reference {
	code := p.code(s)
	if p.arch == elf.EM_AARCH64 {
		return referencesARM(code, s.address)
	}
	var all []reference
	for i := 1; i+4 <= len(code); i++ {
		call := code[i-1] == 0xe8 || code[i-1] == 0xe9
		if !call && code[i-1]&0xc7 != 5 { // ModRM of an operand relative to the next instruction
			continue
		}
		to := s.address + uint64(i) + 4 + uint64(int64(int32(binary.LittleEndian.Uint32(code[i:]))))
		if to >= s.address && to < s.address+s.size {
			continue
		}
		if !call && i > 1 {
			to += immediate(code, i)
		}
		t, ok := p.at(to)
		if ok && (!call || t.symbol != nil && t.symbol.function && t.offset == 0) {
			all = append(all, reference{i, 4, to})
		}
	}
	return all
}

// immediate is the length of the number behind an operand: addresses are relative to the end
// of the instruction.
func immediate(code []byte, operand int) uint64 {
	switch first := code[operand-1]>>3&7 == 0; code[operand-2] {
	case 0x80, 0x83, 0xc6, 0xc0, 0xc1, 0x6b, 0xba:
		return 1
	case 0xf6:
		if first {
			return 1
		}
	case 0x81, 0xc7, 0x69, 0xf7:
		switch {
		case code[operand-2] == 0xf7 && !first:
		case operand > 2 && code[operand-3] == 0x66:
			return 2
		default:
			return 4
		}
	}
	return 0
}

// referencesARM lists branches with links, and addresses of a page with an offset in it.
func referencesARM(code []byte, address uint64) []reference {
	var all []reference
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(code[i:]) }
	for i := 0; i+4 <= len(code); i += 4 {
		w, pc := word(i), address+uint64(i)
		if w>>26 == 0x25 || w>>26 == 0x05 { // BL, B
			to := pc + uint64(int64(int32(w<<6)>>6)*4)
			if to < address || to >= address+uint64(len(code)) {
				all = append(all, reference{i, 4, to})
			}
			continue
		}
		if w&0x9f000000 != 0x90000000 { // ADRP
			continue
		}
		pages := int64(int32((w>>5&0x7ffff)<<13)>>13)<<2 | int64(w>>29&3)
		page := pc&^0xfff + uint64(pages<<12)
		for k := i + 4; k+4 <= len(code) && k <= i+16; k += 4 {
			v := word(k)
			if v>>5&31 != w&31 {
				continue
			}
			switch {
			case v&0xffc00000 == 0x91000000: // ADD
				all = append(all, reference{i, 4, page + uint64(v>>10&0xfff)}, reference{k, 4, page + uint64(v>>10&0xfff)})
			case v&0x3b000000 == 0x39000000: // LDR, STR
				scale := v >> 30
				if v&0x04800000 == 0x04800000 {
					scale = 4
				}
				all = append(all, reference{i, 4, page + uint64(v>>10&0xfff)<<scale}, reference{k, 4, page + uint64(v>>10&0xfff)<<scale})
			default:
				continue
			}
			break
		}
	}
	return all
}
