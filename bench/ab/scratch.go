package ab

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/filelock"
)

// scratchPrefix begins the name of every scratch folder.
const scratchPrefix = "ur-ab-"

// lockName is the file of a scratch folder that its run keeps locked.
const lockName = "lock"

// scratch is the folder that a run works in: the trees of both sides, test binaries,
// and what benchmarks leave in theirs. A run removes it at its end; when the run was
// killed, the next one does.
type scratch struct {
	dir  string
	lock *os.File
}

// newScratch removes what killed runs left behind, and makes a folder.
func newScratch() (*scratch, error) {
	parent, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return nil, err
	}
	removeLeftovers(parent)
	dir, err := os.MkdirTemp(parent, scratchPrefix)
	if err != nil {
		return nil, err
	}
	s := &scratch{dir: dir}
	if s.lock, err = os.OpenFile(s.path(lockName), os.O_CREATE|os.O_RDWR, 0o600); err == nil {
		err = filelock.Lock(s.lock)
	}
	if err == nil {
		err = os.Mkdir(s.path("tmp"), 0o700)
	}
	if err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

// path is that of something in the folder.
func (s *scratch) path(names ...string) string {
	return filepath.Join(append([]string{s.dir}, names...)...)
}

// id names the run: processes that it starts have it in their environment.
func (s *scratch) id() string { return filepath.Base(s.dir) }

// remove ends the run's processes that are still there, and removes the folder. The
// lock goes last, so that nobody else takes it for a leftover.
func (s *scratch) remove() error {
	killMarked(s.id())
	err := removeTree(s.dir)
	if s.lock != nil {
		s.lock.Close()
	}
	return err
}

// removeLeftovers removes the scratch folders whose runs are no more. What cannot be
// removed stays; it is in nobody's way.
func removeLeftovers(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, entry := range entries {
		dir := filepath.Join(parent, entry.Name())
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), scratchPrefix) || !isMine(dir) {
			continue
		}
		if lock, ok := deadLock(dir); ok {
			killMarked(entry.Name())
			removeTree(dir)
			if lock != nil {
				lock.Close()
			}
		}
	}
}

// deadLock reports whether the run of a scratch folder is no more, and holds its lock
// then. A folder that has no lock yet may be in the making.
func deadLock(dir string) (*os.File, bool) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		info, err := os.Stat(dir)
		return nil, err == nil && time.Since(info.ModTime()) > time.Minute
	}
	if err != nil {
		return nil, false
	}
	if filelock.Lock(f) != nil {
		f.Close()
		return nil, false
	}
	return f, true
}

// removeTree removes a folder in which others may have made folders that cannot be
// written to.
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
