package solve

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"pgregory.net/rapid"
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

func TestKeysEqualRoyalUr(t *testing.T) {
	orders := map[string]*rguOrder{"finkel": newRGUOrder(7), "finkel2p": newRGUOrder(2)}
	for _, v := range readVectors(t) {
		o := orders[v.rules]
		if got, err := o.keyOf(v.position); err != nil || uint64(got) != v.key {
			t.Fatalf("%s: the key of %v is %#x, %v, want %#x", v.rules, board.Finkel().FormatPosition(v.position), got, err, v.key)
		}
		if got, err := o.keyOf(v.position.Mirror()); err != nil || uint64(got) != v.key {
			t.Fatalf("%s: the key of the mirror of %v is %#x, %v, want %#x", v.rules, board.Finkel().FormatPosition(v.position), got, err, v.key)
		}
		if got, err := o.position(uint32(v.key)); err != nil || got != v.position {
			t.Fatalf("%s: key %#x stands for %v, %v, want %v", v.rules, v.key, board.Finkel().FormatPosition(got), err, board.Finkel().FormatPosition(v.position))
		}
	}
}

// The entries that RoyalUr's tables have, 12,990 and 137,892,016, and those that the
// index has beside finished games.
func TestNumberOfEntries(t *testing.T) {
	for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
		o := newRGUOrder(pieces)
		won := 0
		for opp := range row(finkel.rowSets()) {
			if n := opp.pieces(); n <= pieces {
				won += pieces - n + 1 // that many are in hand, from none to all that are left
			}
		}
		won-- // but for the row with all pieces home
		if want := finkel.Positions(pieces) + won; o.entries != want {
			t.Errorf("%d pieces: %d entries, want %d", pieces, o.entries, want)
		}
		if 1<<o.wordBits == len(o.sets)-1 {
			t.Errorf("%d pieces: the highest word does not fit %d bits", pieces, o.wordBits)
		}
	}
	if got := newRGUOrder(7).entries; got != 137_892_016 {
		t.Errorf("7 pieces: %d entries", got)
	}
	if got := newRGUOrder(2).entries; got != 12_990 {
		t.Errorf("2 pieces: %d entries", got)
	}
}

// Going through all entries must give ascending keys, each at the place that is
// computed for it and of the position that has it.
func TestOrderOfKeys(t *testing.T) {
	for pieces := 1; pieces <= 3; pieces++ {
		o := newRGUOrder(pieces)
		n, last := 0, -1
		for ownHand := range pieces + 1 {
			for oppHand := range pieces + 1 {
				o.runs(ownHand, oppHand, func(r rguRun) bool {
					for i, safe := range r.oppSafe {
						key := r.key | uint32(safe)
						if got := o.place(ownHand, oppHand, r.own, r.opp(i)); got != n || int(key) <= last {
							t.Fatalf("%d pieces: key %#x after %#x is at place %d, want %d", pieces, key, last, got, n)
						}
						p, err := o.position(key)
						if err != nil {
							t.Fatal(err)
						}
						if back, err := o.keyOf(p); err != nil || back != key {
							t.Fatalf("%d pieces: key %#x stands for %v, whose key is %#x, %v", pieces, key, board.Finkel().FormatPosition(p), back, err)
						}
						n, last = n+1, int(key)
					}
					return true
				})
			}
		}
		if n != o.entries {
			t.Errorf("%d pieces: %d entries, want %d", pieces, n, o.entries)
		}
	}
}

func TestKeysOfRandomPositions(t *testing.T) {
	var orders [board.FinkelPieces + 1]*rguOrder
	for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
		orders[pieces] = newRGUOrder(pieces)
	}
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		p := board.Finkel().Random(rng, rapid.IntRange(1, board.FinkelPieces).Draw(t, "pieces"))
		o := orders[p.Pieces()]
		key, err := o.keyOf(p)
		if err != nil {
			t.Fatal(err)
		}
		back, err := o.position(key)
		if p.Turn() == board.Dark {
			back = back.Mirror()
		}
		if err != nil || back != p {
			t.Fatalf("%v has key %#x, which stands for %v, %v", board.Finkel().FormatPosition(p), key, board.Finkel().FormatPosition(back), err)
		}
	})
}

