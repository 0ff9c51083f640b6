// Command picture photographs the page of "ur serve" for README.md:
//
//	go run ./docs/picture
//
// It writes docs/plots/page.png and needs Chromium. It is not part of the generator: another
// browser draws other pixels, so a check would fail on other machines.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/web"
)

// file is the picture, below the root of the module.
const file = "docs/plots/page.png"

// room is the address of the photographed game: that of the picture of the terminal, after the
// same turns.
const room = "#/g/7/11.0/human/net/0000202303440250106320-304200742310006"

// The window, and the limit of the whole run.
const (
	width, height = 1040, 690
	patience      = 2 * time.Minute
)

func main() {
	if err := photograph(); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// photograph starts a server and a browser, and writes the picture.
func photograph() error {
	page := web.New(web.Config{})
	defer page.Close()
	server := httptest.NewServer(page)
	defer server.Close()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		return err
	}
	profile, err := os.MkdirTemp("", "ur-chromium-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("force-prefers-reduced-motion", true), chromedp.Flag("no-proxy-server", true), chromedp.Flag("hide-scrollbars", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	ctx, cancelLate := context.WithTimeout(ctx, patience)
	defer cancelLate()
	picture, err := open(ctx, server.URL+"/"+room)
	if err != nil {
		return err
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return err
	}
	name := filepath.Join(strings.TrimSpace(string(root)), filepath.FromSlash(file))
	return safefile.Write(name, func(w io.Writer) error { _, err := w.Write(picture); return err })
}

// open opens the game, waits until it is drawn, and returns the picture.
func open(ctx context.Context, url string) ([]byte, error) {
	if _, err := chromedp.Run(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		return nil, err
	}
	if _, err := chromedp.Run(ctx, chromedp.Navigate(url)); err != nil {
		return nil, err
	}
	for {
		drawn, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.body.innerText.includes("You rolled")`))
		if err != nil {
			return nil, err
		}
		if drawn {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	time.Sleep(time.Second) // for the pieces to arrive
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}
