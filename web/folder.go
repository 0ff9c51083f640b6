package web

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// folder is the data folder: nothing outside of it is opened. The zero folder is empty.
type folder struct {
	name string
	root *os.Root
}

// openFolder opens a folder; "" is none.
func openFolder(name string) (*folder, error) {
	if name == "" {
		return &folder{}, nil
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("the data folder: %w", err)
	}
	return &folder{name, root}, nil
}

// close closes the folder. It must no longer be in use.
func (f *folder) close() {
	if f.root != nil {
		f.root.Close() //nolint:errcheck // nothing was written
	}
}

// playerKinds are the kinds of players that files may be, by extension.
var playerKinds = map[string]string{".txt": "brain:", ".safetensors": "net:", ".urt": "perfect:"}

// maxPlayers bounds how many files of the folder are offered as players.
const maxPlayers = 100

// players lists the files in the folder itself that may be players.
func (f *folder) players() map[string]game.File {
	files := map[string]game.File{}
	if f.root == nil {
		return files
	}
	dir, err := f.root.Open(".")
	if err != nil {
		return files
	}
	defer dir.Close()
	entries, err := dir.ReadDir(10 * maxPlayers)
	if err != nil {
		return files
	}
	for _, e := range entries {
		kind, ok := playerKinds[strings.ToLower(filepath.Ext(e.Name()))]
		if !ok || !e.Type().IsRegular() || len(files) == maxPlayers || strings.ContainsAny(e.Name(), "@,") {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		files[kind+e.Name()] = game.File{
			Spec:  kind + filepath.Join(f.name, e.Name()),
			Stamp: fmt.Sprint(info.Size(), info.ModTime().UnixNano()),
		}
	}
	return files
}
