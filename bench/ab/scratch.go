package ab

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"golang.org/x/mod/modfile"
)

// scratchPrefix begins the name of every scratch folder. Its run holds the lock of the name with
// lockSuffix.
const (
	scratchPrefix = "ur-ab-"
	lockSuffix    = ".lock"
)

// scratch is a run's working folder: the trees of both sides, test binaries, and files
// left by benchmarks. A run removes it at its end. After a killed run, the next run removes it.
type scratch struct {
	dir     string
	release func() error
}

// newScratch removes the folders of killed runs, and creates a new one. Runs on one module have the
// same place, unless they run at the same time: places are part of what the build cache keeps.
func newScratch(of string) (*scratch, error) {
	parent, err := filepath.EvalSymlinks(os.TempDir())
	if err == nil {
		of, err = filepath.Abs(of)
	}
	if err != nil {
		return nil, err
	}
	locks, _ := filepath.Glob(filepath.Join(parent, scratchPrefix+"*"+lockSuffix))
	for _, lock := range locks {
		if release, err := safefile.Hold(lock); err == nil { // a folder that stays does no harm
			_ = (&scratch{strings.TrimSuffix(lock, lockSuffix), release}).remove()
		}
	}
	const most = 100 // most folders at the same time
	for n := range most {
		sum := sha256.Sum256([]byte(moduleAbove(of)))
		s := &scratch{dir: filepath.Join(parent, fmt.Sprintf("%s%x-%d", scratchPrefix, sum[:6], n))}
		if s.release, err = safefile.Hold(s.dir + lockSuffix); err != nil {
			continue
		}
		if err = os.Mkdir(s.dir, 0o700); err == nil {
			return s, errors.Join(os.Mkdir(s.path("tmp"), 0o700), os.Mkdir(s.path("gotmp"), 0o700), s.checkPrograms())
		}
		s.release()
	}
	return nil, err
}

// checkPrograms rejects a folder whose programs cannot run.
func (s *scratch) checkPrograms() error {
	name := s.path("program")
	err := os.WriteFile(name, []byte("#!/bin/sh\n"), 0o700)
	if err == nil && errors.Is(exec.Command(name).Run(), fs.ErrPermission) {
		err = inputError("TMPDIR: programs cannot run in %s (want TMPDIR=FOLDER on a file system without the option noexec)",
			filepath.Dir(s.dir))
	}
	return err
}

// moduleAbove returns the path of a folder's module, shared by its clones and work trees; the folder
// without one.
func moduleAbove(folder string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		file, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if name := modfile.ModulePath(file); err == nil && name != "" {
			return name
		}
		if dir == filepath.Dir(dir) {
			return folder
		}
	}
}

// path returns a file's path in the folder.
func (s *scratch) path(names ...string) string {
	return filepath.Join(append([]string{s.dir}, names...)...)
}

// remove removes the folder, even if it contains read-only folders.
func (s *scratch) remove() error {
	err := os.RemoveAll(s.dir)
	if err != nil {
		filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				os.Chmod(path, 0o700)
			}
			return nil
		})
		err = os.RemoveAll(s.dir)
	}
	release := s.release
	s.release = func() error { return nil } // a second call has nothing to do
	return errors.Join(err, release())
}
