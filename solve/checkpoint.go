package solve

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
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Checkpoint is an unfinished .urt file of doubles, so solving can resume after the process was
// killed at any moment. Between the header and the values of the finished pairs of layers, in the
// order of the index, is a page with the checksums of these pairs, CRC-32C; that of an unfinished
// pair is 0.
type Checkpoint struct {
	header
	pairs   []layer // (a, b), a <= b, for the layers (a, b) and (b, a)
	file    *os.File
	sound   int  // the number of pairs that can be read
	written int  // those with a checksum
	begun   bool // the file has its header
}

// ErrCheckpointInUse reports that another process is solving with a checkpoint.
var ErrCheckpointInUse = errors.New("another process is solving with this checkpoint")

func newCheckpoint(r *board.Rules) (*Checkpoint, error) {
	x, err := IndexOf(r)
	if err != nil {
		return nil, err
	}
	h, err := newHeader(x, r.Pieces(), Float64, text.Object{{Name: "unfinished", Value: []byte("true")}})
	if err != nil {
		return nil, err
	}
	return &Checkpoint{header: *h, pairs: x.pairs(r.Pieces())}, nil
}

// OpenCheckpoint opens the checkpoint at path for the solution of a rule set with its number of
// pieces, or makes an empty one; it is empty, too, if fresh is set. It is locked, where the operating
// system supports locks, until it is closed or removed: to open it meanwhile gives an error that
// wraps [ErrCheckpointInUse]. Another file there is an error unless fresh is set, and stays unchanged.
func OpenCheckpoint(path string, r *board.Rules, fresh bool) (*Checkpoint, error) {
	c, err := newCheckpoint(r)
	if err != nil {
		return nil, err
	}
	c.file, err = safefile.OpenLocked(path)
	switch {
	case errors.Is(err, safefile.ErrLocked):
		return nil, fmt.Errorf("%s: %w", path, ErrCheckpointInUse)
	case err != nil:
		return nil, err
	}
	if fresh {
		err = c.file.Truncate(0)
	} else {
		err = c.read()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), c.file.Close())
	}
	return c, nil
}

// read compares the header and counts the sound pairs.
func (c *Checkpoint) read() error {
	want := c.encode()
	head := make([]byte, len(want)+4*len(c.pairs))
	n, err := c.file.ReadAt(head, 0)
	switch {
	case err != nil && err != io.EOF:
		return err
	case !bytes.HasPrefix(want, head[:min(n, len(want))]):
		return errors.New("not a checkpoint of this game (want that of an interrupted run with the same rules and pieces)")
	case n < len(want):
		return nil // it ends before the first pair
	}
	c.begun = true
	for ; c.written < len(c.pairs); c.written++ {
		sum := binary.LittleEndian.Uint32(head[len(want)+4*c.written:])
		if sum == 0 {
			break
		}
		got, values := crc32.New(castagnoli()), c.values(c.written)
		if n, err := io.Copy(got, values); c.sound == c.written && err == nil && n == values.Size() && got.Sum32() == sum {
			c.sound++ // as all before it are
		}
	}
	return nil
}

// values returns the part of the file with the values of a pair.
func (c *Checkpoint) values(pair int) *io.SectionReader {
	first, n := c.index.pairAt(c.pairs[pair])
	return io.NewSectionReader(c.file, c.valueOffset(first), 8*int64(n))
}

// Layers returns how many pairs of layers the checkpoint had when it was opened, and how many of
// them, from the first on, are sound. Only these are used.
func (c *Checkpoint) Layers() (sound, written int) { return c.sound, c.written }

func (c *Checkpoint) sumOffset(pair int) int64   { return c.dataOffset() + 4*int64(pair) }
func (c *Checkpoint) valueOffset(rank int) int64 { return c.dataOffset() + pageSize + 8*int64(rank) }

// Close ends the use of a checkpoint. The file stays if it has a pair of layers, so another run can
// continue from it.
func (c *Checkpoint) Close() error {
	if !c.begun {
		return c.Remove()
	}
	return c.file.Close()
}

// Remove closes a checkpoint and removes its file, when its solution has been saved. The lock
// excludes other users until then.
func (c *Checkpoint) Remove() error {
	c.begun = true // Close must not remove the file of another process
	return safefile.RemoveLocked(c.file)
}

// bufferValues is how many values are converted at a time.
const bufferValues = 1 << 15

// take fills in the values of a pair and reports whether the checkpoint has it.
func (c *Checkpoint) take(number int, values []float64) bool {
	if c == nil || number >= c.sound {
		return false
	}
	in := c.values(number)
	buffer := make([]byte, 8*bufferValues)
	for part := range slices.Chunk(values, bufferValues) {
		if _, err := io.ReadFull(in, buffer[:8*len(part)]); err != nil {
			c.sound = number
			return false
		}
		binary.Decode(buffer, binary.LittleEndian, part) // numbers of known size: no error
	}
	return true
}

// write writes a pair, and its checksum when the values are on the disk.
func (c *Checkpoint) write(number int, values []float64) error {
	if !c.begun {
		if _, err := c.file.WriteAt(c.encode(), 0); err != nil {
			return err
		}
		c.begun = true
	}
	first, _ := c.index.pairAt(c.pairs[number])
	sum := crc32.New(castagnoli())
	to := io.MultiWriter(sum, io.NewOffsetWriter(c.file, c.valueOffset(first)))
	buffer := make([]byte, 0, 8*bufferValues) // one for all parts: the heap is full of values
	for part := range slices.Chunk(values, bufferValues) {
		buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, part) // of known size, too
		if _, err := to.Write(buffer); err != nil {
			return err
		}
	}
	if err := c.file.Sync(); err != nil {
		return err
	}
	_, err := c.file.WriteAt(binary.LittleEndian.AppendUint32(nil, sum.Sum32()), c.sumOffset(number))
	return err
}
