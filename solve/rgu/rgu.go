// Package rgu reads and writes RoyalUr's .rgu files: the value of every position of Finkel's rules
// with 1 to 7 pieces, by a key. [ReadHeader] and [NewHeader] return a [MapHeader].
//
// All numbers are big-endian:
//
//	offset       bytes
//	     0           3  magic "RGU"
//	     3           1  version, 0
//	     4           4  J, bytes of the header
//	     8           J  the header, a JSON object
//	   8+J           4  number of maps: 1, since keys have less than 33 bits
//	  12+J           4  n, number of entries
//	  16+J         4*n  keys, ascending
//	             w*n    values in the same order, by value_type: the mover's chance
//	                    to win in percent
//
// The format has no checksums: package solve compares the values with the rules of the game.
package rgu

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/solve/internal/tablefile"
)

// Magic is every file's beginning.
const Magic = "RGU"

const maxHeader = 1 << 20 // RoyalUr reads no longer ones

// ValueType is the representation of values.
type ValueType uint8

// The value types.
const (
	Percent16 ValueType = 1 + iota // 2 bytes: 100 percent in steps of 1/65535
	Float32                        // 4 bytes: percent in IEEE 754
	Float64                        // 8 bytes: percent in IEEE 754
)

// forms holds the value_type and the bytes of a value, by form.
var forms = [...]struct {
	name  string
	width int
}{Percent16: {"percent16", 2}, Float32: {"f32", 4}, Float64: {"f64", 8}}

// String returns the value_type: "percent16", "f32" or "f64".
func (f ValueType) String() string { return forms[f].name }

// decodePercent decodes a value.
func (f ValueType) decodePercent(b []byte) float64 {
	switch f {
	case Percent16:
		return float64(binary.BigEndian.Uint16(b)) / tablefile.FixedOne * 100
	case Float32:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.BigEndian.Uint64(b))
}

// appendWin appends a probability in percent.
func (f ValueType) appendWin(b []byte, v float64) []byte {
	switch f {
	case Percent16:
		return binary.BigEndian.AppendUint16(b, tablefile.RoundToFixed(v))
	case Float32:
		return binary.BigEndian.AppendUint32(b, math.Float32bits(float32(v*100)))
	}
	return binary.BigEndian.AppendUint64(b, math.Float64bits(v*100))
}

// MapHeader describes a file.
type MapHeader struct {
	ValueType ValueType
	Pieces    int             // pieces on each side, 1 to 7
	Entries   int             // number of values; some are of finished games
	Meta      json.RawMessage // a JSON object: the header's other members

	text []byte // the whole JSON object
	keys *keys
}

// describing are the header's members that describe the contents.
var describing = []string{"value_type", "game_settings"}

// NewHeader returns a file's header for 1 to 7 pieces. Meta is a JSON object of at most 1 MiB, or
// empty, with further members.
func NewHeader(form ValueType, pieces int, meta json.RawMessage) (*MapHeader, error) {
	o, err := tablefile.ParseMeta(meta)
	if err != nil {
		return nil, err
	}
	o = o.Without(describing...)
	all := append(text.Object{{Name: describing[0], Value: fmt.Appendf(nil, "%q", form)}}, o...)
	all = append(all, text.Member{Name: describing[1], Value: settingsOf(pieces).Encode()})
	h := &MapHeader{ValueType: form, Pieces: pieces, Meta: o.Encode(), text: all.Encode(), keys: newKeys(pieces)}
	if len(h.text) > maxHeader {
		return nil, fmt.Errorf("header of %d bytes (want at most %d)", len(h.text), maxHeader)
	}
	h.Entries = h.keys.count()
	return h, nil
}

