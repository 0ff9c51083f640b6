package eval

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"golang.org/x/sync/errgroup"
)

// magic begins a weights file; its last digit is the version.
const magic = "RVWEIGHTS3\n"

// Write writes weights in their compact format: after the magic a checksum over the rest, each
// stage's length, and the stages. Each is compressed by itself, so that readers unpack them at the
// same time: the weights not equal by symmetry, in their order, with runs of zeros encoded by their
// length.
func (w *Weights) Write(to io.Writer) error {
	var lengths []byte
	var packed bytes.Buffer
	for s := range w.stages {
		before := packed.Len()
		z, err := flate.NewWriter(&packed, flate.BestCompression)
		if err == nil {
			_, err = z.Write(rawStage(&w.stages[s][0]))
			err = errors.Join(err, z.Close())
		}
		if err != nil {
			return err
		}
		lengths = binary.LittleEndian.AppendUint32(lengths, uint32(packed.Len()-before))
	}
	rest := append(lengths, packed.Bytes()...)
	head := binary.LittleEndian.AppendUint32([]byte(magic), crc32.ChecksumIEEE(rest))
	_, err := to.Write(append(head, rest...))
	return err
}

// rawStage returns a stage's bytes before their compression.
func rawStage(t *table) []byte {
	var raw []byte
	zeros := 0
	for _, i := range folded().own {
		v := t[i]
		if v == 0 {
			zeros++
			continue
		}
		raw = appendWeight(raw, zeros, v)
		zeros = 0
	}
	return appendWeight(raw, zeros, 0)
}

// appendWeight appends a run of zeros and the weight behind it; a weight 0 ends
// a stage.
func appendWeight(raw []byte, zeros int, v int8) []byte {
	for ; zeros > 0; zeros -= min(zeros, 64) {
		raw = append(raw, byte(191+min(zeros, 64))) // 192 to 255
	}
	if -95 <= v && v <= 95 {
		return append(raw, byte(v+95)) // 0 to 190
	}
	return append(raw, 191, byte(v))
}

// readWeights reads what Write writes.
func readWeights(from io.Reader) (*Weights, error) {
	// No weights need more than 16 MB: a larger file is not a weights file.
	file, err := io.ReadAll(io.LimitReader(from, 16<<20))
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok || len(rest) < 4 {
		return nil, errors.New("weights: invalid file (want one of reversi train, which begins with RVWEIGHTS3)")
	}
	sum, rest := binary.LittleEndian.Uint32(rest), rest[4:]
	if len(rest) < 4*Stages || crc32.ChecksumIEEE(rest) != sum {
		return nil, errors.New("weights: the file is damaged or cut short: its checksum differs")
	}
	var (
		w      = new(Weights)
		packed = rest[4*Stages:]
		stages errgroup.Group
	)
	for s := range w.stages {
		n := binary.LittleEndian.Uint32(rest[4*s:])
		if uint64(n) > uint64(len(packed)) {
			return nil, fmt.Errorf("weights: stage %d: %d bytes (want at most the %d of the rest of the file)", s, n, len(packed))
		}
		stage := packed[:n]
		packed = packed[n:]
		stages.Go(func() error {
			if err := readStage(stage, &w.stages[s][0]); err != nil {
				return fmt.Errorf("weights: stage %d: %w", s, err)
			}
			w.complete(s)
			return nil
		})
	}
	if err := stages.Wait(); err != nil {
		return nil, err
	}
	if len(packed) > 0 {
		return nil, fmt.Errorf("weights: %d bytes after the last stage", len(packed))
	}
	return w, nil
}

// readStage unpacks a stage's own weights.
func readStage(packed []byte, to *table) error {
	const most = 2*WeightsPerStage + 2 // a byte more than there may be
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), most))
	if err != nil {
		return err
	}
	own := folded().own
	for i := 0; i < len(raw); i++ {
		b := raw[i]
		v := int8(b - 95)
		switch {
		case b >= 192:
			n := int(b) - 191
			if n > len(own) {
				return errTooMany
			}
			own = own[n:]
			continue
		case b == 191:
			if i++; i == len(raw) {
				return io.ErrUnexpectedEOF
			}
			v = int8(raw[i])
		case v == 0:
			if i+1 < len(raw) {
				return errors.New("bytes after the last weight")
			}
			return nil
		}
		if len(own) == 0 {
			return errTooMany
		}
		to[own[0]] = v
		own = own[1:]
	}
	return io.ErrUnexpectedEOF
}

var errTooMany = errors.New("more weights than there are")

// Open reads weights from a file.
func Open(name string) (*Weights, error) { return safefile.Parse(name, readWeights) }

//go:embed weights.bin
var builtIn []byte

// Learned returns the built-in weights, learned by "reversi train" from self-play. They
// are unpacked at the first call and shared by all.
var Learned = sync.OnceValues(func() (*Weights, error) { return readWeights(bytes.NewReader(builtIn)) })

// LearnedSum returns a hash over the built-in weights.
func LearnedSum() string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(builtIn)) }
