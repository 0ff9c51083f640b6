package solve

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/seed-09dcdc84/ur/board"
)

// fingerprints is how many values a fingerprint looks at.
const fingerprints = 4096

// Fingerprint returns 16 hexadecimal digits that identify a table's values in games of a number
// of pieces: the first 8 bytes of the SHA-256 sum of 4096 values, at randomly drawn ranks, the
// same for every table. Two files with the same values, rounded alike, have the same
// fingerprint. Different tables have different ones unless they differ in a few positions only.
func Fingerprint(t Ranked, pieces int) string {
	n := uint64(t.Index().Positions(pieces))
	sum := sha256.New()
	var bytes [8]byte
	for i := range uint64(fingerprints) {
		rank := board.DiceWord(n, i) % n
		binary.LittleEndian.PutUint64(bytes[:], math.Float64bits(t.At(int(rank))))
		sum.Write(bytes[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
