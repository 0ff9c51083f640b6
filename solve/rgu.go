package solve

import (
	"bufio"
	"bytes"
	"cmp"
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
)

// A .rgu file, all numbers big-endian:
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
// It has no checksum.
//
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
	rguMagic     = "RGU"
	rguMaxHeader = 1 << 20 // RoyalUr reads no longer ones
	rguSafeBits  = 6
	rguSquares   = 8 // shared
)

// rguSafe converts a set of safe squares from the order of rows to that of keys, and back.
var rguSafe = func() (t [1 << rguSafeBits]uint8) {
	for set := range t {
		for from, to := range [rguSafeBits]int{3, 2, 1, 0, 5, 4} { // squares 1 2 3 4 13 14
			t[set] |= uint8(set >> from & 1 << to)
		}
	}
	return t
}()

// rguKeys makes the keys of a number of pieces.
type rguKeys struct {
	*Index
	pieces   int
	words    []rguWord
	wordBits int                             // w
	safe     [board.FinkelPieces + 1][]uint8 // the safe sets of at most k squares, ascending
}

// rguWord is a word of shared squares.
type rguWord struct{ own, opp uint8 }

// newRGUKeys returns the keys for 1 to 7 pieces.
func newRGUKeys(pieces int) (*rguKeys, error) {
	x, err := IndexOf(board.Finkel())
	k := &rguKeys{Index: x, pieces: pieces}
	for word := range 6561 { // 3^8
		var s rguWord
		for square, rest := rguSquares-1, word; square >= 0; square, rest = square-1, rest/3 {
			s.opp |= uint8(rest%3&1) << square
			s.own |= uint8(rest%3>>1) << square
		}
		if bits.OnesCount8(s.own) <= pieces && bits.OnesCount8(s.opp) <= pieces {
			k.words = append(k.words, s)
		}
	}
	k.wordBits = max(1, bits.Len(uint(len(k.words)-2))) // 2^w >= len-1
	for most := range k.safe {
		for set := range uint8(1 << rguSafeBits) {
			if bits.OnesCount8(set) <= most {
				k.safe[most] = append(k.safe[most], set)
			}
		}
	}
	return k, err
}

// count returns the number of entries: unfinished games, and those that the mover has won, one for
// each place of the opponent's pieces but all of them home.
func (k *rguKeys) count() int {
	n := k.Positions(k.pieces) - 1
	for opp := range row(k.rowSets()) {
		n += max(0, k.pieces-opp.pieces()+1)
	}
	return n
}

// rguPlace is the position of an entry: a game that the mover has won if layer.own is 0.
type rguPlace struct {
	layer
	mine, theirs row
}

// entries yields all keys, ascending, with their positions.
func (k *rguKeys) entries() iter.Seq2[uint32, rguPlace] {
	return func(yield func(uint32, rguPlace) bool) {
		for hands := range uint32(1 << 6) {
			for safe := range uint8(1 << rguSafeBits) {
				for word := range k.words {
					if !k.run(hands, safe, word, yield) {
						return
					}
				}
			}
		}
	}
}

// run yields the entries that differ in the opponent's safe squares only.
func (k *rguKeys) run(hands uint32, safe uint8, word int, yield func(uint32, rguPlace) bool) bool {
	s := k.words[word]
	own := k.makeRow(int(s.own), int(rguSafe[safe]))
	left := layer{int(hands>>3) + own.pieces(), int(hands&7) + bits.OnesCount8(s.opp)}
	if max(left.own, left.opp) > k.pieces {
		return true
	}
	key := ((hands<<rguSafeBits|uint32(safe))<<k.wordBits | uint32(word)) << rguSafeBits
	for _, safe := range k.safe[k.pieces-left.opp] {
		opp := left.opp + bits.OnesCount8(safe)
		at := rguPlace{layer{left.own, opp}, own, k.makeRow(int(s.opp), int(rguSafe[safe]))}
		if opp > 0 && !yield(key|uint32(safe), at) {
			return false
		}
	}
	return true
}

