package solve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// rguHeader is the beginning of a .rgu file.
type rguHeader struct {
	encoding Encoding
	pieces   int
	text     []byte // the JSON object
	meta     []byte // the same without the members that describe the contents of the file
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

// readRGUHeader reads and checks the part of a file before the keys; size is the size of the file.
// It returns the keys of its pieces, too. Its errors are a [*TableError] without a path.
func readRGUHeader(file []byte, size int64) (*rguHeader, *rguKeys, error) {
	if len(file) < 8 {
		return nil, nil, truncatedHeader(size)
	}
	length := int64(binary.BigEndian.Uint32(file[4:]))
	switch {
	case string(file[:3]) != rguMagic:
		return nil, nil, formatError(0, "not a .rgu table: begins with %q (want %q)", file[:3], rguMagic)
	case file[3] != 0:
		return nil, nil, formatError(3, "version %d of the format (want 0)", file[3])
	case length > rguMaxHeader:
		return nil, nil, formatError(4, "a header of %d bytes (want %d at most)", length, rguMaxHeader)
	case int64(len(file)) < 16+length:
		return nil, nil, truncatedHeader(size)
	}
	h := &rguHeader{text: bytes.Clone(file[8 : 8+length])}
	if err := h.parse(); err != nil {
		return nil, nil, formatError(8, "header: %v", err)
	}
	k, err := newRGUKeys(h.pieces)
	if err != nil {
		return nil, nil, err
	}
	entries := k.count()
	if maps := binary.BigEndian.Uint32(file[8+length:]); maps != 1 {
		return nil, nil, formatError(8+length, "%d maps (want 1)", maps)
	}
	if n := binary.BigEndian.Uint32(file[12+length:]); n != uint32(entries) {
		return nil, nil, formatError(12+length, "%d entries (want %d for %d pieces)", n, entries, h.pieces)
	}
	return h, k, checkSize(size, h.size(entries))
}

// parse takes encoding and pieces from the JSON text.
func (h *rguHeader) parse() error {
	m, err := text.ParseObject(h.text, "a header")
	if err != nil {
		return err
	}
	kind := RGUPercent16.Values()
	if raw, ok := m.Get("value_type"); ok {
		if err := json.Unmarshal(raw, &kind); err != nil {
			return fmt.Errorf("value_type is %.80s (want a string)", raw)
		}
	}
	for e := range encodings {
		if e.Format() == rguFormat && strings.EqualFold(e.Values(), kind) {
			h.encoding = e
		}
	}
	if h.encoding == 0 {
		return fmt.Errorf("value_type is %.80q (want percent16, f32 or f64)", kind)
	}
	raw, ok := m.Get("game_settings")
	if !ok {
		return errors.New("no game_settings")
	}
	if err := h.parseSettings(raw); err != nil {
		return fmt.Errorf("game_settings: %w", err)
	}
	h.meta = m.Without("value_type", "game_settings").Encode()
	return nil
}

// parseSettings takes the number of pieces from the settings of a game, and refuses other rules than
// Finkel's.
func (h *rguHeader) parseSettings(settings json.RawMessage) error {
	m, err := text.ParseObject(settings, "settings")
	if err != nil {
		return err
	}
	raw, ok := m.Get("start_pieces")
	if !ok {
		return errors.New("no start_pieces")
	}
	if json.Unmarshal(raw, &h.pieces) != nil || board.CheckPieces(h.pieces) != nil {
		return fmt.Errorf("start_pieces is %.80s (want 1 to 7)", raw)
	}
	for _, want := range rguSettings(h.pieces) {
		raw, ok := m.Get(want.Name)
		if !ok {
			return fmt.Errorf("no %s", want.Name)
		}
		got := strings.Replace(strings.ToLower(string(raw)), "fourbinary", "four_binary", 1) // its former name
		if got != string(want.Value) {
			return fmt.Errorf("%s is %.80s (want %s): only Finkel's rules can be read", want.Name, raw, want.Value)
		}
	}
	return nil
}

// rguSettings returns Finkel's rules in the words of the header.
func rguSettings(pieces int) text.Object {
	return text.Object{
		{Name: "board_shape", Value: []byte(`"standard"`)},
		{Name: "paths", Value: []byte(`"bell"`)},
		{Name: "dice", Value: []byte(`"four_binary"`)},
		{Name: "start_pieces", Value: fmt.Append(nil, pieces)},
		{Name: "safe_rosettes", Value: []byte("true")},
		{Name: "rosettes_grant_rolls", Value: []byte("true")},
		{Name: "captures_grant_rolls", Value: []byte("false")},
	}
}

// newRGUHeader makes the header for a table with further members.
func newRGUHeader(encoding Encoding, pieces int, meta text.Object) (*rguHeader, error) {
	all := text.Object{{Name: "value_type", Value: fmt.Appendf(nil, "%q", encoding.Values())}}
	all = append(all, meta.Without("value_type", "game_settings")...)
	all = append(all, text.Member{Name: "game_settings", Value: rguSettings(pieces).Encode()})
	h := &rguHeader{encoding: encoding, pieces: pieces, text: all.Encode()}
	if len(h.text) > rguMaxHeader {
		return nil, fmt.Errorf("header of %d bytes (want at most %d)", len(h.text), rguMaxHeader)
	}
	return h, nil
}
