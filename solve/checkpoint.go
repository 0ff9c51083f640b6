package solve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// Checkpoint is a file of the finished layers of a solution, so solving can resume after the
// process was killed at any moment. Pairs of layers are appended one after another as records,
//
//	8 bytes  number of values n, little-endian
//	4 bytes  CRC-32C of these 8 bytes and of the values
//	8n bytes the values, float64, little-endian, in the order of the index
//
// after a line of text that names the format. A truncated or damaged record is dropped with all
// records after it. Since the layers of a smaller game come first, a checkpoint of one game
// serves any other.
type Checkpoint struct {
	rules   *board.Rules
	magic   string
	file    *os.File
	from    io.ReaderAt // the file
	end     int64       // of the last good record
	reading bool        // further records may follow

	queue chan []float64
	done  chan struct{}
	err   error // of the writer, read after done is closed
}

const checkpointMagic = "ur solve checkpoint 1"

// checkpointLine returns the first line of a checkpoint: for rules other than Finkel's with their
// name and the CRC-32C of their definition.
func checkpointLine(r *board.Rules) (string, error) {
	if r.Equal(board.Finkel()) {
		return checkpointMagic + "\n", nil
	}
	d := r.Definition()
	d.Pieces, d.Title, d.About = 1, "", "" // the same layers for any number of pieces
	text, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %08x\n", checkpointMagic, r.Name(), crc32.Checksum(text, castagnoli)), nil
}

// ErrCheckpointInUse reports that another process is solving with a checkpoint.
var ErrCheckpointInUse = errors.New("another process is solving with this checkpoint")

// OpenCheckpoint opens the checkpoint at path for a solution of a rule set with any number of
// pieces, or makes an empty one. It is locked, where the operating system supports locks, until it
// is closed or removed: to open it meanwhile gives an
// error that wraps [ErrCheckpointInUse]. A file there that is not a checkpoint is an error and
// stays unchanged.
func OpenCheckpoint(path string, r *board.Rules) (*Checkpoint, error) {
	magic, err := checkpointLine(r)
	if err != nil {
		return nil, err
	}
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		c := &Checkpoint{rules: r, magic: magic, file: file, from: file}
		err = c.begin()
		if err == nil && !safefile.Lost(file) {
			return c, nil
		}
		err = errors.Join(err, file.Close())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		// The process that held it has finished and removed it: the opened file is gone.
	}
}

// begin locks the file and reads its first line, or writes it to a new file.
func (c *Checkpoint) begin() error {
	switch err := safefile.Lock(c.file); {
	case errors.Is(err, safefile.ErrLocked):
		return ErrCheckpointInUse
	case err != nil:
		return err
	}
	fresh, err := c.readFirstLine()
	if fresh {
		_, err = c.file.WriteAt([]byte(c.magic), 0)
	}
	return err
}

// readFirstLine checks the first line and finds where records begin. It reports whether
// there is none yet: whether the file is empty, or ends in the middle of the line.
func (c *Checkpoint) readFirstLine() (fresh bool, err error) {
	magic := make([]byte, len(c.magic))
	n, err := c.from.ReadAt(magic, 0)
	c.end = int64(len(c.magic))
	switch {
	case n == len(magic) && string(magic) == c.magic:
		c.reading = true
		return false, nil
	case err == io.EOF && bytes.HasPrefix([]byte(c.magic), magic[:n]):
		return true, nil
	case n == len(magic) || err == io.EOF:
		return false, fmt.Errorf("not a checkpoint of ur solve for these rules (want the first line %q)", c.magic[:len(c.magic)-1])
	}
	return false, err
}

// Close ends the use of a checkpoint. The file stays, so another run can continue from it.
func (c *Checkpoint) Close() error { return c.file.Close() }

// Remove closes a checkpoint and removes its file, when its solution has been saved. The lock
// excludes other users until then.
func (c *Checkpoint) Remove() error { return safefile.RemoveLocked(c.file) }

