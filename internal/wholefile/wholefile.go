// Package wholefile writes files whole or not at all.
package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// Write writes a file whole or not at all, whatever happens: it is written under
// a temporary name in the same folder, brought to the disk, and only then takes the
// name from what was there before. When write fails nothing is left behind, and its
// error is returned.
//
// Of a symbolic link, what it points to is replaced. A device is written as it is.
func Write(name string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: name, Err: errors.New("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		return writeDevice(name, write)
	}
	// The name is nobody else's, so that two programs that write the same file do
	// not write into each other's.
	part := name + "." + strconv.FormatUint(rand.Uint64(), 36) + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if err = complete(f, write); err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return syncFolder(filepath.Dir(name))
}

// complete writes a file, brings it to the disk and closes it in any case.
func complete(f *os.File, write func(io.Writer) error) error {
	err := write(f)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// writeDevice writes to something that is no regular file.
func writeDevice(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
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
