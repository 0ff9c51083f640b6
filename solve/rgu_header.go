package solve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// rguHeader is the beginning of a .rgu file.
type rguHeader struct {
	encoding Encoding
	pieces   int
	text     []byte // the JSON object
}

// keysOffset returns where the keys begin.
func (h *rguHeader) keysOffset() int64 { return 16 + int64(len(h.text)) }

// valuesOffset returns where the values begin.
func (h *rguHeader) valuesOffset(entries int) int64 { return h.keysOffset() + 4*int64(entries) }

// size returns the bytes of the whole file.
func (h *rguHeader) size(entries int) int64 {
	return h.valuesOffset(entries) + int64(entries)*int64(h.encoding.bytesPerValue())
}

// encode returns the file up to the keys.
func (h *rguHeader) encode(entries int) []byte {
	be := binary.BigEndian
	b := append([]byte(rguMagic), 0)
	b = be.AppendUint32(b, uint32(len(h.text)))
	b = append(b, h.text...)
	b = be.AppendUint32(b, 1)
	return be.AppendUint32(b, uint32(entries))
}

// readRGUHeader reads and checks the file up to the keys; size is the size of the file. It
// returns the keys of its pieces, too. Its errors are of the reader, or a [*FormatError]
// without a path.
func readRGUHeader(r io.ReaderAt, size int64) (*rguHeader, *rguKeys, error) {
	if size < 8 {
		return nil, nil, formatError(size, "truncated: the file ends in the middle of its header")
	}
	var head [8]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, nil, err
	}
	length := int64(binary.BigEndian.Uint32(head[4:]))
	switch {
	case string(head[:3]) != rguMagic:
		return nil, nil, formatError(0, "not a .rgu table: begins with %q (want %q)", head[:3], rguMagic)
	case head[3] != 0:
		return nil, nil, formatError(3, "version %d of the format (want 0)", head[3])
	case length > rguMaxHeader:
		return nil, nil, formatError(4, "a header of %d bytes (want %d at most)", length, rguMaxHeader)
	case size < 16+length:
		return nil, nil, formatError(size, "truncated: the file ends in the middle of its header")
	}
	b := make([]byte, length+8)
	if _, err := r.ReadAt(b, 8); err != nil {
		return nil, nil, err
	}
	h := &rguHeader{text: b[:length:length]}
	if err := h.parse(); err != nil {
		return nil, nil, formatError(8, "header: %v", err)
	}
	k, err := newRGUKeys(h.pieces)
	if err != nil {
		return nil, nil, err
	}
	entries := k.count()
	if maps := binary.BigEndian.Uint32(b[length:]); maps != 1 {
		return nil, nil, formatError(8+length, "%d maps (want 1)", maps)
	}
	if n := binary.BigEndian.Uint32(b[length+4:]); n != uint32(entries) {
		return nil, nil, formatError(12+length, "%d entries (want %d for %d pieces)", n, entries, h.pieces)
	}
	return h, k, checkSize(size, h.size(entries))
}

// rguEncodings are the supported value types, by name.
var rguEncodings = map[string]Encoding{"percent16": RGUPercent16, "f32": RGUFloat32, "f64": RGUFloat64}

// parse takes encoding and pieces from the JSON text.
func (h *rguHeader) parse() error {
	m, err := parseMembers(h.text)
	if err != nil {
		return err
	}
	kind := "percent16"
	if raw, ok := m.get("value_type"); ok {
		if err := json.Unmarshal(raw, &kind); err != nil {
			return fmt.Errorf("value_type is %.80s (want a string)", raw)
		}
	}
	encoding, ok := rguEncodings[strings.ToLower(kind)]
	if !ok {
		return fmt.Errorf("value_type is %.80q (want percent16, f32 or f64)", kind)
	}
	h.encoding = encoding
	raw, ok := m.get("game_settings")
	if !ok {
		return errors.New("no game_settings")
	}
	settings, err := parseMembers(raw)
	if err != nil {
		return fmt.Errorf("game_settings: %w", err)
	}
	if err := checkSettings(settings); err != nil {
		return fmt.Errorf("game_settings: %w", err)
	}
	raw, ok = settings.get("start_pieces")
	if !ok {
		return errors.New("game_settings: no start_pieces")
	}
	if json.Unmarshal(raw, &h.pieces) != nil || board.CheckPieces(h.pieces) != nil {
		return fmt.Errorf("game_settings: start_pieces is %.80s (want 1 to 7)", raw)
	}
	return nil
}