// Walking from any rank on must meet the same positions as ranks one by one.
func TestWalkFollowsRanks(t *testing.T) {
	n := finkel.Positions(3)
	for _, first := range []int{0, 1, 63, 1000, n / 2, n - 1} {
		rank := first
		finkel.walk(uint32(first), func(l layer, own, opp row) bool {
			if wantL, wantOwn, wantOpp := finkel.unrank(uint32(rank)); l != wantL || own != wantOwn || opp != wantOpp {
				t.Fatalf("from %d: rank %d is %v %v %v, want %v %v %v", first, rank, l, own, opp, wantL, wantOwn, wantOpp)
			}
			rank++
			return rank < min(n, first+30000)
		})
		if rank != min(n, first+30000) {
			t.Errorf("from %d: the walk ends at %d", first, rank)
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
	f := open(t, name)
	if err := f.Verify(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := f.Win(board.StartPosition(2)); got != 33985.0/65535 {
		t.Errorf("the start is worth %v", got)
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	o := newRGUOrder(2)
	for place, v := range map[int]struct {
		key   uint32
		value float64
	}{0: {1, 65535}, 5000: {0x40b41, 33834}, 9000: {0x20afd0, 27866}, 12989: {0x4800000, 33985}} {
		if got := binary.BigEndian.Uint32(want[303+4*place:]); got != v.key {
			t.Fatalf("entry %d has the key %#x, want %#x", place, got, v.key)
		}
		p, err := o.position(v.key)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Win(p) * 65535; math.Abs(got-v.value) > 1e-9 {
			t.Errorf("%v is worth %v/65535, want %v", board.Finkel().FormatPosition(p), got, v.value)
		}
	}

	// Written again, also by way of the compact form, it is the same file.
	again := filepath.Join(t.TempDir(), "again.rgu")
	compact := filepath.Join(t.TempDir(), "compact.urt")
	convert := func(to string, from TableFile, encoding Encoding) TableFile {
		t.Helper()
		if err := WriteTable(t.Context(), to, from, WriteOptions{Encoding: encoding, Meta: from.Info().Meta}); err != nil {
			t.Fatal(err)
		}
		return open(t, to)
	}
	convert(again, f, RGUPercent16)
	checkBytes(t, again, want)
	convert(again, convert(compact, f, Compact), RGUPercent16)
	checkBytes(t, again, want)
}

// checkBytes compares a file.
func checkBytes(t *testing.T, name string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
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
		{`:{"board`, `:[],"z":{"board`, "game_settings: not a JSON object"},
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
		{`"start_pieces":2`, `"start_pieces":2,"start_pieces":3`, `member "start_pieces" appears twice`},
		{`false}}`, `false}`, "not a JSON object"},
		{`false}}`, `false}}{}`, "data after the JSON object"},
		{sound, `[]`, "not a JSON object"},
		{sound, ``, "not a JSON object"},
	} {
		text := strings.Replace(sound, test.from, test.to, 1)
		order := newRGUOrder(2)
		h := &rguHeader{text: []byte(text)}
		b := h.encode(order.entries)
		width := 2
		if strings.Contains(text, "F64") {
			width = 8
		}
		_, _, err := readRGUHeader(bytes.NewReader(b), int64(len(b)+(4+width)*order.entries))
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
	if got := string(open(t, name).Info().Meta); got != meta {
		t.Errorf("meta data are %s, want %s", got, meta)
	}
}

// Keys at fault, and counts, are found when the file is opened.
func TestOpenFindsWrongKeys(t *testing.T) {
	name := writeMadeUp(t, 2, WriteOptions{Encoding: RGUPercent16})
	sound, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
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

// FuzzRGUHeader feeds any header to the reader.
func FuzzRGUHeader(f *testing.F) {
	sound := &rguHeader{text: []byte(`{"value_type":"f32",` + finkelSettings + `}`)}
	entries := newRGUOrder(2).entries
	f.Add(sound.encode(entries), uint32(8*entries))
	f.Add(sound.encode(entries)[:9], uint32(0))
	f.Add([]byte("RGU\x00\xff\xff\xff\xff{}"), uint32(1<<31))
	f.Fuzz(func(t *testing.T, b []byte, more uint32) {
		h, order, err := readRGUHeader(bytes.NewReader(b), int64(len(b))+int64(more))
		if err != nil {
			return
		}
		if !bytes.Equal(h.encode(order.entries), b[:h.keysOffset()]) || !isObject(h.meta()) {
			t.Errorf("%q is read as %q with %q", b, h.encode(order.entries), h.meta())
		}
	})
}

// FuzzRGUKey feeds any key to the decoder.
func FuzzRGUKey(f *testing.F) {
	for _, key := range []uint32{0, 1, 0x40b41, 0x4800000, 0x7e000000, 1<<32 - 1} {
		f.Add(key, uint8(2))
		f.Add(key, uint8(7))
	}
	var orders [board.FinkelPieces + 1]*rguOrder
	for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
		orders[pieces] = newRGUOrder(pieces)
	}
	f.Fuzz(func(t *testing.T, key uint32, pieces uint8) {
		o := orders[1+pieces%board.FinkelPieces]
		p, err := o.position(key)
		if err != nil {
			return
		}
		if got, err := o.keyOf(p); err != nil || got != key {
			t.Fatalf("key %#x stands for %v, whose key is %#x, %v", key, board.Finkel().FormatPosition(p), got, err)
		}
	})
}
