package web_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/web"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// newPage returns a server that is closed at the end.
func newPage(t testing.TB, c web.Config) *web.Server {
	t.Helper()
	s := web.New(c)
	t.Cleanup(s.Close)
	return s
}

// ask asks a server and returns what it answers.
func ask(s http.Handler, method, path, body string, header map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:8571"
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for key, value := range header {
		if key == "Host" {
			r.Host = value
			continue
		}
		r.Header.Set(key, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// Only who is meant is answered: by a name that is the server's, from a page that is.
func TestGuard(t *testing.T) {
	s := newPage(t, web.Config{Hosts: []string{"ur.Example", ""}})
	const begin = `{"light":"human","dark":"greedy"}`
	for _, c := range []struct {
		method, path string
		header       map[string]string
		want         int
	}{
		{"GET", "/", nil, 200},
		{"GET", "/", map[string]string{"Host": "localhost:8571"}, 200},
		{"GET", "/", map[string]string{"Host": "[::1]:8571"}, 200},
		{"GET", "/", map[string]string{"Host": "UR.example"}, 200},
		{"GET", "/", map[string]string{"Host": "rebound.example:8571"}, 421},
		{"GET", "/api/about", map[string]string{"Host": ""}, 421},
		{"POST", "/api/game/new", nil, 200},
		{"POST", "/api/game/new", map[string]string{"Origin": "http://127.0.0.1:8571"}, 200},
		{"POST", "/api/game/new", map[string]string{"Origin": "https://other.example"}, 403},
		{"POST", "/api/game/new", map[string]string{"Origin": "http://127.0.0.1:99"}, 403},
		{"POST", "/api/game/new", map[string]string{"Origin": "null"}, 403},
		{"GET", "/api/about", map[string]string{"Origin": "https://other.example"}, 403},
		{"GET", "/api/about", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"GET", "/api/about", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403},
		{"GET", "/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"GET", "/api/about", map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{"POST", "/api/game/new", map[string]string{"Content-Type": "text/plain"}, 415},
		{"POST", "/", nil, 405},
		{"GET", "/api/nothing", nil, 404},
		{"GET", "/../../etc/passwd", nil, 404},
	} {
		w := ask(s, c.method, c.path, begin, c.header)
		testkit.ErrorIf(t, w.Code != c.want && !(c.want == 404 && w.Code/100 == 3),
			"%s %s %v: %d, want %d: %s", c.method, c.path, c.header, w.Code, c.want, w.Body)
	}
}

// Every answer tells browsers what the page may do.
func TestHeaders(t *testing.T) {
	w := ask(newPage(t, web.Config{}), "GET", "/", "", nil)
	testkit.WantText(t, w.Header().Get("Content-Security-Policy"), "default-src 'self'", "frame-ancestors 'none'")
	testkit.Equal(t, w.Header().Get("X-Content-Type-Options"), "nosniff", "whether browsers guess the types of files")
}

// Requests that are too long are refused, whoever sends them.
func TestTooLong(t *testing.T) {
	s := newPage(t, web.Config{})
	w := ask(s, "POST", "/api/game/show", `{"game":"`+strings.Repeat("0", 1<<20)+`"}`, nil)
	testkit.Equal(t, w.Code, http.StatusRequestEntityTooLarge, "code of a megabyte, with the answer %s", w.Body)
}

// firstVisit are the files that a first visit loads.
var firstVisit = []string{"index.html", "app.js", "chunk.js", "style.css", "icon.svg"}

// The page is whole, whether it is sent compressed or not, is not sent twice, and is light.
func TestPage(t *testing.T) {
	s := newPage(t, web.Config{})
	first, total := 0, 0
	files := os.DirFS("internal/page/dist")
	testkit.NoError(t, fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		plain := ask(s, "GET", "/"+name, "", nil)
		small := ask(s, "GET", "/"+name, "", map[string]string{"Accept-Encoding": "br, gzip"})
		total += small.Body.Len()
		if slices.Contains(firstVisit, name) {
			first += small.Body.Len()
		}
		whole := testkit.Must(io.ReadAll(testkit.Must(gzip.NewReader(small.Body))(t)))(t)
		testkit.ErrorIf(t, !bytes.Equal(plain.Body.Bytes(), text) || !bytes.Equal(whole, text),
			"%s has %d bytes, is sent with %d, and unpacked with %d", name, len(text), plain.Body.Len(), len(whole))
		w := ask(s, "GET", "/"+name, "", map[string]string{"If-None-Match": plain.Header().Get("ETag")})
		testkit.Equal(t, w.Code, http.StatusNotModified, "code of %s again", name)
		return err
	}))
	t.Logf("a first visit loads %d bytes", first)
	testkit.ErrorIf(t, first < 10_000 || first > 30<<10, "a first visit loads %d bytes, want 10,000 to 30 KB", first)
	testkit.ErrorIf(t, total >= 60_000, "the page has %d bytes as it is sent, want less than 60,000", total)
}

// listen serves on a port, and returns its address.
func listen(t testing.TB, s *web.Server) (addr string, stop func() error) {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	return l.Addr().String(), func() error {
		cancel()
		return <-ended
	}
}

// friendGame creates a game by a link, and returns its path.
func friendGame(t *testing.T, s *web.Server) string {
	t.Helper()
	w := ask(s, "POST", "/api/friends",
		`{"side":"light","token":"0123456789abcdef","hash":"`+strings.Repeat("0", 64)+`"}`, nil)
	var game struct{ ID string }
	testkit.MustEqual(t, w.Code, http.StatusOK, "code of the answer %s", w.Body)
	testkit.NoError(t, json.Unmarshal(w.Body.Bytes(), &game))
	return "/api/friends/" + game.ID
}

// event reads the next event of a stream: the result of a game.
func event(t *testing.T, in *bufio.Reader) (result string) {
	t.Helper()
	for {
		line := testkit.Must(in.ReadString('\n'))(t)
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var state struct{ View struct{ Result string } }
			testkit.NoError(t, json.Unmarshal([]byte(data), &state))
			return state.View.Result
		}
	}
}

// A game is followed from its begin to its end, beyond the time in which an answer must have
// been written and though another client reads nothing; its stream ends with the server.
func TestEvents(t *testing.T) {
	s := newPage(t, web.Config{})
	const limit = 200 * time.Millisecond
	s.LimitAnswers(limit)
	game := friendGame(t, s)
	addr, stop := listen(t, s)
	deaf := testkit.Must(net.Dial("tcp", addr))(t)
	defer deaf.Close()
	fmt.Fprintf(deaf, "GET %s/events HTTP/1.1\r\nHost: %s\r\n\r\n", game, addr)

	stream := testkit.Must(http.Get("http://" + addr + game + "/events"))(t)
	testkit.Equal(t, stream.Header.Get("X-Accel-Buffering"), "no", "buffering of the events by a proxy")
	defer stream.Body.Close()
	in := bufio.NewReader(stream.Body)
	testkit.Equal(t, event(t, in), "unfinished", "the game of the first event")
	time.Sleep(5 * limit) // not to wait for something, but to let the limit pass
	w := ask(s, "POST", game+"/resign", `{"token":"0123456789abcdef"}`, nil)
	testkit.MustEqual(t, w.Code, http.StatusOK, "code of the answer %s", w.Body)
	for result := ""; result != "light resigned"; {
		result = event(t, in)
	}
	testkit.NoError(t, stop())
	_, err := io.Copy(io.Discard, in)
	testkit.ErrorIf(t, err != nil && err != io.ErrUnexpectedEOF, "the stream ends with %v", err)
}

// A client that sends its request by the drop, or not at all, holds nobody up.
func TestSlowClients(t *testing.T) {
	addr, stop := listen(t, newPage(t, web.Config{}))
	defer func() { testkit.NoError(t, stop()) }()
	for i := range 300 {
		c := testkit.Must(net.Dial("tcp", addr))(t)
		defer c.Close()
		fmt.Fprintf(c,
			"POST /api/game/new HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{",
			addr, 10+i)
	}
	answer := testkit.Must(http.Post("http://"+addr+"/api/game/new", "application/json",
		strings.NewReader(`{"light":"human","dark":"greedy"}`)))(t)
	defer answer.Body.Close()
	testkit.Equal(t, answer.StatusCode, http.StatusOK, "code beside 300 slow clients")
}

// A request that was received before the server ends is answered.
func TestLastRequest(t *testing.T) {
	addr, stop := listen(t, newPage(t, web.Config{}))
	c := testkit.Must(net.Dial("tcp", addr))(t)
	defer c.Close()
	const question = `{"light":"human","dark":"brain"}`
	fmt.Fprintf(c, "POST /api/game/new HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
		"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n%s", addr, len(question), question[:1])
	in := bufio.NewReader(c)
	for line := "-"; line != "\r\n"; { // "100 Continue": the server reads the request
		line = testkit.Must(in.ReadString('\n'))(t)
	}
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	for refused := false; !refused; time.Sleep(time.Millisecond) { // until nobody listens
		other, err := net.Dial("tcp", addr)
		if refused = err != nil; !refused {
			other.Close()
		}
	}
	fmt.Fprint(c, question[1:])
	answer := testkit.Must(http.ReadResponse(in, nil))(t)
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	testkit.Equal(t, answer.StatusCode, http.StatusOK, "code of the last answer, %s", text)
	testkit.NoError(t, <-ended)
}

// No request runs a program: not a new game, not a link or a record with the name of such a player,
// and not a game by a link.
func TestRequestsRunNoProgram(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "marker")
	spec := "exec:touch " + marker
	s := newPage(t, web.Config{})
	link := "2/1.0/" + url.PathEscape(spec) + "/human"
	record := `// The Royal Game of Ur\nlight ` + spec + `\ndark greedy\npieces 2\nseed 1\ngame 0\nresult unfinished\n`
	questions := map[string]string{"new": fmt.Sprintf(`{"light":%q,"dark":"human"}`, spec),
		"read": `{"text":"` + record + `"}`}
	refused := map[string]bool{"new": true, "go": true}
	for _, verb := range game.Verbs() {
		question, own := questions[verb]
		if !own {
			question = fmt.Sprintf(`{"game":%q,"from":0,"form":"jsonl"}`, link)
		}
		w := ask(s, "POST", "/api/game/"+verb, question, nil)
		isRefused := w.Code == http.StatusBadRequest && strings.Contains(w.Body.String(), "no player")
		testkit.ErrorIf(t, refused[verb] && !isRefused, "%s: code %d, %s", verb, w.Code, w.Body)
	}
	w := ask(s, "POST", "/api/friends",
		fmt.Sprintf(`{"token":"0123456789abcdef","side":"light","hash":"00","light":%q}`, spec), nil)
	testkit.ErrorIf(t, w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "unknown field"),
		"a game by a link: code %d, %s", w.Code, w.Body)
	testkit.WantErrorIs(t, testkit.ErrorOf(os.Stat(marker)), fs.ErrNotExist, "the file of the program")
}

// The page that needs no server plays a whole game, and its engine is small enough.
func TestBrowserPlaysAlone(t *testing.T) {
	t.Parallel()
	testkit.NeedLong(t, "compiles the standard library for WebAssembly")
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("go"))) // it builds the engine
	p, folder := newTab(t), t.TempDir()
	const most = 4_000_000 // bytes
	size := testkit.Must(web.Export(t.Context(), folder, false))(t)
	testkit.FatalIf(t, size == 0 || size >= most, "the engine has %d bytes, want less than %d", size, most)
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
	p.goTo(s.URL+"/#/g/2/3.0/human/level:3", begun)
	// An exported page is replaced on request only.
	testkit.WantErrorIs(t, testkit.ErrorOf(web.Export(t.Context(), folder, false)), web.ErrExported, "export")
	testkit.Must(web.Export(t.Context(), folder, true))(t)
}

// A server is an http.Handler: mount it anywhere.
func ExampleNew() {
	s := web.New(web.Config{Version: "example"})
	defer s.Close()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/api/about", nil)
	s.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	// Output: 200 application/json
}
