package safefile

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	open := func() *os.File {
		t.Helper()
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	if err := Lock(first); err != nil {
		t.Fatal(err)
	}
	switch err := Lock(second); {
	case err == nil:
		t.Skip("files cannot be locked here")
	case !errors.Is(err, ErrLocked):
		t.Errorf("error %v, want %v", err, ErrLocked)
	}
	if lostName(second) {
		t.Error("the file seems to have lost its name")
	}
	first.Close()
	if err := Lock(second); err != nil {
		t.Errorf("after the first was closed: %v", err)
	}
}

// However many want a name at once, one at a time has it, and nothing is left behind.
func TestHold(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	var holders, held atomic.Int64
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 200 {
				release, err := Hold(name)
				if err != nil {
					if !errors.Is(err, ErrLocked) {
						t.Error(err)
					}
					continue
				}
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d hold it", n)
				}
				held.Add(1)
				holders.Add(-1)
				if err := release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if held.Load() == 0 {
		t.Error("nobody ever held it")
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
}

func TestLost(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove(name); err != nil {
		t.Skip(err) // not while it is open
	}
	if !lostName(f) {
		t.Error("a removed file seems to be there")
	}
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if !lostName(f) {
		t.Error("another file is taken for the one that was removed")
	}
}
