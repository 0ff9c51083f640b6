// Package filecmd implements the commands about files of any kind: show, convert and check.
package filecmd

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"

	"github.com/seed-09dcdc84/ur/internal/cli"
)

// kind is a kind of file.
type kind int

const (
	unknownKind kind = iota
	brainKind        // weights as text or JSON
	netKind          // safetensors or JSON
	tableKind        // .urt or .rgu
	bookKind
	rulesKind
	recordKind  // games, in any of their formats
	builtInKind // no file, but the name of a player or rule set
)

// headSize is the number of bytes of a file that determine its kind.
const headSize = 64 << 10

// kindOf returns the kind of a file by its content. The names of members distinguish the files
// in JSON.
func kindOf(name string) (kind, error) {
	file, err := os.Open(name)
	if err != nil {
		return unknownKind, cli.UsageError("%w", err)
	}
	defer file.Close()
	switch info, err := file.Stat(); {
	case err != nil:
		return unknownKind, err
	case info.IsDir():
		return unknownKind, cli.UsageError("%s is a folder (want a file)", name)
	case info.Mode().IsRegular() && info.Size() == 0:
		return unknownKind, cli.UsageError("%s is empty (want a brain, net, table, book, rule set or record)", name)
	case !info.Mode().IsRegular():
		return recordKind, nil // a pipe can be read once
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return unknownKind, err
	}
	return kindOfHead(head[:n]), nil
}

// kindOfHead returns the kind of a file that begins with the given bytes.
func kindOfHead(head []byte) kind {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	has := func(member string) bool { return bytes.Contains(text, []byte(`"`+member+`"`)) }
	switch {
	case bytes.HasPrefix(head, []byte("\x89URT")), bytes.HasPrefix(head, []byte("RGU")):
		return tableKind
	case len(head) > 8 && head[8] == '{' && binary.LittleEndian.Uint64(head) < 1<<32:
		return netKind // the length of a header of safetensors, and the header
	case bytes.HasPrefix(text, []byte("search.book/")):
		return bookKind
	case bytes.HasPrefix(text, []byte("{")) && has("weights"):
		return brainKind
	case bytes.HasPrefix(text, []byte("{")) && (has("notation_version") || has("turns")):
		return recordKind
	case bytes.HasPrefix(text, []byte("{")) && has("dice") && has("light"):
		return rulesKind
	case bytes.HasPrefix(text, []byte("{")):
		return netKind
	case bytes.HasPrefix(text, []byte("// The Royal Game of Ur, record")), bytes.HasPrefix(text, []byte("[")) && len(text) > 1 && isLetter(text[1]):
		return recordKind // text and RGN
	case len(text) > 0 && bytes.IndexByte([]byte("/[-0123456789"), text[0]) >= 0:
		return brainKind
	}
	return unknownKind
}

// isLetter reports whether b is an ASCII letter: RGN begins with a tag, brains in JSON with a
// number.
func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
