// Package page is the front-end: the files that a browser loads.
//
// Its sources are TypeScript in src, with Preact in vendor. What stands in dist is made of
// them by "go generate", with esbuild, whose library is written in Go: nobody needs Node to
// build or to change it, and nobody needs esbuild but who changes it, since the program
// that bundles is a module of its own, in _build.
package page

import (
	"embed"
	"io/fs"
)

//go:generate go -C _build run . ..

//go:embed dist
var dist embed.FS

// Files are the files of the page.
var Files = must(fs.Sub(dist, "dist"))

func must(f fs.FS, err error) fs.FS {
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return f
}
