package valuenet

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
)

// Hash returns 16 hexadecimal digits that distinguish nets: the first 8 bytes of a SHA-256 sum.
// It covers the text of the shape and, layer by layer, the little-endian bits of the weights
// and biases. The form of the file and its metadata do not matter.
func (n *Net) Hash() string {
	sum := sha256.New()
	fmt.Fprintln(sum, n.Shape)
	for _, layer := range n.Layers {
		for _, numbers := range [][]float32{layer.Weights, layer.Bias} {
			data := make([]byte, 0, 4*len(numbers))
			for _, x := range numbers {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
			}
			sum.Write(data)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
