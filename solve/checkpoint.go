package solve

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"github.com/seed-09dcdc84/ur/internal/filelock"
)

// Checkpoint is a file that holds the layers a solution has finished, so that it can
// go on after the process was killed at any moment. Pairs of layers are appended one
// after another as records,
//
//	8 bytes  number of values n, little-endian
//	4 bytes  CRC-32C of these 8 bytes and of the values
//	8n bytes the values, float64, little-endian, in the order of the index
//
// behind a line of text that names the format. A record that was cut short or damaged
// is dropped with all that follow it. Since the layers of a smaller game come first,
// a checkpoint of one game serves any other.
type Checkpoint struct {
	file    *os.File
	end     int64 // of the last good record
	reading bool  // further records may follow

	queue chan []float64
	done  chan struct{}
	err   error // of the writer, read after done is closed
}

const checkpointMagic = "ur solve checkpoint 1\n"

// OpenCheckpoint opens the checkpoint at path, or makes an empty one. It is locked,
// where the operating system can do so, until [Solve] returns. A file there that is
// no checkpoint is an error and stays as it is.
func OpenCheckpoint(path string) (*Checkpoint, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{file: file, reading: true}
	if err := c.begin(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return c, nil
}

// begin locks the file and reads its first line, or writes it to a new file.
func (c *Checkpoint) begin() error {
	if err := filelock.Lock(c.file); err != nil {
		return fmt.Errorf("another process is solving with this checkpoint: %w", err)
	}
	magic := make([]byte, len(checkpointMagic))
	n, err := io.ReadFull(c.file, magic)
	switch {
	case err == nil && string(magic) == checkpointMagic:
		c.end = int64(n)
		return nil
	case (err == io.EOF || err == io.ErrUnexpectedEOF) && bytes.HasPrefix([]byte(checkpointMagic), magic[:n]):
		c.reading = false
		c.end = int64(len(checkpointMagic))
		_, err := c.file.WriteAt([]byte(checkpointMagic), 0)
		return err
	case err == nil || err == io.ErrUnexpectedEOF:
		return fmt.Errorf("not a checkpoint of ur solve: its first line is not %q", checkpointMagic[:len(checkpointMagic)-1])
	}
	return err
}

// Close gives up a checkpoint that was not passed to [Solve].
func (c *Checkpoint) Close() error { return c.file.Close() }

// take fills values from the next record and reports whether there was one. After the
// last it prepares to write.
func (c *Checkpoint) take(values []float64) bool {
	if c == nil || !c.reading {
		return false
	}
	n, err := readRecord(io.NewSectionReader(c.file, c.end, math.MaxInt64-c.end), values)
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

// finish waits for the writer, closes the file, and returns err or else what failed.
func (c *Checkpoint) finish(err error) error {
	if c.queue != nil {
		close(c.queue)
		<-c.done
		if c.err != nil && !errors.Is(err, c.err) { // put may have returned it
			err = errors.Join(err, fmt.Errorf("write checkpoint: %w", c.err))
		}
	}
	return errors.Join(err, c.file.Close())
}

// bufferValues is how many values are converted at a time.
const bufferValues = 1 << 15

func writeRecord(w io.Writer, values []float64) (int64, error) {
	var head [12]byte
	binary.LittleEndian.PutUint64(head[:8], uint64(len(values)))
	sum := crc32.Update(0, castagnoli, head[:8])
	buf := make([]byte, 8*bufferValues)
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

// encodeValues writes as many values to buf as it holds and returns what it wrote.
func encodeValues(buf []byte, values []float64) []byte {
	values = values[:min(len(values), len(buf)/8)]
	for i, v := range values {
		binary.LittleEndian.PutUint64(buf[8*i:], math.Float64bits(v))
	}
	return buf[:8*len(values)]
}

// readRecord fills values from a record of just that many and returns the number of
// bytes it read.
func readRecord(r io.Reader, values []float64) (int64, error) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, err
	}
	if n := binary.LittleEndian.Uint64(head[:]); n != uint64(len(values)) {
		return 0, fmt.Errorf("a record has %d values, not %d", n, len(values))
	}
	sum := crc32.Update(0, castagnoli, head[:8])
	buf := make([]byte, 8*bufferValues)
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