// take fills values from the next record and reports whether there was one. After the
// last it prepares to write.
func (c *Checkpoint) take(values []float64) bool {
	if c == nil || !c.reading {
		return false
	}
	n, err := readRecord(io.NewSectionReader(c.from, c.end, math.MaxInt64-c.end), values)
	if err != nil {
		c.reading = false
		return false
	}
	c.end += n
	return true
}

// put appends values as a record. Writing goes on while the solver does; the values
// must not change any more. An error may be one of an earlier record.
func (c *Checkpoint) put(values []float64) error {
	if c == nil {
		return nil
	}
	if c.queue == nil {
		c.startWriter()
	}
	select {
	case <-c.done:
		return fmt.Errorf("write checkpoint: %w", c.err)
	case c.queue <- values:
		return nil
	}
}

// startWriter cuts the file behind the last good record and starts to append to it.
func (c *Checkpoint) startWriter() {
	c.queue = make(chan []float64, 1)
	c.done = make(chan struct{})
	go func() {
		defer close(c.done)
		if c.err = c.file.Truncate(c.end); c.err != nil {
			return
		}
		for values := range c.queue {
			var n int64
			if n, c.err = writeRecord(io.NewOffsetWriter(c.file, c.end), values); c.err == nil {
				c.err = c.file.Sync()
			}
			if c.err != nil {
				return
			}
			c.end += n
		}
	}()
}

// finish waits for the writer and returns err joined with any write error.
func (c *Checkpoint) finish(err error) error {
	if c.queue != nil {
		close(c.queue)
		<-c.done
		c.queue = nil
		if c.err != nil && !errors.Is(err, c.err) { // put may have returned it
			err = errors.Join(err, fmt.Errorf("write checkpoint: %w", c.err))
		}
	}
	return err
}

// bufferValues is how many values are converted at a time.
const bufferValues = 1 << 15

func writeRecord(w io.Writer, values []float64) (int64, error) {
	var head [12]byte
	binary.LittleEndian.PutUint64(head[:8], uint64(len(values)))
	sum := crc32.Update(0, castagnoli, head[:8])
	buf := make([]byte, 8*min(bufferValues, len(values)))
	for rest := values; len(rest) > 0; rest = rest[min(len(rest), bufferValues):] {
		sum = crc32.Update(sum, castagnoli, encodeValues(buf, rest))
	}
	binary.LittleEndian.PutUint32(head[8:], sum)
	if _, err := w.Write(head[:]); err != nil {
		return 0, err
	}
	for rest := values; len(rest) > 0; rest = rest[min(len(rest), bufferValues):] {
		if _, err := w.Write(encodeValues(buf, rest)); err != nil {
			return 0, err
		}
	}
	return int64(len(head) + 8*len(values)), nil
}

// encodeValues fills buf with values and returns the bytes written.
func encodeValues(buf []byte, values []float64) []byte {
	values = values[:min(len(values), len(buf)/8)]
	for i, v := range values {
		binary.LittleEndian.PutUint64(buf[8*i:], math.Float64bits(v))
	}
	return buf[:8*len(values)]
}

// readRecord fills values from a record of exactly that length and returns the number of bytes
// it read.
func readRecord(r io.Reader, values []float64) (int64, error) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, err
	}
	if n := binary.LittleEndian.Uint64(head[:]); n != uint64(len(values)) {
		return 0, fmt.Errorf("a record has %d values, not %d", n, len(values))
	}
	sum := crc32.Update(0, castagnoli, head[:8])
	buf := make([]byte, 8*min(bufferValues, len(values)))
	for rest := values; len(rest) > 0; {
		n := min(len(rest), bufferValues)
		if _, err := io.ReadFull(r, buf[:8*n]); err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, castagnoli, buf[:8*n])
		for i := range n {
			rest[i] = math.Float64frombits(binary.LittleEndian.Uint64(buf[8*i:]))
		}
		rest = rest[n:]
	}
	if want := binary.LittleEndian.Uint32(head[8:]); sum != want {
		return 0, fmt.Errorf("a record has checksum %08x, not %08x", sum, want)
	}
	return int64(len(head) + 8*len(values)), nil
}
