package solve

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// vector is a line of testdata/rgu_keys.txt, which RoyalUr-Java made.
type vector struct {
	rules    string
	position board.Position
	key      uint64
}

// readVectors reads the vectors of Finkel's rules.
func readVectors(t *testing.T) (vectors []vector) {
	t.Helper()
	file, err := os.Open("testdata/rgu_keys.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if fields[0] != "finkel" && fields[0] != "finkel2p" {
			continue // other paths
		}
		v := vector{rules: fields[0]}
		if v.key, err = strconv.ParseUint(fields[4], 16, 64); err != nil {
			t.Fatal(err)
		}
		pieces := map[string]int{"finkel": 7, "finkel2p": 2}[v.rules]
		v.position = parseCells(t, pieces, fields[1:3], strings.Split(strings.TrimSuffix(fields[3], ","), ","))
		vectors = append(vectors, v)
	}
	if err := lines.Err(); err != nil || len(vectors) != 1000 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	return vectors
}

// parseCells reads a position from both hands and 24 cells, which hold k for Light's
// piece on square k and -k for Dark's.
func parseCells(t *testing.T, pieces int, hands, cells []string) board.Position {
	t.Helper()
	var squares [2]uint32
	home := [2]int{pieces, pieces}
	for side := range hands {
		n, err := strconv.Atoi(hands[side])
		if err != nil {
			t.Fatal(err)
		}
		home[side] -= n
	}
	for _, cell := range cells {
		switch k, err := strconv.Atoi(cell); {
		case err != nil:
			t.Fatal(err)
		case k > 0:
			squares[0] |= 1 << k
			home[0]--
		case k < 0:
			squares[1] |= 1 << -k
			home[1]--
		}
	}
	p, err := board.Finkel().FromSquares(pieces, board.Light, squares, home)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// keysOf returns the keys of a number of pieces.
func keysOf(t testing.TB, pieces int) *rguKeys {
	t.Helper()
	k, err := newRGUKeys(pieces)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// position returns the position of an entry, with Light to move.
func (k *rguKeys) position(t testing.TB, at rguPlace) board.Position {
	t.Helper()
	p, err := k.rules.FromSquares(k.pieces, board.Light,
		[2]uint32{k.squares(at.mine), k.squares(at.theirs)}, [2]int{k.pieces - at.own, k.pieces - at.opp})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestKeysEqualRoyalUr(t *testing.T) {
	vectors := readVectors(t)
	slices.SortFunc(vectors, func(a, b vector) int { return cmp.Compare(a.key, b.key) })
	for rules, pieces := range map[string]int{"finkel": 7, "finkel2p": 2} {
		if testing.Short() && pieces == 7 {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(vectors), func(v vector) bool { return v.rules != rules })
		k := keysOf(t, pieces)
		for key, at := range k.entries() {
			for len(left) > 0 && left[0].key == uint64(key) {
				if got := k.position(t, at); got != left[0].position {
					t.Fatalf("%s: key %#x stands for %s, want %s", rules, key, k.rules.FormatPosition(got), k.rules.FormatPosition(left[0].position))
				}
				left = left[1:]
			}
		}
		if len(left) > 0 {
			t.Errorf("%s: no entry has the key %#x", rules, left[0].key)
		}
	}
}

// The entries that RoyalUr's tables have, 12,990 and 137,892,016.
func TestNumberOfEntries(t *testing.T) {
	for pieces, want := range map[int]int{2: 12_990, 7: 137_892_016} {
		if got := keysOf(t, pieces).count(); got != want {
			t.Errorf("%d pieces: %d entries, want %d", pieces, got, want)
		}
	}
	for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
		if k := keysOf(t, pieces); 1<<k.wordBits == len(k.words)-1 {
			t.Errorf("%d pieces: the highest word does not fit %d bits", pieces, k.wordBits)
		}
	}
}

// The entries have ascending keys, and every position once.
func TestOrderOfKeys(t *testing.T) {
	for pieces := 1; pieces <= 3; pieces++ {
		k := keysOf(t, pieces)
		n, last := 0, -1
		seen := map[board.Position]bool{}
		for key, at := range k.entries() {
			p := k.position(t, at)
			if int(key) <= last || seen[p] {
				t.Fatalf("%d pieces: key %#x of %s after %#x", pieces, key, k.rules.FormatPosition(p), last)
			}
			if rank, unfinished := k.Rank(p); unfinished && rank != k.rankOf(at) {
				t.Fatalf("%d pieces: key %#x has rank %d, want %d", pieces, key, k.rankOf(at), rank)
			}
			seen[p] = true
			n, last = n+1, int(key)
		}
		if n != k.count() {
			t.Errorf("%d pieces: %d entries, want %d", pieces, n, k.count())
		}
	}
}

// finkel2p returns the published table of two pieces. It is not copied here; the
// test that needs it looks where UR_FINKEL2P says, or beside the checkout.
func finkel2p(t *testing.T) string {
	t.Helper()
	name := os.Getenv("UR_FINKEL2P")
	if name == "" {
		name = filepath.Join("..", "..", "shared", "vectors", "finkel2p.rgu")
	}
	if _, err := os.Stat(name); err != nil {
		t.Skipf("RoyalUr's table of two pieces is not here: %v", err)
	}
	return name
}

func TestPublishedTable(t *testing.T) {
	name := finkel2p(t)
	f, err := Open(name, board.Finkel())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Verify(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := f.Win(board.StartPosition(2)); got != 33985.0/65535 {
		t.Errorf("the start is worth %v", got)
	}
	want := readFile(t, name)
	entries := map[uint32]float64{1: 65535, 0x40b41: 33834, 0x20afd0: 27866, 0x4800000: 33985}
	k := keysOf(t, 2)
	for key, at := range k.entries() {
		if value, ok := entries[key]; ok && math.Abs(f.Win(k.position(t, at))*65535-value) > 1e-9 {
			t.Errorf("key %#x is worth %v/65535, want %v", key, f.Win(k.position(t, at))*65535, value)
		}
	}

	// Written again, also by way of the compact form, it is the same file.
	again := filepath.Join(t.TempDir(), "again.rgu")
	compact := filepath.Join(t.TempDir(), "compact.urt")
	convert := func(to string, from *Table, encoding Encoding) *Table {
		t.Helper()
		if err := from.Write(t.Context(), to, WriteOptions{Encoding: encoding, Meta: from.Info().Meta}); err != nil {
			t.Fatal(err)
		}
		return opened(t, to)
	}
	convert(again, f, RGUPercent16)
	checkBytes(t, again, want)
	convert(again, convert(compact, f, Compact), RGUPercent16)
	checkBytes(t, again, want)
}

// checkBytes compares a file.
func checkBytes(t *testing.T, name string, want []byte) {
	t.Helper()
	got := readFile(t, name)
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from what was read: %d bytes, want %d", name, len(got), len(want))
	}
}

const finkelSettings = `"game_settings":{"board_shape":"standard","paths":"bell","dice":"four_binary","start_pieces":2,"safe_rosettes":true,"rosettes_grant_rolls":true,"captures_grant_rolls":false}`

// Headers of other rules or value types are refused by the name of the member.
func TestRGUHeaders(t *testing.T) {
	sound := `{"value_type":"percent16",` + finkelSettings + `}`
	for _, test := range []struct{ from, to, want string }{
		{"", "", ""},
		{`"value_type":"percent16",`, "", ""},
		{`"percent16"`, `"F64"`, ""},
		{`"bell"`, `"BELL"`, ""},
		{`"four_binary"`, `"FourBinary"`, ""},
		{`{"value`, `{"x":[{}],"value`, ""},
		{`"percent16"`, `"u16"`, `value_type is "u16" (want percent16, f32 or f64)`},
		{`"percent16"`, `7`, `value_type is 7 (want a string)`},
		{finkelSettings, `"y":1`, "no game_settings"},
		{`:{"board`, `:[],"z":{"board`, "game_settings: line 1: not an object (want one JSON object: settings)"},
		{`"standard"`, `"aseb"`, "game_settings: board_shape is"},
		{`"bell"`, `"masters"`, `game_settings: paths is "masters" (want "bell")`},
		{`"four_binary"`, `"three_binary_0eq4"`, "game_settings: dice is"},
		{`"safe_rosettes":true`, `"safe_rosettes":false`, "game_settings: safe_rosettes is false (want true)"},
		{`"rosettes_grant_rolls":true`, `"rosettes_grant_rolls":0`, "game_settings: rosettes_grant_rolls is 0"},
		{`"captures_grant_rolls":false`, `"captures_grant_rolls":true`, "game_settings: captures_grant_rolls is true"},
		{`,"captures_grant_rolls":false`, ``, "game_settings: no captures_grant_rolls"},
		{`"start_pieces":2,`, ``, "game_settings: no start_pieces"},
		{`"start_pieces":2`, `"start_pieces":8`, "start_pieces is 8 (want 1 to 7)"},
		{`"start_pieces":2`, `"start_pieces":1.5`, "start_pieces is 1.5"},
		{`"start_pieces":2`, `"start_pieces":"2"`, "start_pieces is"},
		{`"start_pieces":2`, `"start_pieces":2,"start_pieces":3`, `member "start_pieces" given twice`},
		{`false}}`, `false}`, "the text ends early (want one JSON object: a header)"},
		{`false}}`, `false}}{}`, "text after the object"},
		{sound, `[]`, "not an object"},
		{sound, ``, "the text ends early"},
	} {
		text := strings.Replace(sound, test.from, test.to, 1)
		const entries = 12_990
		h := &rguHeader{text: []byte(text)}
		b := h.encode(entries)
		width := 2
		if strings.Contains(text, "F64") {
			width = 8
		}
		_, _, err := readRGUHeader(b, int64(len(b)+(4+width)*entries))
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: error %v, want one with %q", text, err, test.want)
		}
	}
}

// What a header says beside the rules must survive, in its order and letter by letter.
func TestRGUKeepsOtherMembers(t *testing.T) {
	const meta = `{"author":"Ä \"B\"","target-precision":0.0,"x":{"y":[1, 2]}}`
	name := writeMadeUp(t, 1, WriteOptions{Encoding: RGUFloat32, Meta: []byte(`{"value_type":"u8",` + meta[1:])})
	if got := string(opened(t, name).Info().Meta); got != meta {
		t.Errorf("meta data are %s, want %s", got, meta)
	}
}

// Keys at fault, and counts, are found when the file is opened.
func TestOpenFindsWrongKeys(t *testing.T) {
	name := writeMadeUp(t, 2, WriteOptions{Encoding: RGUPercent16})
	sound := readFile(t, name)
	begin := 16 + int(binary.BigEndian.Uint32(sound[4:]))
	for _, place := range []int{0, 1, 77, 12989} {
		b := bytes.Clone(sound)
		b[begin+4*place+3] ^= 64
		if err := verifyBytes(t, name, b); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("at byte %d: key", begin+4*place)) {
			t.Errorf("key %d: error %v", place, err)
		}
	}
	for _, at := range []int{3, 4, begin - 5, begin - 1} {
		b := bytes.Clone(sound)
		b[at]++
		if err := verifyBytes(t, name, b); err == nil {
			t.Errorf("a change at byte %d is not found", at)
		}
	}
	b := bytes.Clone(sound) // the first entry is a game that is won
	b[begin+4*12990]--
	if err := verifyBytes(t, name, b); err == nil || !strings.Contains(err.Error(), "a game that is won is worth") {
		t.Errorf("a won game of less than 100 percent: error %v", err)
	}
}

