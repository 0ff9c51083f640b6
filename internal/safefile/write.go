// Package safefile writes files whole or not at all, lets one process at a time have a file, and
// hashes the contents of files.
package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Write writes a file whole or not at all, whatever happens: under a temporary name in the same
// folder, synced to disk, and only then renamed over the previous file, with its permissions.
// If write fails nothing is left behind, and its error is returned. A symbolic link is followed and
// its target replaced. A device is written directly.
func Write(name string, write func(io.Writer) error) error {
	f, err := createPartial(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Discard()
		return err
	}
	return f.Save()
}

// WriteBytes is [Write] of some bytes.
func WriteBytes(name string, content []byte) error {
	return Write(name, func(w io.Writer) error { _, err := w.Write(content); return err })
}

// partial is a file under a temporary name until it is complete and saved. The previous
// file of the name stays whole until then.
type partial struct {
	file *os.File
	name string // what the file will be called; "" for a device, written as it is
}

// createPartial begins a file. It removes temporary files of the same name left behind by killed
// processes, where locks prove that no process writes them.
func createPartial(name string) (*partial, error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := fs.FileMode(0o666)
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "write", Path: name, Err: errors.New("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &partial{file: file}, err
	case err == nil:
		mode = info.Mode().Perm()
	}
	removeLeftovers(name)
	file, err := createPart(name)
	if err != nil {
		return nil, (&partial{name: name}).rename(err)
	}
	if mode != 0o666 {
		if err := file.Chmod(mode); err != nil {
			return nil, errors.Join(err, file.Close(), os.Remove(file.Name()))
		}
	}
	return &partial{file, name}, nil
}

// Check finds out whether a file could be written under a name: whether its folder is
// there and takes files, and whether the name is one. A file there stays as it is.
func Check(name string) error {
	if len(filepath.Base(name)) > longestName {
		return &fs.PathError{Op: "write", Path: name, Err: errors.New("file name too long")}
	}
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // opening a pipe and closing it again would end its reader
	}
	f, err := createPartial(name)
	if err != nil {
		return err
	}
	return f.Discard()
}

// Write implements [io.Writer]. Its errors have the later name of the file.
func (f *partial) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	return n, f.rename(err)
}

// rename replaces the private name of the file in an error.
func (f *partial) rename(err error) error {
	if named, ok := errors.AsType[*fs.PathError](err); ok && f.name != "" {
		return &fs.PathError{Op: "write", Path: f.name, Err: named.Err}
	}
	return err
}

// Save completes the file, brings it to the disk and gives it its name. After an error
// nothing is left of it.
func (f *partial) Save() error {
	if f.name == "" {
		return f.file.Close()
	}
	err := f.file.Sync()
	// An open file cannot be renamed on Windows. Elsewhere it is locked until it has its name,
	// so no process removes it as a leftover.
	if runtime.GOOS == "windows" {
		err = errors.Join(err, f.file.Close())
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.name)
	}
	if err != nil {
		return errors.Join(f.rename(err), f.Discard())
	}
	if runtime.GOOS != "windows" {
		if err := f.file.Close(); err != nil {
			return err
		}
	}
	return syncFolder(filepath.Dir(f.name))
}

// Discard leaves no trace of the file.
func (f *partial) Discard() error {
	var err error
	if f.name != "" {
		err = os.Remove(f.file.Name())
	}
	closing := f.file.Close()
	if errors.Is(closing, os.ErrClosed) {
		closing = nil
	}
	if f.name != "" && err != nil && runtime.GOOS == "windows" {
		err = os.Remove(f.file.Name()) // open files stay there
	}
	return errors.Join(err, closing)
}

// syncFolder brings the names in a folder to the disk. Windows and web browsers have
// no such thing.
func syncFolder(name string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		return nil
	}
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Read reads a file of at most most bytes. A larger one is an error, detected early and without
// more memory.
func Read(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("%s: larger than %d MiB", name, most>>20)
	}
	return text, nil
}

// Parse reads a file by a function, and puts the file's name before the function's errors; those of the system have it.
// It rejects devices: /dev/zero has no end.
func Parse[T any](name string, read func(io.Reader) (T, error)) (content T, err error) {
	if info, err := os.Stat(name); err == nil && info.Mode()&fs.ModeDevice != 0 {
		return content, fmt.Errorf("%s: a device (want a file)", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return content, err
	}
	defer f.Close()
	content, err = read(f)
	if _, named := errors.AsType[*fs.PathError](err); err != nil && !named {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return content, err
}

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

// removeLeftovers removes parts of a file held by no living process. It leaves those it
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
