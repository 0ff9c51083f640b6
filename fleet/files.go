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

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// PutFile puts a file into the fleet's store, if it is not there, and returns its
// SHA-256 sum, by which workers ask for it.
func (c *Conn) PutFile(ctx context.Context, file string) (sum string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	sum = hex.EncodeToString(h.Sum(nil))
	if _, err := c.files.GetInfo(ctx, sum); err == nil {
		return sum, nil
	} else if !errors.Is(err, jetstream.ErrObjectNotFound) {
		return "", err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	_, err = c.files.Put(ctx, jetstream.ObjectMeta{Name: sum, Description: filepath.Base(file)}, f)
	return sum, err
}

// GetFile returns where a file of the fleet's store stands in a folder of this machine,
// and fetches it if it is not there. What was fetched has the sum that it is named by.
func (c *Conn) GetFile(ctx context.Context, folder, sum string) (file string, err error) {
	if !isSum(sum) {
		return "", fmt.Errorf("file %q is not named by a SHA-256 sum", sum)
	}
	file = filepath.Join(folder, sum)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	object, err := c.files.Get(ctx, sum)
	if err != nil {
		return "", fmt.Errorf("file %s of the fleet: %w", sum, err)
	}
	defer object.Close()
	out, err := wholefile.Create(file)
	if err != nil {
		return "", err
	}
	defer out.Discard()
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, h), object); err != nil {
		return "", fmt.Errorf("file %s of the fleet: %w", sum, err)
	}
	if hex.EncodeToString(h.Sum(nil)) != sum {
		return "", fmt.Errorf("file %s of the fleet is damaged: it has another sum", sum)
	}
	return file, out.Save()
}
