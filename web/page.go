package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// The front-end is TypeScript in internal/page/src. "go generate" installs Preact by npm ci, from
// the versions and integrity sums of package-lock.json, and bundles both into dist with esbuild, a
// library written in Go. dist is committed, so only contributors who change the page need Node.
//
//go:generate go -C internal/page/_build run . ..

//go:embed internal/page/dist
var dist embed.FS

// readPage returns the files for a browser, by name.
func readPage() (map[string][]byte, error) {
	const folder = "internal/page/dist"
	entries, err := dist.ReadDir(folder)
	files := map[string][]byte{}
	for _, entry := range entries {
		if files[entry.Name()], err = dist.ReadFile(path.Join(folder, entry.Name())); err != nil {
			break
		}
	}
	return files, err
}

type asset struct {
	kind         string // MIME type
	plain, small []byte // both forms: uncompressed and compressed
	tag          string // another one when the file is another
}

// kinds are the types of the page's files, by ending.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
}

// assets are the page's files, by path.
var assets = sync.OnceValues(func() (map[string]*asset, error) {
	files := map[string]*asset{}
	texts, err := readPage()
	for name, text := range texts {
		small, err := compressText(text)
		if err != nil {
			return nil, err
		}
		tag := fmt.Sprintf("%q", fmt.Sprintf("%x", sha256.Sum256(text))[:20])
		files["/"+name] = &asset{kinds[path.Ext(name)], text, small, tag}
	}
	files["/"] = files["/index.html"]
	return files, err
})

func compressText(text []byte) ([]byte, error) {
	var small bytes.Buffer
	w, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
		err = errors.Join(err, w.Close()) // flushes the rest
	}
	return small.Bytes(), err
}

func (s *Server) answerPage(w http.ResponseWriter, r *http.Request) {
	files, err := assets()
	a := files[r.URL.Path]
	switch {
	case err != nil:
		writeError(w, http.StatusInternalServerError, "the page cannot be read: %v", err)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		writeError(w, http.StatusMethodNotAllowed, "the page is read by GET, not %s", text.Clip(r.Method))
		return
	case a == nil:
		writeError(w, http.StatusNotFound, "the page has no file %q", text.Clip(r.URL.Path))
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "no-cache") // asked for again each time, and sent if it is another
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", a.tag)
	text := a.plain
	if takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		text = a.small
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// takesGzip reports whether a client takes compressed files.
func takesGzip(r *http.Request) bool {
	codings := strings.Split(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",")
	return slices.ContainsFunc(codings, func(c string) bool { return strings.TrimSpace(c) == "gzip" })
}
