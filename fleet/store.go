package fleet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A DamagedStoreError reports a store that a server cannot load. [ServeConfig.Repair] keeps its
// intact streams and begins the others anew.
type DamagedStoreError struct {
	File   string // or folder, the first found
	Reason string

	damaged string // folder set aside by a repair
}

func (e *DamagedStoreError) Error() string {
	return fmt.Sprintf("the store is damaged: %s: %s", e.File, e.Reason)
}

// Folders of NATS in a store. An account has a folder for each of its streams.
const (
	storeFolder     = "jetstream"
	streamsFolder   = storeFolder + "/$G/streams"
	consumersFolder = "obs"     // of a stream
	setAsideFolder  = "damaged" // for streams set aside
)

// Times of loading a store.
const (
	loadTime      = 20 * time.Second // until the server listens
	loadTimePerGB = 20 * time.Second // of the store, in addition
	checkTime     = 5 * time.Second  // until its streams were looked at
)

// loadLimit returns how long a store may take to load.
func loadLimit(store string) time.Duration {
	var bytes int64
	_ = filepath.WalkDir(filepath.Join(store, storeFolder), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil // the server detects an unreadable file
	})
	return loadTime + loadTimePerGB*time.Duration(bytes>>30)
}

// forgetConsumers removes the consumers of a store. They record the leases of workers,
// worthless after a restart: the tasks left in the queue are leased again. Damaged ones could
// hide tasks for ever.
func forgetConsumers(store string) error {
	return os.RemoveAll(filepath.Join(store, streamsFolder, jobsStream, consumersFolder))
}

// check returns a [*DamagedStoreError] unless the server has loaded every stream of its
// store.
func (s *Server) check() error {
	ctx, cancel := context.WithTimeout(context.Background(), checkTime)
	defer cancel()
	nc, _, err := dialServer(ctx, s.dialConfig("ur check"))
	if err != nil {
		return fmt.Errorf("fleet server: %w", err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("fleet server: %w", err)
	}
	folder := filepath.Join(s.config.Store, streamsFolder)
	streams, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store of the fleet: %w", err)
	}
	for _, stream := range streams {
		if _, err := js.Stream(ctx, stream.Name()); err != nil {
			return s.damage(filepath.Join(folder, stream.Name()), err)
		}
	}
	return nil
}

// damage returns the error about a folder that could not be loaded, with the file and the
// reason reported by the server.
func (s *Server) damage(folder string, err error) *DamagedStoreError {
	e := &DamagedStoreError{File: folder, Reason: err.Error(), damaged: folder}
	for _, message := range s.log.messages() {
		before, rest, _ := strings.Cut(message, `"`)
		file, after, ok := strings.Cut(rest, `"`)
		if ok && strings.HasPrefix(filepath.Clean(file), filepath.Clean(folder)) {
			e.File, e.Reason = file, strings.TrimSpace(before+strings.TrimPrefix(after, ":"))
			break
		}
	}
	return e
}

// setAside moves a damaged folder to another place in the store.
func setAside(store, folder string) (to string, err error) {
	to = filepath.Join(store, setAsideFolder, fmt.Sprintf("%s-%s", filepath.Base(folder), time.Now().UTC().Format("20060102-150405.000")))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", err
	}
	return to, os.Rename(folder, to)
}
