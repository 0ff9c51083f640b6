package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// PutFile puts a regular file into the fleet's store, unless it is there, and returns its
// SHA-256 sum, the name used by workers.
func (c *Conn) PutFile(ctx context.Context, file string) (sum string, err error) {
	f, err := openRegular(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if sum, err = sumOf(f); err != nil {
		return "", err
	}
	there := false
	err = c.retryRequest(ctx, func(ctx context.Context) error {
		_, err := c.files.GetInfo(ctx, sum)
		if there = err == nil; errors.Is(err, jetstream.ErrObjectNotFound) {
			return nil
		}
		return err
	})
	if err != nil || there {
		return sum, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	_, err = c.files.Put(ctx, jetstream.ObjectMeta{Name: sum, Description: filepath.Base(file)}, f)
	return sum, err
}

// openRegular opens a regular file. A pipe or a device could block for ever, and has no stable
// content.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	return os.Open(name)
}

// sumOf returns the SHA-256 sum of the rest of a file.
func sumOf(f io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// checked holds, by path, the cached files with the right sum at their first use by this
// process.
var checked sync.Map

// isWhole reports whether a cached file has the sum of its name. It is read once by every
// process: its content may have been exchanged since it was fetched.
func isWhole(file, sum string) bool {
	if _, ok := checked.Load(file); ok {
		return true
	}
	f, err := openRegular(file)
	if err != nil {
		return false
	}
	defer f.Close()
	if got, err := sumOf(f); err != nil || got != sum {
		return false
	}
	checked.Store(file, nil)
	return true
}

// getFile returns the path of a file of the fleet's store in a folder of this machine. It
// is fetched unless a file with the sum is there. A file that is not in the store is a
// [*Failure].
func (c *Conn) getFile(ctx context.Context, folder, sum string) (file string, err error) {
	if !isSum(sum) {
		return "", &Failure{Message: fmt.Sprintf("invalid name of a file %q (want a SHA-256 sum)", sum)}
	}
	file = filepath.Join(folder, sum)
	if isWhole(file, sum) {
		return file, nil
	}
	object, err := c.files.Get(ctx, sum)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return "", &Failure{Message: fmt.Sprintf("file %s is not in the store of the fleet (run the command again, which sends it)", sum)}
	}
	if err != nil {
		return "", fmt.Errorf("file %s of the fleet: %w", sum, err)
	}
	defer object.Close()
	err = safefile.Write(file, func(w io.Writer) error {
		switch got, err := sumOf(io.TeeReader(object, w)); {
		case err != nil:
			return fmt.Errorf("file %s of the fleet: %w", sum, err)
		case got != sum:
			return fmt.Errorf("file %s of the fleet is damaged: its SHA-256 sum differs from its name", sum)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	checked.Store(file, nil)
	return file, nil
}
