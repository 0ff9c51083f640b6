package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// savedFile is a file that comes to be under its name only when it is complete: it
// is written beside it, and renamed at the end. What had that name before stays
// whole until then.
type savedFile struct {
	*os.File
	name string // what the file will be called; "" for a device, written as it is
}

// createFile begins a file that the user named.
func createFile(name string) (*savedFile, error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // of a link, what it points to is replaced
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &savedFile{File: file}, err
	}
	file, err := os.OpenFile(name+".part", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o666)
	return &savedFile{file, name}, err
}

// save completes the file and gives it its name.
func (f *savedFile) save() error {
	err := f.Close()
	if f.name == "" || err != nil {
		return err
	}
	return os.Rename(f.File.Name(), f.name)
}

// discard leaves no trace of the file.
func (f *savedFile) discard() {
	f.Close()
	if f.name != "" {
		os.Remove(f.File.Name())
	}
}
