package web_test

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

// mostCompressed is the limit of the files that a first visit loads, by gzip -9, as the server
// sends them.
const mostCompressed = 30 << 10

// The page stays small.
func TestPageSize(t *testing.T) {
	sum := 0
	for _, name := range []string{"index.html", "app.js", "chunk.js", "style.css", "icon.svg"} {
		content, err := os.ReadFile(filepath.Join("internal", "page", "dist", name))
		if err != nil {
			t.Fatal(err)
		}
		var counted counter
		w, err := gzip.NewWriterLevel(&counted, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(content) //nolint:errcheck // a counter takes everything
		w.Close()        //nolint:errcheck // the same
		t.Logf("%s: %d bytes, compressed %d", name, len(content), counted)
		sum += int(counted)
	}
	t.Logf("the page: %d bytes compressed", sum)
	if sum > mostCompressed {
		t.Errorf("the page has %d bytes compressed, want at most %d", sum, mostCompressed)
	}
}

// counter counts bytes.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
