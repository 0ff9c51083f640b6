package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/web/internal/page"
)

// engineFile is the engine of an exported page. It is compressed here and unpacked in the page,
// because not every server compresses its responses.
const engineFile = "engine.wasm.gz"

// ErrNotEmpty reports a folder with contents other than an exported page.
var ErrNotEmpty = errors.New("is not empty, and not an exported page")

// ErrExported reports a folder with a page that was exported before.
var ErrExported = errors.New("holds an exported page")

// Export writes the page for use without a server into a folder, with the engine as WebAssembly
// and the ladder of some records. It returns the compressed size of the engine in bytes. With replace
// it replaces a page exported there before.
func Export(ctx context.Context, folder string, records []record.Record, replace bool) (engine int64, err error) {
	if err := checkFolder(folder, replace); err != nil {
		return 0, err
	}
	wasm, glue, err := buildEngine(ctx)
	if err != nil {
		return 0, err
	}
	small, err := compress(wasm)
	if err != nil {
		return 0, err
	}
	files := map[string][]byte{engineFile: small, "wasm_exec.js": glue}
	if err := addPage(files); err != nil {
		return 0, err
	}
	if err := addLadder(files, records); err != nil {
		return 0, err
	}
	return int64(len(small)), writeFiles(folder, files)
}

// writeFiles writes the files of a page. The engine comes first: it marks the folder as that of a
// page, so one whose export did not end can be replaced.
func writeFiles(folder string, files map[string][]byte) error {
	rest := maps.Clone(files)
	delete(rest, engineFile)
	for _, name := range append([]string{engineFile}, slices.Sorted(maps.Keys(rest))...) {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := wholefile.Write(file, func(w io.Writer) error { _, err := w.Write(files[name]); return err }); err != nil {
			return err
		}
	}
	return nil
}

// checkFolder rejects a folder with other contents, or with an exported page not to be replaced.
func checkFolder(folder string, replace bool) error {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, err = os.Stat(filepath.Join(folder, engineFile))
	switch {
	case err != nil && len(entries) > 0:
		return fmt.Errorf("%s %w", folder, ErrNotEmpty)
	case err == nil && !replace:
		return fmt.Errorf("%s %w", folder, ErrExported)
	}
	return nil
}

// addPage adds the files of the page, marked as running without a server.
func addPage(files map[string][]byte) error {
	return fs.WalkDir(page.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(page.Files, name)
		if name == "index.html" {
			alone := bytes.Replace(text, []byte(`data-engine="server"`), []byte(`data-engine="wasm"`), 1)
			if bytes.Equal(alone, text) {
				return errors.New("the page does not name its engine")
			}
			text = alone
		}
		files[name] = text
		return err
	})
}

// addLadder adds the ladder of the records and its plots.
func addLadder(files map[string][]byte, records []record.Record) error {
	text, err := json.Marshal(ladderOf(records))
	if err != nil {
		return err
	}
	files["ladder.json"] = text
	for _, r := range records {
		for _, p := range r.Plots() {
			var svg bytes.Buffer
			if err := p.WriteSVG(&svg); err != nil {
				return err
			}
			files["plots/"+p.File(r)] = svg.Bytes()
		}
	}
	return nil
}
