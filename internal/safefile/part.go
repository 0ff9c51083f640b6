package safefile

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A file being written is called NAME.RANDOM.part. The name is unique, so two programs that
// write the same file do not mix their contents, and the file is locked, which distinguishes
// the leftovers of a killed process from a file being written.
const (
	partEnd     = ".part"
	randomWidth = 13  // digits of 64 random bits to the base 36
	longestName = 255 // bytes, of most file systems
)

// partPrefix returns the part before the random digits, truncated to keep the whole name valid.
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
		err = Lock(file)
		if err == nil && !lostName(file) {
			return file, nil
		}
		file.Close()
		os.Remove(part)
		if err != nil && !errors.Is(err, ErrLocked) {
			return nil, err
		}
		// Before it was locked, another process removed it as a leftover.
	}
}

// removeLeftovers removes parts of a file that no living process holds. It leaves those it
// cannot inspect or remove: they do no harm.
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

// isRandom reports whether text could be a part's random digits.
func isRandom(text string) bool {
	return len(text) == randomWidth && strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// removeLeftover removes a part unless a process holds it.
func removeLeftover(part string) {
	file, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if lockFile(file) == nil && !lostName(file) { // a nil error means a lock, unlike that of [Lock]
		os.Remove(part)
	}
}
