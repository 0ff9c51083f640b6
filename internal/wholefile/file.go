package wholefile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that comes to be under its name only when it is complete: it
// is written beside it, and renamed at the end. What had that name before stays
// whole until then.
type File struct {
	*os.File
	name string // what the file will be called; "" for a device, written as it is
}

// Create begins a file that the user named.
func Create(name string) (*File, error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // of a link, what it points to is replaced
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &File{File: file}, err
	}
	file, err := os.OpenFile(name+".part", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o666)
	return &File{file, name}, err
}

// save completes the file and gives it its name.
func (f *File) Save() error {
	err := f.Close()
	if f.name == "" || err != nil {
		return err
	}
	return os.Rename(f.File.Name(), f.name)
}

// Discard leaves no trace of the file.
func (f *File) Discard() {
	f.Close()
	if f.name != "" {
		os.Remove(f.File.Name())
	}
}
