//go:build !js && !wasip1

// Package browser starts Chromium for tests of pages. A package whose tests use it has
//
//	func TestMain(m *testing.M) { sandbox.Main(browser.Wrap(m)) }
package browser

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// Patience is how long a test waits: tests run beside others, on busy machines.
const Patience = 2 * time.Minute

// shared is the browser of all tests of a package.
var shared struct {
	sync.Once
	ctx   context.Context
	close func()
	why   string // there is none
}

// Context returns the context of Chromium, which is started once for all tests. It skips a short test, and one on a
// machine without Chromium.
func Context(t testing.TB) context.Context {
	t.Helper()
	testkit.SkipIf(t, testing.Short(), "a browser takes seconds")
	shared.Do(start)
	testkit.SkipIf(t, shared.why != "", "%s", shared.why)
	return shared.ctx
}

// Wrap returns tests that end the browser before their sandbox goes.
func Wrap(tests sandbox.Tests) sandbox.Tests { return wrapped{tests} }

type wrapped struct{ sandbox.Tests }

func (w wrapped) Run() int {
	code := w.Tests.Run()
	if shared.close != nil {
		shared.close()
	}
	return code
}

// start starts Chromium, if it is installed.
func start() {
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		shared.why = "no Chromium is installed (apt-get install chromium)"
		return
	}
	folder, err := os.MkdirTemp("", "ur-chromium-")
	if err != nil {
		shared.why = err.Error()
		return
	}
	// The last two features would load two pages of the browser's own beside every tab.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(folder),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WSURLReadTimeout(Patience),
		chromedp.Flag("disable-features", "BackForwardCache,SpareRendererForSitePerProcess,Translate,"+
			"WebUIOmniboxPopup,WebUIOmniboxAimPopup"))
	for _, flag := range []string{"disable-quic", "disable-component-update", "force-prefers-reduced-motion",
		"no-proxy-server"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	shared.ctx = ctx
	shared.close = func() {
		cancel()
		stop()
		os.RemoveAll(folder)
	}
	if _, err := chromedp.Run(ctx, chromedp.Navigate("about:blank")); err != nil {
		shared.why = "Chromium does not start: " + err.Error()
	}
}
