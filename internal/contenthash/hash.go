// Package contenthash hashes the contents of a file, not its bytes: a file that another
// program wrote again in another order or with other white space keeps its hash.
package contenthash

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"maps"
	"slices"
)

// Hash collects the contents of a file. Every field is preceded by its length, so that
// different contents are different input.
type Hash struct {
	sum hash.Hash
	buf [8]byte
}

// New returns a hash for a kind of file, such as "ur.net".
func New(kind string) *Hash {
	h := &Hash{sum: sha256.New()}
	h.Text(kind)
	return h
}

// Number adds a number.
func (h *Hash) Number(n uint64) {
	binary.LittleEndian.PutUint64(h.buf[:], n)
	h.sum.Write(h.buf[:])
}

// Text adds a text. Bytes that are not UTF-8 count as U+FFFD, as JSON writes them.
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
