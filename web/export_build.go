package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// enginePackage is the program that answers inside a page.
const enginePackage = "github.com/seed-09dcdc84/ur/web/wasm"

// buildEngine builds the engine as WebAssembly, and returns it with Go's script that starts it.
//
// It is built on demand and not kept in the tree: a file of megabytes that no reader can check
// would be stale after every change of players, nets or rules. A user of this program has built
// it with Go and has its sources.
func buildEngine(ctx context.Context) (wasm, glue []byte, err error) {
	root, err := goCommand(ctx, "", "env", "GOROOT")
	if err != nil {
		return nil, nil, fmt.Errorf("the command \"go\" is needed to build the engine of the page (see https://go.dev/dl): %w", err)
	}
	if glue, err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, nil, fmt.Errorf("the script that starts WebAssembly: %w", err)
	}
	folder, err := sources(ctx)
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

// sources returns a folder in which Go finds the engine: the working folder, if it belongs to
// this module or to one that requires it, or the folder this program was built from.
func sources(ctx context.Context) (string, error) {
	_, own, _, _ := runtime.Caller(0) // as it was when the program was built
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
	return "", errors.New("no sources of ur to build the engine of the page (want a checkout of ur, or a module that requires it, as the working folder)")
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
