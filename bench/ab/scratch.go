package ab

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// scratchPrefix begins the name of every scratch folder.
const scratchPrefix = "ur-ab-"

// lockName is the lock file of a scratch folder, held by its run.
const lockName = "lock"

// scratch is the working folder of a run: the trees of both sides, test binaries, and files
// left by benchmarks. A run removes it at its end. After a killed run, the next run removes it.
type scratch struct {
	dir  string
	lock *os.File
}

// newScratch removes the folders of killed runs, and creates a new one. Runs in one folder have the
// same place, unless they run at the same time: places are part of what the build cache keeps.
func newScratch(of string) (*scratch, error) {
	parent, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return nil, err
	}
	removeLeftovers(parent)
	if of, err = filepath.Abs(of); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(of))
	dir := filepath.Join(parent, fmt.Sprintf("%s%x", scratchPrefix, sum[:6]))
	if err := os.Mkdir(dir, 0o700); err != nil {
		if dir, err = os.MkdirTemp(parent, scratchPrefix); err != nil {
			return nil, err
		}
	}
	s := &scratch{dir: dir}
	if s.lock, err = os.OpenFile(s.path(lockName), os.O_CREATE|os.O_RDWR, 0o600); err == nil {
		err = safefile.Lock(s.lock)
	}
	if err == nil {
		err = os.Mkdir(s.path("tmp"), 0o700)
	}
	if err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

// path returns the path of a file in the folder.
func (s *scratch) path(names ...string) string {
	return filepath.Join(append([]string{s.dir}, names...)...)
}

// remove removes the folder. The lock goes last, so no other run takes the folder for a leftover.
func (s *scratch) remove() error {
	err := removeTree(s.dir)
	if s.lock != nil {
		s.lock.Close()
	}
	return err
}

// removeLeftovers removes the scratch folders of ended runs. Files it cannot remove stay and do
// no harm.
func removeLeftovers(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, entry := range entries {
		dir := filepath.Join(parent, entry.Name())
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), scratchPrefix) {
			continue
		}
		if lock, ok := deadLock(dir); ok {
			removeTree(dir)
			if lock != nil {
				lock.Close()
			}
		}
	}
}

// deadLock reports whether the run of a scratch folder has ended, and then holds its lock. A
// folder without a lock may be in creation.
func deadLock(dir string) (*os.File, bool) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		info, err := os.Stat(dir)
		return nil, err == nil && time.Since(info.ModTime()) > time.Minute
	}
	if err != nil {
		return nil, false
	}
	if safefile.Lock(f) != nil {
		f.Close()
		return nil, false
	}
	return f, true
}

// removeTree removes a folder even if it contains read-only folders.
func removeTree(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
