package web_test

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/web"
)

// records returns those of the tree.
func records(t *testing.T) []record.Record {
	t.Helper()
	list, err := record.Read(filepath.Join("..", "results"))
	if err != nil || len(list) == 0 {
		t.Fatalf("%d records: %v", len(list), err)
	}
	return list
}

// The page that needs no server plays a whole game, and its engine is small enough.
func TestBrowserPlaysAlone(t *testing.T) {
	p := newTab(t)
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the engine is built by the command go, which is not here")
	}
	folder := t.TempDir()
	size, err := web.Export(t.Context(), folder, records(t))
	if err != nil {
		t.Fatal(err)
	}
	if const4MB := int64(4_000_000); size == 0 || size >= const4MB {
		t.Errorf("the engine has %d bytes, want less than %d", size, const4MB)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer s.Close()
	p.look(1280, 900, "light")
	p.goTo(s.URL + "/#/g/2/3.0/human/level:3")
	for {
		p.wait(ready + ` && (document.querySelector(".choice") || ` + over + `)`)
		if eval[bool](p, "!!"+over) {
			break
		}
		eval[bool](p, `document.querySelector(".choice").click(), true`)
	}
	p.wait(`document.querySelector(".analysis table")`)
	p.goTo(s.URL + "/#/ladder")
	p.wait(`document.querySelector(".ladder table") && [...document.images].every((i) => i.complete && i.naturalWidth > 0)`)
	p.accessible("without a server")
	// What is there already is an exported page, and is replaced.
	if _, err := web.Export(t.Context(), folder, nil); err != nil {
		t.Error(err)
	}
}
