package urt

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve/internal/tablefile"
)

// newHeader returns a header for Finkel's rules.
func newHeader(t testing.TB, pieces int, form Precision, entries int) *TableHeader {
	t.Helper()
	r := testkit.Must(board.Finkel().WithPieces(pieces))(t)
	return testkit.Must(NewHeader(r, form, entries, []byte(`{"a":1}`)))(t)
}

// The size of a full table must stay below 276 MB, which needs no file to know.
func TestCompactTableIsSmall(t *testing.T) {
	h := newHeader(t, 7, Fixed16, 137_870_097)
	testkit.ErrorIf(t, h.fileSize() > 276_000_000, "a compact table of 7 pieces has %d bytes, too many", h.fileSize())
}

// A header whose checksum is right must be right in itself, too.
func TestReadHeaderRefusesUnsoundFields(t *testing.T) {
	h := newHeader(t, 2, Fixed16, 12_000)
	for at := range sumOffset {
		if at == 12 {
			continue // another number of pieces, with other positions, which package solve counts
		}
		b := h.encodeStart()
		b[at] ^= 4
		meta := b[headerSize : headerSize+binary.LittleEndian.Uint32(b[28:])%64]
		binary.LittleEndian.PutUint32(b[sumOffset:], headerChecksum(b, meta))
		_, err := readHeader(append(b, make([]byte, h.fileSize()-h.dataOffset())...))
		testkit.WantErrorAs[*tablefile.Error](t, err, "", "a change at byte %d", at)
	}
}

// A header of any bytes is refused, or means what it says.
func FuzzReadHeader(f *testing.F) {
	for _, form := range []Precision{Fixed16, Float64} {
		h := newHeader(f, 1, form, 500)
		f.Add(h.encodeStart(), uint32(h.fileSize()-h.dataOffset()))
		f.Add(h.encodeStart()[:100], uint32(0))
		f.Add(h.encodeStart(), uint32(1<<20))
	}
	f.Add([]byte(Magic), uint32(0))
	f.Fuzz(func(t *testing.T, b []byte, more uint32) {
		b = append(b, make([]byte, more%(2<<20))...)
		h, err := readHeader(b)
		testkit.SkipOn(t, err)
		testkit.Equal(t, h.encodeStart(), b[:h.dataOffset()], "%q is read as", b)
	})
}

// Whatever stands in a file, reading it as a checkpoint must fail by no more than an error, and only
// sound pairs are taken from it.
func FuzzOpenCheckpoint(f *testing.F) {
	c := testkit.Must(newCheckpoint(newHeader(f, 1, Float64, 400).Rules, []RankRange{{0, 400}}))(f)
	head := c.header.encodeStart()
	f.Add([]byte(nil))
	f.Add(head)
	f.Add(head[:5])
	f.Add(append(bytes.Clone(head), make([]byte, 8*c.header.Entries+4)...))
	f.Add(append(bytes.Clone(head), bytes.Repeat([]byte{1}, 8*c.header.Entries+4)...))
	f.Add([]byte("ur solve checkpoint 1\nof the version before"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := testkit.Must(newCheckpoint(newHeader(t, 1, Float64, 400).Rules, []RankRange{{0, 400}}))(t)
		name := filepath.Join(t.TempDir(), "checkpoint")
		testkit.WriteText(t, name, string(text))
		c.file = testkit.Must(os.Open(name))(t)
		defer c.file.Close()
		err := c.readSums()
		begins := bytes.HasPrefix(c.header.encodeStart(), text[:min(len(text), int(c.header.dataOffset()))])
		testkit.MustEqual(t, err == nil, begins, "it is read (%v)", err)
		read := c.ReadPart(0, make([]float64, c.header.Entries))
		testkit.FatalIf(t, c.sound > c.written || c.written > 1 || read != (c.sound == 1), "%d of %d pairs, read: %v",
			c.sound, c.written, read)
	})
}
