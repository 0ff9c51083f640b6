package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// engineFile is the engine of an exported page. It is compressed here and unpacked in the page,
// because not every server compresses its responses.
const engineFile = "engine.wasm.gz"

// ErrNotEmpty reports a folder with contents other than an exported page.
var ErrNotEmpty = errors.New("is not empty, and not an exported page")

// ErrExported reports a folder with a page exported before.
var ErrExported = errors.New("holds an exported page")

// Export writes the page for use without a server into a folder, with the engine as WebAssembly.
// It returns the engine's compressed size in bytes. With replace
// it replaces a page exported there before.
func Export(ctx context.Context, folder string, replace bool) (engine int64, err error) {
	if err := checkFolder(folder, replace); err != nil {
		return 0, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil { // before the engine, which takes its time
		return 0, err
	}
	wasm, glue, err := buildEngine(ctx)
	if err != nil {
		return 0, err
	}
	small, err := compressText(wasm)
	if err != nil {
		return 0, err
	}
	files, err := readPage()
	if err != nil {
		return 0, err
	}
	index := files["index.html"]
	alone := bytes.Replace(index, []byte(`data-engine="server"`), []byte(`data-engine="wasm"`), 1)
	if bytes.Equal(alone, index) {
		return 0, errors.New("the page does not name its engine")
	}
	files["index.html"], files[engineFile], files["wasm_exec.js"] = alone, small, glue
	return int64(len(small)), writeFiles(folder, files)
}

// writeFiles writes a page's files. The engine comes first: it marks the folder as one of a
// page, so one whose export did not end can be replaced.
func writeFiles(folder string, files map[string][]byte) error {
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool { return name == engineFile })
	for _, name := range append([]string{engineFile}, rest...) {
		if err := safefile.WriteBytes(filepath.Join(folder, name), files[name]); err != nil {
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

const enginePackage = "github.com/seed-09dcdc84/ur/web/wasm" // program that answers inside a page

// buildEngine builds the engine as WebAssembly, and returns it with Go's script to start it.
//
// It is built on demand and not kept in the tree: a file of megabytes that no reader can check
// would be stale after every change of players, nets or rules. A user of this program has built
// it with Go and has its sources.
func buildEngine(ctx context.Context) (wasm, glue []byte, err error) {
	root, err := goCommand(ctx, "", "env", "GOROOT")
	if err != nil {
		return nil, nil,
			fmt.Errorf("the command \"go\" is needed to build the engine of the page (see https://go.dev/dl): %w", err)
	}
	if glue, err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, nil, fmt.Errorf("the script that starts WebAssembly: %w", err)
	}
	folder, err := engineSources(ctx)
	if err != nil {
		return nil, nil, err
	}
	work, err := os.MkdirTemp("", "ur-export-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(work)
	file := filepath.Join(work, "engine.wasm")
	if _, err := goCommand(ctx, folder, "build", "-trimpath", "-ldflags=-s -w", "-o", file, enginePackage); err != nil {
		return nil, nil, fmt.Errorf("building the engine of the page: %w", err)
	}
	wasm, err = os.ReadFile(file)
	return wasm, glue, err
}

// engineSources returns a folder in which Go finds the engine: the working folder, if it belongs to
// this module or to one that requires it, or the folder this program was built from.
func engineSources(ctx context.Context) (string, error) {
	_, own, _, _ := runtime.Caller(0) // path when the program was built
	for _, folder := range []string{"", filepath.Dir(own)} {
		if _, err := os.Stat(folder); folder != "" && err != nil {
			continue
		}
		if _, err := goCommand(ctx, folder, "list", "-find", enginePackage); err == nil {
			return folder, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return "", errors.New(
		"no sources of ur to build the engine of the page (want a checkout of ur, or a module that requires it, as the working folder)")
}

// goCommand runs the command "go" for WebAssembly in a folder, "" for the working folder, and
// returns its output.
func goCommand(ctx context.Context, folder string, args ...string) (string, error) {
	var out, complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &out, &complaint
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOEXPERIMENT=")
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(complaint.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
