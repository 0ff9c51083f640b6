package web_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/browser"
	"github.com/seed-09dcdc84/ur/web"
)

// patience is how long a test waits for what must come: tests run beside others, on machines that are busy.
const patience = browser.Patience

// empty serves an empty page.
var empty = sync.OnceValue(func() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
	}))
})

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "2") // more tests at once would open more tabs
	testkit.Main(m)
}

// tab is a page in a browser that knows nothing of the tabs of other tests.
type tab struct {
	testing.TB
	ctx context.Context
}

// cleared holds the tabs of earlier tests, because the browser takes a second to open one.
var cleared = make(chan context.Context, 100)

func newTab(t testing.TB) tab {
	t.Helper()
	ctx := browser.Context(t)
	p := tab{TB: t}
	select {
	case p.ctx = <-cleared:
	default:
		p.ctx, _ = chromedp.NewContext(ctx, chromedp.WithNewBrowserContext()) // the browser closes it
		// The tab lives as long as the context of what is done first in it: without a limit.
		testkit.Must(chromedp.Run(p.ctx, chromedp.Evaluate[bool]("true")))(t)
	}
	t.Cleanup(p.clear)
	p.look(1280, 800, "light") // the test before may have had a telephone
	return p
}

// clear makes the tab one that nobody has used, for the next test.
func (p tab) clear() {
	if p.Failed() {
		return
	}
	eval[bool](p, `(() => { try { localStorage.clear() } catch {} return true })()`) // some tests deny the storage
	p.leave()
	p.touchable(false)
	cleared <- p.ctx
}

// run does something in the tab.
func run[T any](p tab, action chromedp.Action[T]) T {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return testkit.Must(chromedp.Run(ctx, action))(p)
}

// call runs a command of the browser's protocol in the tab.
func call[P, R any](p tab, command cdp.Command[P, R], params P) R {
	p.Helper()
	return run(p, func(ctx context.Context, t *chromedp.Target) (R, error) { return cdp.Call(ctx, t, command, params) })
}

// eval returns the value of an expression.
func eval[T any](p tab, expression string) T {
	p.Helper()
	return run(p, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// wait waits until an expression is true. The page itself evaluates it every 20 ms and answers within a second, because a
// question from outside costs more than an evaluation.
func (p tab) wait(expression string) {
	p.Helper()
	look := fmt.Sprintf(`new Promise((done) => {
		const end = performance.now() + 1000
		const look = () => {
			let is = false
			try { is = !!(%s) } catch {} // what it reads is not there yet
			if (is || performance.now() > end) done(is)
			else setTimeout(look, 20)
		}
		look()
	})`, expression)
	for end := time.Now().Add(patience); time.Now().Before(end); {
		// The page may be on its way somewhere else: what fails then is asked again.
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](look, chromedp.EvalAwaitPromise))
		cancel()
		if err == nil && ok {
			return
		}
		if err != nil {
			time.Sleep(20 * time.Millisecond)
		}
	}
	p.Fatalf("waited in vain for %s; the page says %q", expression, eval[string](p, "document.body.innerText"))
}

// goTo goes to an address anew, also where only what stands behind its # is another, and waits for expressions.
func (p tab) goTo(url string, until ...string) {
	p.Helper()
	if strings.HasPrefix(url, eval[string](p, "location.origin")+"/") {
		p.leave()
	}
	run(p, chromedp.Navigate(url))
	p.waitAll(until)
}

// waitAll waits for expressions, one after another.
func (p tab) waitAll(expressions []string) {
	p.Helper()
	for _, expression := range expressions {
		p.wait(expression)
	}
}

// leave goes to an empty page of the same host. A page of another host, such as about:blank, would take another process.
func (p tab) leave() {
	p.Helper()
	run(p, chromedp.Navigate(empty().URL))
}

// keys types keys, and waits for expressions, as the methods below do.
func (p tab) keys(keys string, until ...string) {
	p.Helper()
	run(p, chromedp.KeyEvent(keys))
	p.waitAll(until)
}

// whenDrawn evaluates an expression now, and again whenever the page has changed and nothing
// that follows has run yet, until it is true. In it press(key) presses a key, which is
// false, and step counts how many were pressed.
func (p tab) whenDrawn(expression string) {
	p.Helper()
	eval[bool](p, fmt.Sprintf(`new Promise((done) => {
		let step = 0
		const press = (key) => {
			step++
			dispatchEvent(new KeyboardEvent("keydown", {key}))
			return false
		}
		const look = () => %s
		// Mutations are observed before they are drawn.
		const observer = new MutationObserver(() => look() && (observer.disconnect(), done(true)))
		observer.observe(document.body, {subtree: true, childList: true, attributes: true})
		look()
	})`, expression))
}

// prepare runs a script in every document of the tab before those of the page.
func (p tab) prepare(script string) {
	p.Helper()
	added := call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	p.Cleanup(func() {
		call(p, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams(added))
	})
}