// A .rgu has no checksum, so a block of zeros shows only in the residual.
func TestOpenFindsZeroedValues(t *testing.T) {
	for _, encoding := range []Encoding{RGUPercent16, RGUFloat32, RGUFloat64} {
		name := filepath.Join(t.TempDir(), "table.rgu")
		if err := solution(t, 2).Write(t.Context(), name, WriteOptions{Encoding: encoding}); err != nil {
			t.Fatal(err)
		}
		sound, err := Open(name, board.Finkel())
		if err != nil {
			t.Fatal(err)
		}
		b := readFile(t, name)
		clear(b[len(b)-600*encodings[encoding].width : len(b)-500*encodings[encoding].width])
		writeFile(t, name, b)
		var fault *TableError
		if _, err := Open(name, nil); !errors.As(err, &fault) || fault.Path != name || !strings.Contains(fault.Msg, "residual") {
			t.Errorf("%v: error %v, want one about the residual", encoding, err)
		}
		if got, want := sound.Win(board.StartPosition(2)), solution(t, 2).Win(board.StartPosition(2)); math.Abs(got-want) > 1e-5 {
			t.Errorf("%v: the start is worth %v, want %v", encoding, got, want)
		}
	}
}

// FuzzRGUHeader feeds any header to the reader.
func FuzzRGUHeader(f *testing.F) {
	sound := &rguHeader{text: []byte(`{"value_type":"f32",` + finkelSettings + `}`)}
	entries := keysOf(f, 2).count()
	f.Add(sound.encode(entries), uint32(8*entries))
	f.Add(sound.encode(entries)[:9], uint32(0))
	f.Add([]byte("RGU\x00\xff\xff\xff\xff{}"), uint32(1<<31))
	f.Fuzz(func(t *testing.T, b []byte, more uint32) {
		h, k, err := readRGUHeader(b, int64(len(b))+int64(more))
		if err != nil {
			return
		}
		if !bytes.Equal(h.encode(k.count()), b[:h.keysOffset()]) || !json.Valid(h.meta) {
			t.Errorf("%q is read as %q with %q", b, h.encode(k.count()), h.meta)
		}
	})
}
