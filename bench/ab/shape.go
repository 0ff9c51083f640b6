package ab

import (
	"crypto/sha256"
	"encoding/binary"
	"reflect"
)

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
