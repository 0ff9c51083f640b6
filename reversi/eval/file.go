package eval

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// magic begins a file of weights; its last digit is the version.
const magic = "RVWEIGHTS2\n"

// Write writes weights in their compact format: after the magic a checksum of the rest, then,
// compressed, for every stage the weights not equal by symmetry, in their order and in steps of
// an eighth of a disc, with runs of zeros encoded by their length.
func (w *Weights) Write(to io.Writer) error {
	var packed bytes.Buffer
	z, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return err
	}
	var raw []byte
	for s := range w.stages {
		zeros := uint64(0)
		for _, i := range folded().own {
			v := int64(w.stages[s][0][i]) / quantum
			if v == 0 {
				zeros++
				continue
			}
			raw = appendWeight(raw, zeros, v)
			zeros = 0
		}
		raw = appendWeight(raw, zeros, 0)
	}
	if _, err := z.Write(raw); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	sum := binary.LittleEndian.AppendUint32([]byte(magic), crc32.ChecksumIEEE(packed.Bytes()))
	if _, err := to.Write(sum); err != nil {
		return err
	}
	_, err = to.Write(packed.Bytes())
	return err
}

// quantum is the step of weights in a file: an eighth of a disc. 46 roundings to it add
// an error of a quarter of a disc, where the evaluation errs by some four.
const quantum = Disc / 8

// appendWeight appends a run of zeros and the weight behind it; a weight of 0 is the end
// of a stage.
func appendWeight(raw []byte, zeros uint64, v int64) []byte {
	for ; zeros > 0; zeros -= min(zeros, 64) {
		raw = append(raw, byte(191+min(zeros, 64))) // 192 to 255
	}
	if -95 <= v && v <= 95 {
		return append(raw, byte(v+95)) // 0 to 190
	}
	return binary.AppendVarint(append(raw, 191), v)
}

// ReadWeights reads the output of Write.
func ReadWeights(from io.Reader) (*Weights, error) {
	head := make([]byte, len(magic)+4)
	if _, err := io.ReadFull(from, head); err != nil || string(head[:len(magic)]) != magic {
		return nil, errors.New("weights: invalid file (want one of reversi train, which begins with RVWEIGHTS2)")
	}
	// No weights need more than 16 MB: a larger file is not a weights file.
	packed, err := io.ReadAll(io.LimitReader(from, 16<<20))
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	if crc32.ChecksumIEEE(packed) != binary.LittleEndian.Uint32(head[len(magic):]) {
		return nil, errors.New("weights: the file is damaged or cut short: its checksum differs")
	}
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxRaw+1))
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	w := new(Weights)
	for s := range w.stages {
		if raw, err = readStage(raw, &w.stages[s][0]); err != nil {
			return nil, fmt.Errorf("weights: stage %d: %w", s, err)
		}
	}
	if len(raw) > 0 {
		return nil, fmt.Errorf("weights: %d bytes after the last stage", len(raw))
	}
	w.complete()
	return w, nil
}

// maxRaw bounds the bytes of unpacked weights: one of the worst takes four.
const maxRaw = 4 * weightsPerStage * Stages

// readStage reads the own weights of a stage and returns the bytes after them.
func readStage(raw []byte, to *table) ([]byte, error) {
	own := folded().own
	for len(raw) > 0 {
		b := raw[0]
		raw = raw[1:]
		v := int64(b) - 95
		switch {
		case b >= 192:
			n := int(b) - 191
			if n > len(own) {
				return nil, errTooMany
			}
			own = own[n:]
			continue
		case b == 191:
			long, n := binary.Varint(raw)
			if n <= 0 || long < -Max || long > Max {
				return nil, errors.New("invalid weight")
			}
			v, raw = long, raw[n:]
		case v == 0:
			return raw, nil
		}
		if len(own) == 0 {
			return nil, errTooMany
		}
		to[own[0]] = int16(max(-Max, min(Max, v*quantum)))
		own = own[1:]
	}
	return nil, io.ErrUnexpectedEOF
}

var errTooMany = errors.New("more weights than there are")
