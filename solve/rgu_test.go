package solve

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve/rgu"
)

// Every unfinished entry of a .rgu has the rank of its position.
func TestRanksOfEntries(t *testing.T) {
	for pieces := 1; pieces <= testkit.Trials(2, 3); pieces++ {
		h, seen := testkit.Must(rgu.NewHeader(rgu.Percent16, pieces, nil))(t), 0
		err := h.Write(t.Context(), io.Discard, func(at rgu.Entry) float64 {
			p, err := board.Finkel().FromSquares(pieces, board.Light, [2]uint32{at.Own, at.Opp},
				[2]int{pieces - at.OwnLeft, pieces - at.OppLeft})
			if rank, unfinished := finkel.Rank(p); err != nil || !unfinished || rank != finkel.entryRank(at) {
				t.Fatalf("%d pieces: %+v has rank %d, want %d; %v", pieces, at, finkel.entryRank(at), rank, err)
			}
			seen++
			return 0.5
		}, nil)
		testkit.NoError(t, err)
		testkit.Equal(t, seen, finkel.Positions(pieces), "%d pieces: entries", pieces)
	}
}

// RoyalUr's published table of two pieces is not copied here: it is where UR_FINKEL2P says, or
// beside the checkout.
func TestPublishedTable(t *testing.T) {
	name := cmp.Or(os.Getenv("UR_FINKEL2P"), filepath.Join("..", "..", "shared", "vectors", "finkel2p.rgu"))
	testkit.SkipOn(t, testkit.ErrorOf(os.Stat(name)))
	f := testkit.Must(Open(name, board.Finkel()))(t)
	testkit.NoError(t, f.Verify(t.Context(), nil))
	testkit.Equal(t, f.Win(board.StartPosition(2)), 33985.0/65535, "the start is worth")
	want := testkit.Must(os.ReadFile(name))(t)
	for position, value := range map[string]float64{ // with the keys 0x40b41, 0x20afd0 and 0x4800000
		"0:.L......L.....:0 0:...D.......D..:0 L": 33834,
		"0:....L.......L.:0 0:...........D.D:0 L": 27866,
		"2:..............:0 2:..............:0 L": 33985,
		"0:..............:2 0:...D..........:1 L": 65535,
	} {
		p := testkit.Must(board.Finkel().ParsePosition(position))(t)
		testkit.Near(t, f.Win(p)*65535, value, 1e-9, "%s is worth, in 65535ths", position)
	}

	// Written again, also by way of the compact form, it is the same file.
	again := filepath.Join(t.TempDir(), "again.rgu")
	compact := filepath.Join(t.TempDir(), "compact.urt")
	convert := func(to string, from *Table, encoding Encoding) *Table {
		t.Helper()
		testkit.NoError(t, from.Write(t.Context(), to, WriteOptions{Encoding: encoding, Meta: from.Info().Meta}))
		return opened(t, to)
	}
	for _, from := range []*Table{f, convert(compact, f, Compact)} {
		convert(again, from, RGUPercent16)
		testkit.Equal(t, bytes.Equal(testkit.Must(os.ReadFile(again))(t), want), true, "as %v, it is what was read", from.Info().Encoding)
	}
}

// What a header says beside the rules must survive, in its order and letter by letter.
func TestRGUKeepsOtherMembers(t *testing.T) {
	const meta = `{"author":"Ä \"B\"","target-precision":0.0,"x":{"y":[1, 2]}}`
	name := writeMadeUp(t, 1, WriteOptions{Encoding: RGUFloat32, Meta: []byte(`{"value_type":"u8",` + meta[1:])})
	testkit.Equal(t, string(opened(t, name).Info().Meta), meta, "meta data")
}

// Keys at fault, and counts, are found when the file is opened.
func TestOpenFindsWrongKeys(t *testing.T) {
	name := writeMadeUp(t, 2, WriteOptions{Encoding: RGUPercent16})
	sound := testkit.Must(os.ReadFile(name))(t)
	begin := 16 + int(binary.BigEndian.Uint32(sound[4:]))
	for _, place := range []int{0, 1, 77, 12989} {
		b := bytes.Clone(sound)
		b[begin+4*place+3] ^= 64
		testkit.WantError(t, verifyBytes(t, name, b), fmt.Sprintf("at byte %d: key", begin+4*place), "key %d", place)
	}
	for _, at := range []int{3, 4, begin - 5, begin - 1} {
		b := bytes.Clone(sound)
		b[at]++
		testkit.WantError(t, verifyBytes(t, name, b), "", "a change at byte %d is not found", at)
	}
	b := bytes.Clone(sound) // the first entry is a game that is won
	b[begin+4*12990]--
	testkit.WantError(t, verifyBytes(t, name, b), "a game that is won is worth", "a won game of less than 100 percent")
}

// A .rgu has no checksum, so a block of zeros shows only in the residual.
func TestOpenFindsZeroedValues(t *testing.T) {
	for _, encoding := range []Encoding{RGUPercent16, RGUFloat32, RGUFloat64} {
		name := filepath.Join(t.TempDir(), "table.rgu")
		testkit.NoError(t, solution(t, 2).Write(t.Context(), name, WriteOptions{Encoding: encoding}))
		sound := testkit.Must(Open(name, board.Finkel()))(t)
		b := testkit.Must(os.ReadFile(name))(t)
		clear(b[len(b)-600*widths[encoding] : len(b)-500*widths[encoding]])
		testkit.WriteText(t, name, string(b))
		err := testkit.ErrorOf(Open(name, nil))
		testkit.Equal(t, faultOf(err).Path, name, "%v: the file at fault (%v)", encoding, err)
		testkit.WantText(t, faultOf(err).Msg, "residual")
		start := board.StartPosition(2)
		testkit.Near(t, sound.Win(start), solution(t, 2).Win(start), 1e-5, "%v: the start is worth", encoding)
	}
}
