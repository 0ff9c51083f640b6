//go:build !js && !wasip1

// Package browser starts Chromium for tests of pages, in packages that begin with [testkit.Main].
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Patience is how long a test waits: tests run beside others, on busy machines.
const Patience = 2 * time.Minute

// Context returns the context of Chromium, which is started once for all tests. It skips a short test, and one on a
// machine without Chromium.
func Context(t testing.TB) context.Context {
	t.Helper()
	testkit.SkipIf(t, testing.Short(), "a browser takes seconds")
	ctx, err := start()
	testkit.SkipOn(t, err)
	return ctx
}

// start starts Chromium, if it is installed.
var start = sync.OnceValues(func() (context.Context, error) {
	var path string
	for _, name := range []string{"google-chrome", "chromium-browser", "chromium"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
		}
	}
	if path == "" {
		return nil, errors.New("no Chromium is installed (apt-get install chromium)")
	}
	folder, err := os.MkdirTemp("", "ur-chromium-")
	if err != nil {
		return nil, err
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
	testkit.AtEnd(func() {
		cancel()
		stop()
		os.RemoveAll(folder)
	})
	if _, err := chromedp.Run(ctx, chromedp.Navigate("about:blank")); err != nil {
		return nil, fmt.Errorf("start Chromium: %w", err)
	}
	return ctx, nil
})
