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
	"iter"
	"math"
	"math/bits"
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

// parseSettings takes the number of pieces from a game's settings, and rejects all but Finkel's rules.
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

// ReadValues checks all keys and values of a file, and passes set each unfinished game's chance.
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

// The keys of RoyalUr's .rgu files (https://github.com/RoyalUr/RoyalUr-Java) for Finkel's
// rules, seen from the player to move. From the highest bits to the lowest:
//
//	3 bits  the mover's pieces in hand
//	3 bits  the opponent's pieces in hand
//	6 bits  the mover's safe squares: 4 3 2 1 14 13 at bits 0 to 5
//	w bits  the shared squares 5 to 12, read as digits 0 free, 1 the opponent's, 2
//	        the mover's, numbered in the order of such words that have no digit 1
//	        or 2 more often than there are pieces
//	6 bits  the opponent's safe squares
//
// w is the least number with 2^w at least the highest word. Every position has one key, except
// those the opponent has won.
const (
	safeBits    = 6
	safeSets    = 1 << safeBits
	firstShared = 5
	lastShared  = 12
	words       = 6561 // 3^8
)

// Entry is a position seen from the player to move: the occupied squares of each side's own path,
// square s at bit s, and the pieces left to bring home. OwnLeft is 0 in a won game, OppLeft never.
type Entry struct {
	Own, Opp         uint32
	OwnLeft, OppLeft int
}

// squaresOf converts a set of safe squares from a key.
var squaresOf = func() (t [safeSets]uint32) {
	for set := range t {
		for bit, square := range [safeBits]int{4, 3, 2, 1, 14, 13} {
			t[set] |= uint32(set>>bit&1) << square
		}
	}
	return t
}()

// keys makes the keys for a number of pieces.
type keys struct {
	pieces   int
	words    []word
	wordBits int                             // w
	safe     [board.FinkelPieces + 1][]uint8 // the safe sets of at most k squares, ascending
}

// word is a word of shared squares.
type word struct{ own, opp uint32 }

// newKeys returns the keys for 1 to 7 pieces.
func newKeys(pieces int) *keys {
	k := &keys{pieces: pieces}
	for number := range words {
		var w word
		for square, rest := lastShared, number; square >= firstShared; square, rest = square-1, rest/3 {
			w.opp |= uint32(rest%3&1) << square
			w.own |= uint32(rest%3>>1) << square
		}
		if max(bits.OnesCount32(w.own), bits.OnesCount32(w.opp)) <= pieces {
			k.words = append(k.words, w)
		}
	}
	k.wordBits = max(1, bits.Len(uint(len(k.words)-2))) // 2^w >= len-1
	for most := range k.safe {
		for set := range uint8(safeSets) {
			if bits.OnesCount8(set) <= most {
				k.safe[most] = append(k.safe[most], set)
			}
		}
	}
	return k
}

// count returns the number of entries.
func (k *keys) count() (n int) {
	for _, w := range k.words {
		opp := k.placements(w.opp)
		if w.opp == 0 {
			opp-- // all pieces home
		}
		n += k.placements(w.own) * opp
	}
	return n
}

// placements returns the number of ways to place the pieces that are not on the given shared squares.
func (k *keys) placements(shared uint32) (n int) {
	for set := range uint8(safeSets) {
		n += max(0, k.pieces-bits.OnesCount32(shared)-bits.OnesCount8(set)+1) // the rest in hand or home
	}
	return n
}

// entries yields all keys, ascending, with their places.
func (k *keys) entries() iter.Seq2[uint32, Entry] {
	return func(yield func(uint32, Entry) bool) {
		for hands := range uint32(1 << 6) {
			for safe := range uint32(safeSets) {
				for word := range k.words {
					if !k.yieldRun(hands, safe, word, yield) {
						return
					}
				}
			}
		}
	}
}

// yieldRun yields the entries that differ in the opponent's safe squares only.
func (k *keys) yieldRun(hands, safe uint32, word int, yield func(uint32, Entry) bool) bool {
	w := k.words[word]
	at := Entry{Own: w.own | squaresOf[safe]}
	at.OwnLeft = int(hands>>3) + bits.OnesCount32(at.Own)
	oppLeft := int(hands&7) + bits.OnesCount32(w.opp)
	if max(at.OwnLeft, oppLeft) > k.pieces {
		return true
	}
	key := ((hands<<safeBits|safe)<<k.wordBits | uint32(word)) << safeBits
	for _, safe := range k.safe[k.pieces-oppLeft] {
		at.Opp, at.OppLeft = w.opp|squaresOf[safe], oppLeft+bits.OnesCount8(safe)
		if at.OppLeft > 0 && !yield(key|uint32(safe), at) {
			return false
		}
	}
	return true
}
