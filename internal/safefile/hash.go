package safefile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"maps"
	"slices"
)

// Hash hashes the contents of a file instead of its bytes: a file rewritten by another program,
// with other white space or in another order, keeps its hash. The length of each field precedes it, so different
// contents are different input.
type Hash struct {
	sum hash.Hash
	buf [8]byte
}

// NewHash returns a hash for a kind of file, such as "ur.net".
func NewHash(kind string) *Hash {
	h := &Hash{sum: sha256.New()}
	h.Text(kind)
	return h
}

// Number adds a number.
func (h *Hash) Number(n uint64) {
	binary.LittleEndian.PutUint64(h.buf[:], n)
	h.sum.Write(h.buf[:])
}

// Text adds a text. Invalid UTF-8 counts as U+FFFD, the replacement JSON writes.
func (h *Hash) Text(text string) {
	text = string([]rune(text))
	h.Number(uint64(len(text)))
	h.sum.Write([]byte(text))
}

// Map adds keys and values in the order of the keys.
func (h *Hash) Map(m map[string]string) {
	h.Number(uint64(len(m)))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		h.Text(key)
		h.Text(m[key])
	}
}

// String returns the first 8 bytes of the SHA-256 sum as 16 hexadecimal digits.
func (h *Hash) String() string { return hex.EncodeToString(h.sum.Sum(nil)[:8]) }
