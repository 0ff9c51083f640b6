package safefile

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	open := func() *os.File {
		t.Helper()
		f := testkit.Must(os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666))(t)
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	testkit.NoError(t, Lock(first))
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
	f := testkit.Must(os.Create(name))(t)
	defer f.Close()
	if err := os.Remove(name); err != nil {
		t.Skip(err) // not while it is open
	}
	if !lostName(f) {
		t.Error("a removed file seems to be there")
	}
	testkit.NoError(t, os.WriteFile(name, nil, 0o666))
	if !lostName(f) {
		t.Error("another file is taken for the one that was removed")
	}
}