// look sets the size of the window and the colours that somebody prefers.
func (p tab) look(width, height int64, colours string) {
	p.Helper()
	run(p, chromedp.EmulateViewport(width, height))
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: colours}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	p.wait(fmt.Sprintf("innerWidth === %d && innerHeight === %d", width, height))
}

// touchScreen makes the window that of a telephone that is touched, and counts in "touched" how often it was.
func (p tab) touchScreen(width, height int64) {
	p.Helper()
	p.look(width, height, "light")
	p.touchable(true)
	eval[bool](p,
		`addEventListener("pointerup", (e) => { if (e.pointerType === "touch") window.touched = (window.touched || 0) + 1 }, true), true`)
}

// touchable says whether the screen can be touched.
func (p tab) touchable(is bool) {
	p.Helper()
	call(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: is})
}

// tap touches the middle of the first element of a selector with a finger.
func (p tab) tap(selector string) {
	p.Helper()
	type spot struct{ X, Y float64 }
	at := eval[spot](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const r = e.getBoundingClientRect();
		return { X: r.x + r.width / 2, Y: r.y + r.height / 2 };
	})()`, selector))
	call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart,
		TouchPoints: []*input.TouchPoint{{X: at.X, Y: at.Y}}})
	call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd,
		TouchPoints: []*input.TouchPoint{}})
}

// server is a server of the page that can go away and come back at the same address. The
// address stays taken meanwhile, so that nobody else gets it.
type server struct {
	testing.TB
	http *httptest.Server

	mutex sync.Mutex
	page  *web.Server // nil while it is away
}

func newServer(t testing.TB, c web.Config) *server {
	s := &server{TB: t}
	s.start(c)
	s.http = httptest.NewServer(s)
	t.Cleanup(func() { s.stop(); s.http.Close() })
	return s
}

// ServeHTTP answers, or ends the connection while the server is away.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	page := s.page
	s.mutex.Unlock()
	if page == nil {
		panic(http.ErrAbortHandler)
	}
	page.ServeHTTP(w, r)
}

// cut breaks all connections, and answers no request until the returned function is called.
func (s *server) cut() (mend func()) {
	s.mutex.Lock()
	page := s.page
	s.page = nil
	s.mutex.Unlock()
	s.http.CloseClientConnections()
	return func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.page = page
	}
}

// start begins to serve.
func (s *server) start(c web.Config) {
	s.Helper()
	page := web.New(c)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.page = page
}

// stop ends the server and all its streams.
func (s *server) stop() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.page != nil {
		s.page.Close()
		s.page = nil
	}
}

// url returns the address of a room of the page.
func (s *server) url(room string) string { return s.http.URL + "/#/" + room }

// openPage opens a room of a new server in a window, and waits for expressions.
func openPage(t testing.TB, width, height int64, room string, until ...string) (tab, *server) {
	t.Helper()
	p, s := newTab(t), newServer(t, web.Config{})
	p.look(width, height, "light")
	p.goTo(s.url(room), until...)
	return p, s
}

// press clicks the first button whose text contains a text.
func (p tab) press(text string, until ...string) {
	p.Helper()
	const button = `[...document.querySelectorAll("button")].find((b) => b.textContent.includes(%q) && !b.disabled)`
	p.wait(fmt.Sprintf(button, text))
	eval[bool](p, fmt.Sprintf(button+`.click(), true`, text))
	p.waitAll(until)
}

// panel opens a panel beside the board; on a phone its tabs are behind a button.
func (p tab) panel(name string, until ...string) {
	p.Helper()
	if !eval[bool](p, `!!document.querySelector(".tabs")`) {
		p.press("More")
		p.wait(`document.querySelector(".tabs")`)
	}
	const click = `[...document.querySelectorAll(".tabs button")].find((b) => b.textContent === %q).click(), true`
	eval[bool](p, fmt.Sprintf(click, name))
	p.waitAll(until)
}

// digit presses the digit that the board shows on the move of a square.
func (p tab) digit(from int) {
	p.Helper()
	p.keys(eval[string](p, fmt.Sprintf(`document.querySelector(".choice[data-from='%d'] .number").textContent`, from)))
}

// choose sets the value of a control.
func (p tab) choose(selector, value string) {
	p.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q)
		e.value = %q
		e.dispatchEvent(new Event(e.tagName === "TEXTAREA" ? "input" : "change", {bubbles: true}))
		return true
	})()`, selector, value))
}

// click clicks the first element of a selector.
func (p tab) click(selector string, until ...string) {
	p.Helper()
	eval[bool](p, fmt.Sprintf(`document.querySelector(%q).click(), true`, selector))
	p.waitAll(until)
}

// text returns the text of the first element of a selector.
func (p tab) text(selector string) string {
	p.Helper()
	return eval[string](p, fmt.Sprintf(`document.querySelector(%q).textContent`, selector))
}

// texts returns the texts of all elements of a selector.
func (p tab) texts(selector string) []string {
	p.Helper()
	return eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.textContent)`, selector))
}
