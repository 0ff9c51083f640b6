// Command _build bundles the page: it installs the packages of package-lock.json in the
// given folder and writes the files of dist from src and node_modules.
//
//	go run . ..
//
// It is a module of its own, so users of ur never download esbuild. go.sum pins esbuild and
// the lockfile pins Preact, so the same sources give the same bytes on every machine; the
// checks rely on that. Without npm it fails, and dist stays unchanged.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . FOLDER")
		os.Exit(2)
	}
	if err := build(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func build(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if err := install(folder); err != nil {
		return err
	}
	if err := bundle(folder); err != nil {
		return err
	}
	for from, to := range map[string]string{
		"src/index.html":              "dist/index.html",
		"src/icon.svg":                "dist/icon.svg",
		"src/manifest.webmanifest":    "dist/manifest.webmanifest",
		"node_modules/preact/LICENSE": "dist/preact-licence.txt",
	} {
		text, err := os.ReadFile(filepath.Join(folder, from))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, to), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// install fetches the packages of the lockfile into node_modules.
func install(folder string) error {
	npm := exec.Command("npm", "ci")
	npm.Dir = folder
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w (install Node to change the page)\n%s", folder, err, out)
	}
	return nil
}

// bundle writes the style and the scripts: the page as modules, of which a first visit loads app
// and chunk, and the workers, which cannot be modules everywhere.
func bundle(folder string) error {
	page := options(folder, api.FormatESModule, "src/main.tsx", "app", "src/style.css", "style")
	page.Splitting, page.ChunkNames = true, "[name]"
	if err := report(api.Build(page)); err != nil {
		return err
	}
	return report(api.Build(options(folder, api.FormatIIFE, "src/worker.ts", "worker", "src/sw.ts", "sw")))
}

// options are those of a build of files, each followed by its name in dist.
func options(folder string, format api.Format, files ...string) api.BuildOptions {
	o := api.BuildOptions{
		AbsWorkingDir:     folder,
		Outdir:            "dist",
		Bundle:            true,
		Write:             true,
		Format:            format,
		Target:            api.ES2022,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		JSX:               api.JSXAutomatic,
		JSXImportSource:   "preact",
		Charset:           api.CharsetUTF8,
		Banner:            map[string]string{"js": "// Made from web/internal/page/src. With Preact, MIT: preact-licence.txt"},
	}
	for i := 0; i < len(files); i += 2 {
		o.EntryPointsAdvanced = append(o.EntryPointsAdvanced,
			api.EntryPoint{InputPath: files[i], OutputPath: files[i+1]})
	}
	return o
}

func report(result api.BuildResult) error {
	for _, m := range result.Errors {
		fmt.Fprint(os.Stderr, m.Text, "\n")
		if m.Location != nil {
			fmt.Fprintf(os.Stderr, "  %s:%d:%d\n", m.Location.File, m.Location.Line, m.Location.Column)
		}
	}
	if n := len(result.Errors); n > 0 {
		return fmt.Errorf("%d errors", n)
	}
	return nil
}