// rankOf returns the rank of an unfinished game.
func (k *rguKeys) rankOf(at rguPlace) int { return int(k.rank(at.layer, at.mine, at.theirs)) }

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
	return h.valuesOffset(entries) + int64(entries)*int64(encodings[h.encoding].width)
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

// importRGU copies the values of a .rgu file. All keys and the range of all values are checked.
func importRGU(file []byte) (*Table, error) {
	h, k, err := readRGUHeader(file, int64(len(file)))
	if err != nil {
		return nil, err
	}
	n := k.count()
	t := NewTable(k.Index, h.pieces, nil)
	t.info.Encoding, t.info.Entries, t.info.Meta = h.encoding, n, h.meta
	if h.encoding == RGUPercent16 {
		t.store = &store{header: header{encoding: Compact}, data: make([]byte, 2*k.Positions(h.pieces))}
	} else {
		t.values = make([]float64, k.Positions(h.pieces))
	}
	width := encodings[h.encoding].width
	offset, at := h.keysOffset(), h.valuesOffset(n)
	for want, place := range k.entries() {
		if key := binary.BigEndian.Uint32(file[offset:]); key != want {
			return nil, formatError(offset, "key %#08x (want %#08x)", key, want)
		}
		value := file[at:]
		switch percent := h.encoding.percent(value); {
		case !(percent >= 0 && percent <= 100):
			return nil, formatError(at, "unsound: the value is %v (want 0 to 100)", percent)
		case place.own == 0 && percent != 100:
			return nil, formatError(at, "unsound: a game that is won is worth %v percent", percent)
		case place.own == 0:
		case t.store != nil:
			binary.LittleEndian.PutUint16(t.store.data[2*k.rankOf(place):], binary.BigEndian.Uint16(value))
		default:
			t.values[k.rankOf(place)] = percent / 100
		}
		offset, at = offset+4, at+int64(width)
	}
	return t, nil
}

// percent decodes a value of a .rgu.
func (e Encoding) percent(b []byte) float64 {
	switch e {
	case RGUPercent16:
		return float64(binary.BigEndian.Uint16(b)) / fixedOne * 100
	case RGUFloat32:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.BigEndian.Uint64(b))
}

// appendPercent is the inverse of percent for a probability.
func (e Encoding) appendPercent(b []byte, v float64) []byte {
	switch e {
	case RGUPercent16:
		return binary.BigEndian.AppendUint16(b, fixed16(v))
	case RGUFloat32:
		return binary.BigEndian.AppendUint32(b, math.Float32bits(float32(v*100)))
	}
	return binary.BigEndian.AppendUint64(b, math.Float64bits(v*100))
}

// exportRGU writes a .rgu file: all keys, then all values.
func exportRGU(ctx context.Context, w io.Writer, t *Table, meta text.Object, o *WriteOptions) error {
	h, err := newRGUHeader(o.Encoding, t.pieces, meta)
	if err != nil {
		return err
	}
	k, err := newRGUKeys(t.pieces)
	if err != nil {
		return err
	}
	n, done := k.count(), 0
	out := bufio.NewWriterSize(w, blockSize)
	if _, err := out.Write(h.encode(n)); err != nil {
		return err
	}
	for pass := range 2 { // keys, then values
		for key, at := range k.entries() {
			b, v := out.AvailableBuffer(), 1.0
			if at.own > 0 && pass == 1 {
				rank := k.rankOf(at)
				if v = t.At(rank); !isProbability(v) {
					return cmp.Or(t.Err(), valueError(v, rank))
				}
			}
			if b = binary.BigEndian.AppendUint32(b, key); pass == 1 {
				b = o.Encoding.appendPercent(b[:0], v)
			}
			if _, err := out.Write(b); err != nil {
				return err
			}
			if done++; done%(1<<18) == 0 || done == 2*n {
				o.Progress(int64(done), 2*int64(n))
				if err := ctx.Err(); err != nil {
					return err
				}
			}
		}
	}
	return out.Flush()
}
