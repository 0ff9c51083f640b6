package wholefile

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/filelock"
)

// A file being written is called NAME.RANDOM.part. The name is nobody else's, so that
// two programs that write the same file do not write into each other's, and the file is
// locked, so that what a killed process leaves behind can be told from what a living one
// is writing.
const (
	partEnd     = ".part"
	randomWidth = 13  // digits of 64 random bits to the base 36
	longestName = 255 // bytes, of most file systems
)

// partPrefix returns the part before the random digits. A long name is cut short so that
// the whole is none too long.
func partPrefix(name string) string {
	folder, base := filepath.Split(name)
	if most := longestName - len(".") - randomWidth - len(partEnd); len(base) > most {
		base = strings.ToValidUTF8(base[:most], "")
	}
	return folder + base + "."
}

// createPart makes and locks a new part of a file.
func createPart(name string) (*os.File, error) {
	for {
		digits := strconv.FormatUint(rand.Uint64(), 36)
		part := partPrefix(name) + strings.Repeat("0", randomWidth-len(digits)) + digits + partEnd
		file, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if err != nil {
			return nil, err
		}
		err = filelock.Lock(file)
		if err == nil && !filelock.Lost(file) {
			return file, nil
		}
		file.Close()
		os.Remove(part)
		if err != nil && !errors.Is(err, filelock.ErrLocked) {
			return nil, err
		}
		// Before it was locked, somebody took it for a leftover.
	}
}

// removeLeftovers removes parts of a file that no living process holds. What cannot be
// looked at or removed stays: it is in nobody's way.
func removeLeftovers(name string) {
	prefix := partPrefix(name)
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return
	}
	for _, entry := range entries {
		digits, isPart := strings.CutPrefix(entry.Name(), filepath.Base(prefix))
		digits, ends := strings.CutSuffix(digits, partEnd)
		if isPart && ends && isRandom(digits) && entry.Type().IsRegular() {
			removeLeftover(filepath.Join(filepath.Dir(name), entry.Name()))
		}
	}
}

// isRandom reports whether text could be the random digits of a part.
func isRandom(text string) bool {
	return len(text) == randomWidth && strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// removeLeftover removes a part unless somebody holds it.
func removeLeftover(part string) {
	file, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if filelock.LockSurely(file) == nil && !filelock.Lost(file) {
		os.Remove(part)
	}
}
