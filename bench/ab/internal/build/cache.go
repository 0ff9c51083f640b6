package build

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// Cache keeps links and counts of test binaries for later runs, in the user's cache folder. Files are named by the
// hash of all they depend on, written at once, and removed oldest first, so any number of runs may share it. A
// nil cache keeps nothing.
type Cache struct {
	dir    string
	mutex  sync.Mutex
	hashes map[string]string // hash of a file by its path
}

// mostCached bounds the cache in bytes.
const mostCached = 1 << 30

// openCache opens the cache; nil where there is no folder for it.
func openCache() *Cache {
	dir, err := os.UserCacheDir()
	if err == nil {
		dir = filepath.Join(dir, "ur", "benchab")
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return nil
	}
	return &Cache{dir: dir, hashes: make(map[string]string)}
}

// HashFile returns the hash of a file's content; "" if it cannot be read.
func (c *Cache) HashFile(path string) string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if known, ok := c.hashes[path]; ok {
		return known
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return ""
	}
	c.hashes[path] = fmt.Sprintf("%x", sum.Sum(nil))
	return c.hashes[path]
}

// Key returns the name of a file for all it depends on; "" if a part is not known.
func (c *Cache) Key(kind, binary string, on ...any) string {
	if c == nil {
		return ""
	}
	hash := c.HashFile(binary)
	if hash == "" {
		return ""
	}
	text, err := json.Marshal(append([]any{hash}, on...))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s-%x", kind, sha256.Sum256(text))
}

// ReadJSON reads what is kept of a key.
func (c *Cache) ReadJSON(key string, into any) bool {
	if key == "" {
		return false
	}
	text, err := os.ReadFile(c.path(key))
	if err != nil || json.Unmarshal(text, into) != nil {
		return false
	}
	c.touch(key)
	return true
}

// WriteJSON keeps a value. A failed write is no error.
func (c *Cache) WriteJSON(key string, value any) {
	_ = safefile.Write(c.path(key), func(w io.Writer) error { return json.NewEncoder(w).Encode(value) })
	c.prune()
}

// copyLink copies a link of a key to a path.
func (c *Cache) copyLink(key, path string) bool {
	if key == "" || frame.CopyFile(c.path(key), path) != nil {
		return false
	}
	c.touch(key)
	return true
}

// keepLink keeps a link.
func (c *Cache) keepLink(key, path string) {
	if key == "" {
		return
	}
	_ = safefile.Write(c.path(key), func(w io.Writer) error {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(w, file)
		return err
	})
	c.prune()
}

// path is the path of a file of the cache.
func (c *Cache) path(key string) string { return filepath.Join(c.dir, key) }

// touch marks a file as used.
func (c *Cache) touch(key string) {
	now := time.Now()
	_ = os.Chtimes(c.path(key), now, now) // another run may have removed it
}

// prune removes the files used longest ago until a quarter of the room is free, if the cache is full.
func (c *Cache) prune() {
	entries, _ := os.ReadDir(c.dir)
	var files []os.FileInfo
	sum := int64(0)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			sum += info.Size()
		}
	}
	if sum <= mostCached {
		return
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range files {
		if sum <= mostCached*3/4 {
			return
		}
		if os.Remove(filepath.Join(c.dir, info.Name())) == nil {
			sum -= info.Size()
		}
	}
}
