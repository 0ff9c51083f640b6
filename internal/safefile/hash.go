package safefile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
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

// checkedLine is a line of data with a checksum, which shows damage.
type checkedLine struct {
	CRC  string          `json:"crc"` // CRC-32C of the bytes of data, as 8 hexadecimal digits
	Data json.RawMessage `json:"data"`
}

// ErrLine reports an incomplete or damaged line, or one of another form.
var ErrLine = errors.New("incomplete or damaged line")

// MarshalLine returns some data as a line {"crc":"xxxxxxxx","data":...} with their checksum.
func MarshalLine(data any) ([]byte, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(checkedLine{lineSum(text), text})
	return append(line, '\n'), err
}

// UnmarshalLine returns the data of a line of [MarshalLine], or [ErrLine].
func UnmarshalLine(line []byte) (json.RawMessage, error) {
	var l checkedLine
	if len(line) == 0 || line[len(line)-1] != '\n' || json.Unmarshal(line, &l) != nil || lineSum(l.Data) != l.CRC {
		return nil, ErrLine
	}
	return l.Data, nil
}

func lineSum(data []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}
