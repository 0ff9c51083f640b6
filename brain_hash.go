package ur

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Hash returns 16 hexadecimal digits that identify the brain: the first 8 bytes of the SHA-256
// sum of the weights, two bytes each, little-endian. It depends on nothing but the weights, and
// appears in the header of saved brains and in logs.
func (b *Brain) Hash() string {
	var text [2 * Weights]byte
	for i, w := range b {
		binary.LittleEndian.PutUint16(text[2*i:], uint16(w))
	}
	sum := sha256.Sum256(text[:])
	return hex.EncodeToString(sum[:8])
}
