package urt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// RankRange is a range of ranks whose values are saved at once.
type RankRange struct {
	First, N int // lowest rank and number of ranks
}

// Checkpoint is an unfinished file of doubles, so solving can resume after the process was killed
// at any moment. A page before the values has a CRC-32C for each part, 0 for an unfinished one.
type Checkpoint struct {
	header  *TableHeader
	parts   []RankRange
	file    *os.File
	sound   int  // leading parts whose values match their checksums
	written int  // leading parts with a checksum
	begun   bool // the file has its header
}

// ErrCheckpointInUse reports that another process is solving with a checkpoint.
var ErrCheckpointInUse = errors.New("another process is solving with this checkpoint")

// newCheckpoint returns a checkpoint without a file.
func newCheckpoint(r *board.Rules, parts []RankRange) (*Checkpoint, error) {
	last := parts[len(parts)-1]
	h, err := NewHeader(r, Float64, last.First+last.N, []byte(`{"unfinished":true}`))
	return &Checkpoint{header: h, parts: parts}, err
}

// OpenCheckpoint opens the checkpoint at path for the solution of a rule set with its number of
// pieces, or makes an empty one; it is empty, too, if fresh is set. The parts follow each other
// without a gap, at most 1024 of them. The file is locked, where the operating system supports locks,
// until it is closed or removed: another open gives an error that wraps [ErrCheckpointInUse].
// A file with other contents is an error unless fresh is set, and stays unchanged.
func OpenCheckpoint(path string, r *board.Rules, parts []RankRange, fresh bool) (*Checkpoint, error) {
	c, err := newCheckpoint(r, parts)
	if err != nil {
		return nil, err
	}
	c.file, err = safefile.OpenLocked(path, 0)
	switch {
	case errors.Is(err, safefile.ErrLocked):
		return nil, fmt.Errorf("%s: %w", path, ErrCheckpointInUse)
	case err != nil:
		return nil, err
	}
	if fresh {
		err = c.file.Truncate(0)
	} else {
		err = c.readSums()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), c.file.Close())
	}
	return c, nil
}

// readSums compares the header with the file's and counts the sound parts.
func (c *Checkpoint) readSums() error {
	want := c.header.encodeStart()
	head := make([]byte, len(want)+4*len(c.parts))
	n, err := c.file.ReadAt(head, 0)
	switch {
	case err != nil && err != io.EOF:
		return err
	case !bytes.HasPrefix(want, head[:min(n, len(want))]):
		return errors.New(
			"not a checkpoint of this game (want that of an interrupted run with the same rules and pieces)")
	case n < len(want):
		return nil // it ends before the first part
	}
	c.begun = true
	for ; c.written < len(c.parts); c.written++ {
		sum := binary.LittleEndian.Uint32(head[len(want)+4*c.written:])
		if sum == 0 {
			break
		}
		got, values := crc32.New(castagnoli()), c.sectionOf(c.written)
		if n, err := io.Copy(got, values); c.sound == c.written && err == nil && n == values.Size() &&
			got.Sum32() == sum {
			c.sound++ // all parts before it are sound
		}
	}
	return nil
}

// sectionOf returns the file's section with a part's values.
func (c *Checkpoint) sectionOf(part int) *io.SectionReader {
	return io.NewSectionReader(c.file, c.valueOffset(c.parts[part].First), 8*int64(c.parts[part].N))
}

func (c *Checkpoint) valueOffset(rank int) int64 {
	return c.header.dataOffset() + pageSize + 8*int64(rank)
}

// Rules returns the rule set with its number of pieces.
func (c *Checkpoint) Rules() *board.Rules { return c.header.Rules }

// Parts returns the number of finished parts in the checkpoint when it was opened, and how many of
// them, from the first on, are sound. Only the sound ones are used.
func (c *Checkpoint) Parts() (sound, written int) { return c.sound, c.written }

// Close ends the use of a checkpoint. A file with a part stays, for another run to continue from.
func (c *Checkpoint) Close() error {
	if !c.begun {
		return c.Remove()
	}
	return c.file.Close()
}

// Remove closes a checkpoint and removes its file. The lock excludes other users until then.
func (c *Checkpoint) Remove() error {
	c.begun = true // Close must not remove the file of another process
	return safefile.RemoveLocked(c.file)
}

// bufferValues is the number of values converted at a time.
const bufferValues = 1 << 15

// ReadPart fills in a part's values and reports whether the checkpoint, which may be nil, has them.
func (c *Checkpoint) ReadPart(part int, values []float64) bool {
	if c == nil || part >= c.sound {
		return false
	}
	in := c.sectionOf(part)
	buffer := make([]byte, 8*bufferValues)
	for chunk := range slices.Chunk(values, bufferValues) {
		if _, err := io.ReadFull(in, buffer[:8*len(chunk)]); err != nil {
			c.sound = part
			return false
		}
		binary.Decode(buffer, binary.LittleEndian, chunk) // numbers of known size: no error
	}
	return true
}

// WritePart writes the values of a part, and its checksum when they are on the disk.
func (c *Checkpoint) WritePart(part int, values []float64) error {
	if !c.begun {
		if _, err := c.file.WriteAt(c.header.encodeStart(), 0); err != nil {
			return err
		}
		c.begun = true
	}
	sum := crc32.New(castagnoli())
	to := io.MultiWriter(sum, io.NewOffsetWriter(c.file, c.valueOffset(c.parts[part].First)))
	buffer := make([]byte, 0, 8*bufferValues) // one for all chunks: the heap is full of values
	for chunk := range slices.Chunk(values, bufferValues) {
		buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, chunk) // numbers of known size: no error
		if _, err := to.Write(buffer); err != nil {
			return err
		}
	}
	if err := c.file.Sync(); err != nil {
		return err
	}
	_, err := c.file.WriteAt(binary.LittleEndian.AppendUint32(nil, sum.Sum32()), c.header.dataOffset()+4*int64(part))
	return err
}
