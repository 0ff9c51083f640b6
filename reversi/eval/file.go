package eval

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// magic begins a file of weights; its last digit is the version.
const magic = "RVWEIGHTS1\n"

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
		for i, twin := range patterns.twin {
			if int(twin) != i {
				continue
			}
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
		return nil, errors.New("weights: this is no file of weights of Reversi: it does not begin with RVWEIGHTS1")
	}
	// No weights need more than 16 MB: a larger file is not a weights file.
	packed, err := io.ReadAll(io.LimitReader(from, 16<<20))
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	if crc32.ChecksumIEEE(packed) != binary.LittleEndian.Uint32(head[len(magic):]) {
		return nil, errors.New("weights: the file is damaged or cut short: its checksum differs")
	}
	raw := bufio.NewReader(flate.NewReader(bytes.NewReader(packed)))
	var stages [Stages][]float32
	for s := range stages {
		stages[s] = make([]float32, weightsPerStage)
		if err := readStage(raw, stages[s]); err != nil {
			return nil, fmt.Errorf("weights: stage %d: %w", s, err)
		}
	}
	return NewWeights(&stages), nil
}

func readStage(raw *bufio.Reader, weights []float32) error {
	for i := 0; ; {
		b, err := raw.ReadByte()
		if err != nil {
			return err
		}
		v := int64(b) - 95
		switch {
		case b >= 192 && i >= weightsPerStage:
			return errors.New("more weights than there are")
		case b >= 192:
			i = skip(i, int(b)-191)
			continue
		case b == 191:
			if v, err = binary.ReadVarint(raw); err != nil {
				return err
			}
		case v == 0:
			return nil
		}
		i = skip(i, 0)
		if i >= weightsPerStage {
			return errors.New("more weights than there are")
		}
		weights[i] = float32(v * quantum)
		i++
	}
}

// skip passes over n own weights from i on, and the shared ones between them.
func skip(i, own int) int {
	for ; i < weightsPerStage; i++ {
		if int(patterns.twin[i]) != i {
			continue
		}
		if own == 0 {
			return i
		}
		own--
	}
	return i
}
