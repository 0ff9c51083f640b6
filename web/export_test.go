package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/web"
)

// exported returns a server of files for a page that was exported, whose engine must be
// small enough, and its folder.
func exported(t testing.TB) (s *httptest.Server, folder string) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the engine is built by the command go, which is not here")
	}
	const most = 4_000_000 // bytes
	folder = t.TempDir()
	size, err := web.Export(t.Context(), folder, false)
	if err != nil {
		t.Fatal(err)
	}
	if size == 0 || size >= most {
		t.Errorf("the engine has %d bytes, want less than %d", size, most)
	}
	s = httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(s.Close)
	return s, folder
}

// The page that needs no server plays a whole game, and its engine is small enough.
func TestBrowserPlaysAlone(t *testing.T) {
	t.Parallel()
	if !testkit.Long() {
		t.Skip("compiles the standard library for WebAssembly: wants -long")
	}
	p := newTab(t)
	s, folder := exported(t)
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

// BenchmarkAlone measures how long a page without a server waits for an answer of the
// built-in player, which looks one ply ahead, from the question to the answer: the message
// to the worker and back, and JSON on both sides, are part of it.
func BenchmarkAlone(b *testing.B) {
	p := newTab(b)
	s, _ := exported(b)
	p.goTo(s.URL + "/#/rules")
	p.wait("document.querySelector('.rules')")
	b.Run("player=net/engine=wasm", func(b *testing.B) {
		ms := eval[float64](p, fmt.Sprintf(`(async () => {
			const worker = new Worker("worker.js");
			const ask = (id) => new Promise((done) => {
				worker.onmessage = ({data}) => done(data);
				worker.postMessage({id, verb: "go", text: JSON.stringify({game: "7/" + id + ".0/net/human"})});
			});
			for (let i = 0; i < 20; i++) await ask(i); // the engine has loaded, and is compiled
			const begin = performance.now();
			for (let i = 0; i < %d; i++) if (!(await ask(i)).ok) throw new Error("no answer");
			worker.terminate();
			return performance.now() - begin;
		})()`, b.N))
		b.ReportMetric(ms/float64(b.N), "ms/answer")
		b.ReportMetric(0, "ns/op")
	})
}
