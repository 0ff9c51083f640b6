// Package page is the front-end: the files that a browser loads.
//
// Its sources are TypeScript in src. "go generate" installs Preact by npm ci, from the
// versions and integrity sums of package-lock.json, and bundles both into dist with
// esbuild, a library written in Go. dist is committed, so only contributors who change the
// page need Node, and only they download esbuild: the bundler in _build is a module of its
// own.
package page

import (
	"embed"
	"io/fs"
)

//go:generate go -C _build run . ..

//go:embed dist
var dist embed.FS

// Files are the page's files.
var Files = must(fs.Sub(dist, "dist"))

func must(f fs.FS, err error) fs.FS {
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return f
}
