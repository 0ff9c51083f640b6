package frame

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"golang.org/x/mod/modfile"
)

// ScratchPrefix begins the name of every scratch folder. Its run holds the lock of the name with
// lockSuffix.
const (
	ScratchPrefix = "ur-ab-"
	lockSuffix    = ".lock"
)

// Scratch is a run's working folder: the trees of both sides, test binaries, and files
// left by benchmarks. A run removes it at its end. After a killed run, the next run removes it.
type Scratch struct {
	Dir     string
	release func() error
}

// NewScratch removes the folders of killed runs, and creates a new one. Runs on one module have the
// same place, unless they run at the same time: places are part of what the build cache keeps.
func NewScratch(of string) (*Scratch, error) {
	parent, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return nil, InputErrorf("TMPDIR: %v (want TMPDIR=FOLDER)", err)
	}
	if of, err = filepath.Abs(of); err != nil {
		return nil, err
	}
	locks, _ := filepath.Glob(filepath.Join(parent, ScratchPrefix+"*"+lockSuffix))
	for _, lock := range locks {
		if release, err := safefile.Hold(lock); err == nil { // a folder that stays does no harm
			_ = (&Scratch{strings.TrimSuffix(lock, lockSuffix), release}).Remove()
		}
	}
	const most = 100 // most folders at the same time
	for n := range most {
		sum := sha256.Sum256([]byte(moduleAbove(of)))
		s := &Scratch{Dir: filepath.Join(parent, fmt.Sprintf("%s%x-%d", ScratchPrefix, sum[:6], n))}
		if s.release, err = safefile.Hold(s.Dir + lockSuffix); err != nil {
			continue
		}
		if err = os.Mkdir(s.Dir, 0o700); err == nil {
			return s, errors.Join(os.Mkdir(s.Path("tmp"), 0o700), os.Mkdir(s.Path("gotmp"), 0o700), s.checkPrograms())
		}
		s.release()
	}
	return nil, err
}

// checkPrograms rejects a folder whose programs cannot run.
func (s *Scratch) checkPrograms() error {
	name := s.Path("program")
	err := os.WriteFile(name, []byte("#!/bin/sh\n"), 0o700)
	if err == nil && errors.Is(exec.Command(name).Run(), fs.ErrPermission) {
		err = InputErrorf("TMPDIR: programs cannot run in %s (want TMPDIR=FOLDER on a file system without the option noexec)",
			filepath.Dir(s.Dir))
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

// Path returns a file's path in the folder.
func (s *Scratch) Path(names ...string) string {
	return filepath.Join(append([]string{s.Dir}, names...)...)
}

// Remove removes the folder, even if it contains read-only folders.
func (s *Scratch) Remove() error {
	err := os.RemoveAll(s.Dir)
	if err != nil {
		filepath.WalkDir(s.Dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				os.Chmod(path, 0o700)
			}
			return nil
		})
		err = os.RemoveAll(s.Dir)
	}
	release := s.release
	s.release = func() error { return nil } // a second call has nothing to do
	return errors.Join(err, release())
}

// CopyFile copies a program into new pages.
func CopyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	// Reading and writing: a copy made by the file system itself may share its pages.
	if _, err := io.Copy(struct{ io.Writer }{target}, struct{ io.Reader }{source}); err != nil {
		target.Close()
		return err
	}
	return target.Close()
}
