package web_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/web"
)

// The page that needs no server plays a whole game, and its engine is small enough.
func TestBrowserPlaysAlone(t *testing.T) {
	t.Parallel()
	if !testkit.Long() {
		t.Skip("compiles the standard library for WebAssembly: wants -long")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the engine is built by the command go, which is not here")
	}
	p, folder := newTab(t), t.TempDir()
	const most = 4_000_000 // bytes
	if size, err := web.Export(t.Context(), folder, false); err != nil || size == 0 || size >= most {
		t.Fatalf("the engine has %d bytes, want less than %d: %v", size, most, err)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer s.Close()
	p.look(1280, 900, "light")
	p.goTo(s.URL + "/#/g/2/3.0/human/level:3")
	p.playOut()
	p.wait(`document.querySelector(".analysis table")`)
	p.accessible("without a server")
	// Its service worker lets it start without a network.
	p.wait(`navigator.serviceWorker.controller`)
	s.Close()
	p.goTo(s.URL + "/#/g/2/3.0/human/level:3")
	p.wait(ready + ` && document.querySelector(".choice")`)
	// An exported page is replaced on request only.
	if _, err := web.Export(t.Context(), folder, false); !errors.Is(err, web.ErrExported) {
		t.Errorf("error %v, want %v", err, web.ErrExported)
	}
	if _, err := web.Export(t.Context(), folder, true); err != nil {
		t.Error(err)
	}
}