// settingsOf returns Finkel's rules in the header's words.
func settingsOf(pieces int) text.Object {
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

// keysOffset returns the offset of the keys.
func (h *MapHeader) keysOffset() int64 { return 16 + int64(len(h.text)) }

// valuesOffset returns the offset of the values.
func (h *MapHeader) valuesOffset() int64 { return h.keysOffset() + 4*int64(h.Entries) }

// fileSize returns the bytes of the whole file.
func (h *MapHeader) fileSize() int64 {
	return h.valuesOffset() + int64(h.Entries)*int64(forms[h.ValueType].width)
}

// encodeStart returns the file up to the keys.
func (h *MapHeader) encodeStart() []byte {
	be := binary.BigEndian
	b := append([]byte(Magic), 0)
	b = be.AppendUint32(b, uint32(len(h.text)))
	b = append(b, h.text...)
	b = be.AppendUint32(b, 1)
	return be.AppendUint32(b, uint32(h.Entries))
}

// ReadHeader reads and checks the part of a file before the keys.
func ReadHeader(file []byte) (*MapHeader, error) {
	if len(file) < 8 {
		return nil, tablefile.Truncated(len(file))
	}
	length := int64(binary.BigEndian.Uint32(file[4:]))
	switch {
	case string(file[:3]) != Magic:
		return nil, tablefile.Errorf(0, "not a .rgu table: begins with %q (want %q)", file[:3], Magic)
	case file[3] != 0:
		return nil, tablefile.Errorf(3, "version %d of the format (want 0)", file[3])
	case length > maxHeader:
		return nil, tablefile.Errorf(4, "a header of %d bytes (want %d at most)", length, maxHeader)
	case int64(len(file)) < 16+length:
		return nil, tablefile.Truncated(len(file))
	}
	h := &MapHeader{text: bytes.Clone(file[8 : 8+length])}
	if err := h.parseText(); err != nil {
		return nil, tablefile.Errorf(8, "header: %v", err)
	}
	h.keys = newKeys(h.Pieces)
	h.Entries = h.keys.count()
	if maps := binary.BigEndian.Uint32(file[8+length:]); maps != 1 {
		return nil, tablefile.Errorf(8+length, "%d maps (want 1)", maps)
	}
	if n := binary.BigEndian.Uint32(file[12+length:]); n != uint32(h.Entries) {
		return nil, tablefile.Errorf(12+length, "%d entries (want %d for %d pieces)", n, h.Entries, h.Pieces)
	}
	return h, tablefile.CheckSize(int64(len(file)), h.fileSize())
}

// parseText takes the form and the number of pieces from the JSON object.
func (h *MapHeader) parseText() error {
	o, err := text.ParseObject(h.text, "a header")
	if err != nil {
		return err
	}
	kind := Percent16.String()
	if raw, ok := o.Get("value_type"); ok {
		if err := json.Unmarshal(raw, &kind); err != nil {
			return fmt.Errorf("value_type is %.80s (want a string)", raw)
		}
	}
	for form := Percent16; form <= Float64; form++ {
		if strings.EqualFold(form.String(), kind) {
			h.ValueType = form
		}
	}
	if h.ValueType == 0 {
		return fmt.Errorf("value_type is %.80q (want percent16, f32 or f64)", kind)
	}
	raw, ok := o.Get("game_settings")
	if !ok {
		return errors.New("no game_settings")
	}
	if err := h.parseSettings(raw); err != nil {
		return fmt.Errorf("game_settings: %w", err)
	}
	h.Meta = o.Without(describing...).Encode()
	return nil
}

// parseSettings takes the number of pieces from the settings of a game, and refuses other rules than
// Finkel's.
func (h *MapHeader) parseSettings(raw json.RawMessage) error {
	o, err := text.ParseObject(raw, "settings")
	if err != nil {
		return err
	}
	raw, ok := o.Get("start_pieces")
	if !ok {
		return errors.New("no start_pieces")
	}
	if json.Unmarshal(raw, &h.Pieces) != nil || board.CheckPieces(h.Pieces) != nil {
		return fmt.Errorf("start_pieces is %.80s (want 1 to 7)", raw)
	}
	for _, want := range settingsOf(h.Pieces) {
		raw, ok := o.Get(want.Name)
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

// ReadValues checks all keys and values of the header's file, and passes the probability, 0 to 1, of
// each unfinished game to set.
func (h *MapHeader) ReadValues(file []byte, set func(at Entry, win float64)) error {
	width := int64(forms[h.ValueType].width)
	offset, value := h.keysOffset(), h.valuesOffset()
	for want, at := range h.keys.entries() {
		if key := binary.BigEndian.Uint32(file[offset:]); key != want {
			return tablefile.Errorf(offset, "key %#08x (want %#08x)", key, want)
		}
		switch percent := h.ValueType.decodePercent(file[value:]); {
		case !(percent >= 0 && percent <= 100):
			return tablefile.Errorf(value, "unsound: the value is %v (want 0 to 100)", percent)
		case at.OwnLeft > 0:
			set(at, percent/100)
		case percent != 100:
			return tablefile.Errorf(value, "unsound: a game that is won is worth %v percent", percent)
		}
		offset, value = offset+4, value+width
	}
	return nil
}

// Write writes a file: all keys, then all values. win returns the probability of an unfinished game;
// another number is an error. Write calls progress, unless that is nil, with the written keys and
// values and their total, and returns the error of ctx when that ends.
func (h *MapHeader) Write(ctx context.Context, w io.Writer, win func(Entry) float64,
	progress func(done, total int64)) error {
	out := bufio.NewWriterSize(w, 1<<20)
	if _, err := out.Write(h.encodeStart()); err != nil {
		return err
	}
	done, total := int64(0), 2*int64(h.Entries)
	for pass := range 2 { // keys, then values
		for key, at := range h.keys.entries() {
			b, v := out.AvailableBuffer(), 1.0
			switch {
			case pass == 0:
				b = binary.BigEndian.AppendUint32(b, key)
			case at.OwnLeft > 0:
				v = win(at)
				fallthrough
			default:
				b = h.ValueType.appendWin(b, v)
			}
			if !tablefile.IsProbability(v) {
				return fmt.Errorf("the value of key %#x is %v (want a probability from 0 to 1)", key, v)
			}
			if _, err := out.Write(b); err != nil {
				return err
			}
			if done++; done%(1<<18) == 0 || done == total {
				if progress != nil {
					progress(done, total)
				}
				if err := ctx.Err(); err != nil {
					return err
				}
			}
		}
	}
	return out.Flush()
}
