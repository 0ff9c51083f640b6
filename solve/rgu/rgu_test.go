package rgu

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
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
	for line := range strings.Lines(testkit.ReadText(t, "testdata/rgu_keys.txt")) {
		fields := strings.Fields(line)
		if fields[0] != "finkel" && fields[0] != "finkel2p" {
			continue // other paths
		}
		v := vector{rules: fields[0], key: testkit.Must(strconv.ParseUint(fields[4], 16, 64))(t)}
		pieces := map[string]int{"finkel": 7, "finkel2p": 2}[v.rules]
		v.position = parseCells(t, pieces, fields[1:3], strings.Split(strings.TrimSuffix(fields[3], ","), ","))
		vectors = append(vectors, v)
	}
	testkit.MustEqual(t, len(vectors), 1000, "vectors")
	return vectors
}

// parseCells reads a position from both hands and 24 cells, which hold k for Light's
// piece on square k and -k for Dark's.
func parseCells(t *testing.T, pieces int, hands, cells []string) board.Position {
	t.Helper()
	var squares [2]uint32
	home := [2]int{pieces, pieces}
	for side := range hands {
		home[side] -= testkit.Must(strconv.Atoi(hands[side]))(t)
	}
	for _, cell := range cells {
		switch k := testkit.Must(strconv.Atoi(cell))(t); {
		case k > 0:
			squares[0] |= 1 << k
			home[0]--
		case k < 0:
			squares[1] |= 1 << -k
			home[1]--
		}
	}
	return testkit.Must(board.Finkel().FromSquares(pieces, board.Light, squares, home))(t)
}

// position returns the position of an entry, with Light to move.
func (k *keys) position(t testing.TB, at Entry) board.Position {
	t.Helper()
	return testkit.Must(board.Finkel().FromSquares(k.pieces, board.Light, [2]uint32{at.Own, at.Opp},
		[2]int{k.pieces - at.OwnLeft, k.pieces - at.OppLeft}))(t)
}

func TestKeysEqualRoyalUr(t *testing.T) {
	vectors := readVectors(t)
	slices.SortFunc(vectors, func(a, b vector) int { return cmp.Compare(a.key, b.key) })
	for rules, pieces := range map[string]int{"finkel": 7, "finkel2p": 2} {
		if testing.Short() && pieces == 7 {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(vectors), func(v vector) bool { return v.rules != rules })
		k := newKeys(pieces)
		for key, at := range k.entries() {
			for len(left) > 0 && left[0].key == uint64(key) {
				testkit.MustEqual(t, board.Finkel().FormatPosition(k.position(t, at)),
					board.Finkel().FormatPosition(left[0].position), "%s: key %#x stands for", rules, key)
				left = left[1:]
			}
		}
		testkit.Equal(t, len(left), 0, "%s: keys without an entry: %v", rules, left)
	}
}

// The entries that RoyalUr's tables have, 12,990 and 137,892,016.
func TestNumberOfEntries(t *testing.T) {
	for pieces, want := range map[int]int{2: 12_990, 7: 137_892_016} {
		testkit.Equal(t, newKeys(pieces).count(), want, "%d pieces", pieces)
	}
	for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
		k := newKeys(pieces)
		testkit.ErrorIf(t, 1<<k.wordBits == len(k.words)-1, "%d pieces: words beyond %d bits", pieces, k.wordBits)
	}
}

// The entries have ascending keys, and every position once.
func TestOrderOfKeys(t *testing.T) {
	for pieces := 1; pieces <= 3; pieces++ {
		k := newKeys(pieces)
		n, last := 0, -1
		seen := map[board.Position]bool{}
		for key, at := range k.entries() {
			p := k.position(t, at)
			if int(key) <= last || seen[p] {
				t.Fatalf("%d pieces: key %#x of %s after %#x", pieces, key, board.Finkel().FormatPosition(p), last)
			}
			seen[p] = true
			n, last = n+1, int(key)
		}
		testkit.Equal(t, n, k.count(), "%d pieces", pieces)
	}
}

const finkelSettings = `"game_settings":{"board_shape":"standard","paths":"bell","dice":"four_binary","start_pieces":2,"safe_rosettes":true,"rosettes_grant_rolls":true,"captures_grant_rolls":false}`

// Headers of other rules or value types are refused by the name of the member. Of a header without its end,
// Go 1.27 names another reason.
func TestHeaders(t *testing.T) {
	sound := `{"value_type":"percent16",` + finkelSettings + `}`
	names := strings.NewReplacer("SOUND", sound, "SETTINGS", finkelSettings)
	for _, row := range testkit.Rows(t, "testdata/headers.txt", 3) {
		want, text := row[2], strings.Replace(sound, names.Replace(row[0]), row[1], 1)
		const entries = 12_990
		h := &MapHeader{text: []byte(text), Entries: entries}
		b := h.encodeStart()
		width := 2
		if strings.Contains(text, "F64") {
			width = 8
		}
		_, err := ReadHeader(append(b, make([]byte, (4+width)*entries)...))
		if want == "accepted" {
			testkit.Equal(t, err, nil, "%s", text)
		} else {
			testkit.WantError(t, err, want, "%s", text)
		}
	}
}

// FuzzHeader feeds any header to the reader.
func FuzzHeader(f *testing.F) {
	sound := &MapHeader{text: []byte(`{"value_type":"f32",` + finkelSettings + `}`), Entries: newKeys(2).count()}
	f.Add(sound.encodeStart(), uint32(8*sound.Entries))
	f.Add(sound.encodeStart()[:9], uint32(0))
	f.Add([]byte("RGU\x00\xff\xff\xff\xff{}"), uint32(1<<20))
	f.Fuzz(func(t *testing.T, b []byte, more uint32) {
		b = append(b, make([]byte, more%(2<<20))...)
		h, err := ReadHeader(b)
		testkit.SkipOn(t, err)
		testkit.Equal(t, string(h.encodeStart()), string(b[:h.keysOffset()]), "the header, written again")
		testkit.Equal(t, json.Valid(h.Meta), true, "%q is JSON", h.Meta)
	})
}
