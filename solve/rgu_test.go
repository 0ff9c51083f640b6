package solve

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
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
		if err != nil || seen != finkel.Positions(pieces) {
			t.Errorf("%d pieces: %d entries, want %d; %v", pieces, seen, finkel.Positions(pieces), err)
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
	f := testkit.Must(Open(name, board.Finkel()))(t)
	testkit.NoError(t, f.Verify(t.Context(), nil))
	testkit.Equal(t, f.Win(board.StartPosition(2)), 33985.0/65535, "the start is worth")
	want := readFile(t, name)
	for position, value := range map[string]float64{ // with the keys 0x40b41, 0x20afd0 and 0x4800000
		"0:.L......L.....:0 0:...D.......D..:0 L": 33834,
		"0:....L.......L.:0 0:...........D.D:0 L": 27866,
		"2:..............:0 2:..............:0 L": 33985,
		"0:..............:2 0:...D..........:1 L": 65535,
	} {
		p, err := board.Finkel().ParsePosition(position)
		if got := f.Win(p) * 65535; err != nil || math.Abs(got-value) > 1e-9 {
			t.Errorf("%s is worth %v/65535, want %v; %v", position, got, value, err)
		}
	}

	// Written again, also by way of the compact form, it is the same file.
	again := filepath.Join(t.TempDir(), "again.rgu")
	compact := filepath.Join(t.TempDir(), "compact.urt")
	convert := func(to string, from *Table, encoding Encoding) *Table {
		t.Helper()
		testkit.NoError(t, from.Write(t.Context(), to, WriteOptions{Encoding: encoding, Meta: from.Info().Meta}))
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

// What a header says beside the rules must survive, in its order and letter by letter.
func TestRGUKeepsOtherMembers(t *testing.T) {
	const meta = `{"author":"Ä \"B\"","target-precision":0.0,"x":{"y":[1, 2]}}`
	name := writeMadeUp(t, 1, WriteOptions{Encoding: RGUFloat32, Meta: []byte(`{"value_type":"u8",` + meta[1:])})
	testkit.Equal(t, string(opened(t, name).Info().Meta), meta, "meta data")
}

// Keys at fault, and counts, are found when the file is opened.
func TestOpenFindsWrongKeys(t *testing.T) {
	name := writeMadeUp(t, 2, WriteOptions{Encoding: RGUPercent16})
	sound := readFile(t, name)
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
		b := readFile(t, name)
		clear(b[len(b)-600*widths[encoding] : len(b)-500*widths[encoding]])
		writeFile(t, name, b)
		err := testkit.ErrorOf(Open(name, nil))
		if fault := faultOf(err); fault.Path != name || !strings.Contains(fault.Msg, "residual") {
			t.Errorf("%v: error %v, want one about the residual", encoding, err)
		}
		start := board.StartPosition(2)
		if got, want := sound.Win(start), solution(t, 2).Win(start); math.Abs(got-want) > 1e-5 {
			t.Errorf("%v: the start is worth %v, want %v", encoding, got, want)
		}
	}
}