// rguSettings are Finkel's rules in the words of the header, except the number of pieces; the
// last is the former name of a member.
var rguSettings = []struct{ name, want, old string }{
	{"board_shape", `"standard"`, ""},
	{"paths", `"bell"`, ""},
	{"dice", `"four_binary"`, `"fourbinary"`},
	{"safe_rosettes", "true", ""},
	{"rosettes_grant_rolls", "true", ""},
	{"captures_grant_rolls", "false", ""},
}

// checkSettings refuses other rules than Finkel's.
func checkSettings(m members) error {
	for _, s := range rguSettings {
		raw, ok := m.get(s.name)
		if !ok {
			return fmt.Errorf("no %s", s.name)
		}
		if got := strings.ToLower(string(raw)); got != s.want && got != s.old {
			return fmt.Errorf("%s is %.80s (want %s): only Finkel's rules can be read", s.name, raw, s.want)
		}
	}
	return nil
}

// newRGUHeader makes the header for a table with further members.
func newRGUHeader(encoding Encoding, pieces int, meta []byte) (*rguHeader, error) {
	rest, err := parseMembers(meta)
	if err != nil {
		return nil, err
	}
	settings := make(members, 0, len(rguSettings)+1)
	for i, s := range rguSettings {
		if i == 3 {
			settings = append(settings, member{"start_pieces", fmt.Append(nil, pieces)})
		}
		settings = append(settings, member{s.name, []byte(s.want)})
	}
	all := members{{"value_type", fmt.Appendf(nil, "%q", encoding.Values())}}
	all = append(all, rest.without("value_type", "game_settings")...)
	all = append(all, member{"game_settings", settings.encode()})
	h := &rguHeader{encoding: encoding, pieces: pieces, text: all.encode()}
	if len(h.text) > rguMaxHeader {
		return nil, fmt.Errorf("header of %d bytes (want at most %d)", len(h.text), rguMaxHeader)
	}
	return h, nil
}

// meta returns the members that do not describe the contents of the file.
func (h *rguHeader) meta() []byte {
	m, err := parseMembers(h.text)
	if err != nil {
		return []byte("{}")
	}
	return m.without("value_type", "game_settings").encode()
}

// member is a member of a JSON object, its value as it was written.
type member struct {
	name  string
	value json.RawMessage
}

// members are the members of a JSON object in written order.
type members []member

// parseMembers reads a JSON object. A name must not appear twice.
func parseMembers(text []byte) (members, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	var m members
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("not a JSON object: %w", err)
		}
		next := member{name: name.(string)}
		if err := d.Decode(&next.value); err != nil {
			return nil, fmt.Errorf("not a JSON object: member %.80q: %w", next.name, err)
		}
		if _, twice := m.get(next.name); twice {
			return nil, fmt.Errorf("member %.80q appears twice", next.name)
		}
		m = append(m, next)
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("data after the JSON object")
	}
	return m, nil
}

// get returns a member's value.
func (m members) get(name string) (json.RawMessage, bool) {
	for _, one := range m {
		if one.name == name {
			return one.value, true
		}
	}
	return nil, false
}

// without returns the members with other names.
func (m members) without(names ...string) members {
	var rest members
next:
	for _, one := range m {
		for _, name := range names {
			if one.name == name {
				continue next
			}
		}
		rest = append(rest, one)
	}
	return rest
}

// encode writes the members as a JSON object without white space between them.
func (m members) encode() []byte {
	b := []byte{'{'}
	for i, one := range m {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := json.Marshal(one.name) // a string can always be written
		b = append(append(append(b, name...), ':'), one.value...)
	}
	return append(b, '}')
}
