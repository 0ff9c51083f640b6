package web_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/web"
	"github.com/seed-09dcdc84/ur/web/internal/page"
)

// newPage returns a server that is closed at the end.
func newPage(t testing.TB, c web.Config) *web.Server {
	t.Helper()
	s, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
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
	s := newPage(t, web.Config{Hosts: []string{"ur.example"}})
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
		{"GET", "/api/events", map[string]string{"Origin": "https://other.example"}, 403},
		{"GET", "/api/about", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"GET", "/api/about", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403},
		{"GET", "/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"GET", "/api/about", map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{"POST", "/api/game/new", map[string]string{"Content-Type": "text/plain"}, 415},
		{"POST", "/", nil, 405},
		{"GET", "/api/nothing", nil, 404},
		{"GET", "/../../etc/passwd", nil, 404},
		{"GET", "/api/plots/../../go.mod", nil, 404},
		{"GET", "/api/plots/%2e%2e/go.mod", nil, 404},
		{"POST", "/api/runs/match-0001/stop", nil, 404},
	} {
		if w := ask(s, c.method, c.path, begin, c.header); w.Code != c.want && !(c.want == 404 && w.Code/100 == 3) {
			t.Errorf("%s %s %v: %d, want %d: %s", c.method, c.path, c.header, w.Code, c.want, w.Body)
		}
	}
}

// Every answer tells browsers what the page may do.
func TestHeaders(t *testing.T) {
	w := ask(newPage(t, web.Config{}), "GET", "/", "", nil)
	policy := w.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Error("browsers may guess the types of files")
	}
}

// Requests that are too long are refused, whoever sends them.
func TestTooLong(t *testing.T) {
	s := newPage(t, web.Config{})
	if w := ask(s, "POST", "/api/game/show", `{"game":"`+strings.Repeat("0", 1<<20)+`"}`, nil); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a megabyte: %d %s", w.Code, w.Body)
	}
}

// The page is whole, whether it is sent compressed or not, is not sent twice, and is light.
func TestPage(t *testing.T) {
	s := newPage(t, web.Config{})
	total := 0
	err := fs.WalkDir(page.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(page.Files, name)
		plain, small := ask(s, "GET", "/"+name, "", nil), ask(s, "GET", "/"+name, "", map[string]string{"Accept-Encoding": "br, gzip"})
		total += small.Body.Len()
		unpacked, zipped := gzip.NewReader(small.Body)
		if zipped != nil {
			return zipped
		}
		whole, zipped := io.ReadAll(unpacked)
		if !bytes.Equal(plain.Body.Bytes(), text) || !bytes.Equal(whole, text) || zipped != nil {
			t.Errorf("%s has %d bytes, is sent with %d, and unpacked with %d: %v", name, len(text), plain.Body.Len(), len(whole), zipped)
		}
		if w := ask(s, "GET", "/"+name, "", map[string]string{"If-None-Match": plain.Header().Get("ETag")}); w.Code != http.StatusNotModified {
			t.Errorf("%s is sent again: %d", name, w.Code)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if total < 10_000 || total >= 60_000 {
		t.Errorf("the page has %d bytes as it is sent, want less than 60,000", total)
	}
}

// listen serves on a port, and returns its address.
func listen(t testing.TB, s *web.Server) (addr string, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	return l.Addr().String(), func() error {
		cancel()
		return <-ended
	}
}

// event reads the next event of a stream.
func event(t *testing.T, in *bufio.Reader) (runs struct {
	Whole bool
	Runs  []struct {
		ID, Kind, State, Title string
		Done, Total            int64
	}
}) {
	t.Helper()
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(data), &runs); err != nil {
				t.Fatal(err)
			}
			return runs
		}
	}
}

// A match is followed from its begin to its end; who listens is told when the server ends,
// though nobody reads what another client is sent.
func TestEvents(t *testing.T) {
	s := newPage(t, web.Config{})
	addr, stop := listen(t, s)
	deaf, err := net.Dial("tcp", addr) // asks for events, and never reads one
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	fmt.Fprintf(deaf, "GET /api/events HTTP/1.1\r\nHost: %s\r\n\r\n", addr)

	stream, err := http.Get("http://" + addr + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	in := bufio.NewReader(stream.Body)
	if first := event(t, in); !first.Whole || len(first.Runs) > 0 {
		t.Errorf("the first event is %+v", first)
	}
	begun := ask(s, "POST", "/api/runs", `{"players":["greedy","random"],"games":400,"seed":1}`, nil)
	if begun.Code != http.StatusCreated {
		t.Fatalf("%d %s", begun.Code, begun.Body)
	}
	for {
		e := event(t, in)
		if len(e.Runs) != 1 || e.Runs[0].Title != "greedy against random" || e.Runs[0].Total != 400 {
			t.Fatalf("an event of %+v", e)
		}
		if e.Runs[0].State == "done" {
			if e.Runs[0].Done != 400 {
				t.Errorf("done with %d games", e.Runs[0].Done)
			}
			break
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := io.Copy(io.Discard, in); err != nil && err != io.ErrUnexpectedEOF {
		t.Errorf("the stream ends with %v", err)
	}
}

// Matches that cannot begin are refused by a sentence, and no more begin than are allowed.
func TestMatches(t *testing.T) {
	s := newPage(t, web.Config{Parallel: 1})
	for body, want := range map[string]string{
		`{"players":["greedy","random"],"games":3}`:                     "even number",
		`{"players":["greedy","random"],"games":2000000}`:               "even number",
		`{"players":["greedy","random"],"games":2,"pieces":9}`:          "1 to 7",
		`{"players":["human","random"],"games":2}`:                      "no player",
		`{"players":["brain:../mine.txt","random"],"games":2}`:          "no player",
		`{"players":["greedy","random"],"games":2,"engine":"array16"}`:  "unknown field",
		`{"players":["greedy","random","first"],"games":2,"pieces":"7"`: "JSON",
	} {
		if w := ask(s, "POST", "/api/runs", body, nil); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want 400 and %q", body, w.Code, w.Body, want)
		}
	}
	const long = `{"players":["net@2","net@2"],"games":1000000}`
	for range 4 {
		if w := ask(s, "POST", "/api/runs", long, nil); w.Code != http.StatusCreated {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if w := ask(s, "POST", "/api/runs", long, nil); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a fifth match: %d %s", w.Code, w.Body)
	}
	if w := ask(s, "POST", "/api/runs/match-0001/stop", "{}", nil); w.Code != http.StatusOK {
		t.Errorf("stop: %d %s", w.Code, w.Body)
	}
	waitFor(t, s, "match-0001", "stopped")
}

// waitFor waits until a run is in a state, and returns its JSON.
func waitFor(t *testing.T, s *web.Server, id, state string) map[string]any {
	t.Helper()
	var last string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var news struct{ Runs []map[string]any }
		last = ask(s, "GET", "/api/runs", "", nil).Body.String()
		if err := json.Unmarshal([]byte(last), &news); err != nil {
			t.Fatal(err)
		}
		for _, r := range news.Runs {
			if r["id"] == id && r["state"] == state {
				return r
			}
		}
	}
	t.Fatalf("%s does not come to be %s: %s", id, state, last)
	return nil
}

// Files of the data folder are players and runs; what lies outside is neither, whatever
// leads there.
func TestDataFolder(t *testing.T) {
	outside, data := t.TempDir(), t.TempDir()
	brain, err := os.ReadFile(filepath.Join("..", "brain_default.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(outside, "secret.txt"), filepath.Join(data, "mine.txt")} {
		if err := os.WriteFile(file, brain, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	curve := "games,seconds,rival,match_games,rate,low,high\n100,1.5,brain,200,0.25,0.2,0.3\n"
	if err := os.WriteFile(filepath.Join(data, "curve.csv"), []byte(curve), 0o666); err != nil {
		t.Fatal(err)
	}
	if later := time.Now().Add(time.Hour); os.Chtimes(filepath.Join(data, "curve.csv"), later, later) != nil {
		t.Fatal("the time of a file cannot be set") // so that it does not become still meanwhile
	}
	if err := os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(data, "linked.txt")); err != nil {
		t.Logf("no links here: %v", err)
	}
	s := newPage(t, web.Config{Data: data})
	about := ask(s, "GET", "/api/about", "", nil).Body.String()
	if !strings.Contains(about, `"brain:mine.txt"`) || strings.Contains(about, "linked") {
		t.Errorf("players: %s", about)
	}
	for name, want := range map[string]int{
		"brain:mine.txt": 200, "brain:linked.txt": 400, "brain:../secret.txt": 400, "brain:./mine.txt": 400,
		"brain:" + filepath.Join(outside, "secret.txt"): 400, "net:mine.txt": 400,
	} {
		q, err := json.Marshal(map[string]any{"light": "human", "dark": name})
		if err != nil {
			t.Fatal(err)
		}
		if w := ask(s, "POST", "/api/game/new", string(q), nil); w.Code != want {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, want)
		}
	}
	r := waitFor(t, s, "curve.csv", "running")
	if points := r["training"].(map[string]any)["points"].([]any); len(points) != 1 {
		t.Errorf("the curve has %d points", len(points))
	}
	if err := os.Remove(filepath.Join(data, "curve.csv")); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); strings.Contains(ask(s, "GET", "/api/runs", "", nil).Body.String(), "curve.csv"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a file that is gone is still shown")
		}
	}
}

// A folder that is not there is told at once.
func TestNoFolder(t *testing.T) {
	if _, err := web.New(web.Config{Data: filepath.Join(t.TempDir(), "nowhere")}); err == nil {
		t.Error("a folder that is not there is watched")
	}
}

// The ladder has every engine and plot of the records.
func TestLadder(t *testing.T) {
	s := newPage(t, web.Config{Records: records(t)})
	var l web.Ladder
	if err := json.Unmarshal(ask(s, "GET", "/api/ladder", "", nil).Body.Bytes(), &l); err != nil {
		t.Fatal(err)
	}
	r := l.Records[0]
	if len(r.Rows) < 5 || len(r.Plots) < 2 || r.Rows[0].Engine != r.Baseline || r.Rows[0].Faster != 1 {
		t.Errorf("the ladder is %+v", r)
	}
	for _, p := range r.Plots {
		w := ask(s, "GET", "/api/plots/"+p.File, "", nil)
		if w.Code != 200 || !strings.Contains(w.Body.String(), "<svg") || w.Header().Get("Content-Type") != "image/svg+xml" {
			t.Errorf("%s: %d %.80s", p.File, w.Code, w.Body)
		}
	}
}

// A client that sends its request by the drop, or not at all, holds nobody up.
func TestSlowClients(t *testing.T) {
	addr, stop := listen(t, newPage(t, web.Config{}))
	defer func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}()
	for i := range 300 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /api/game/new HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{", addr, 10+i)
	}
	answer, err := http.Post("http://"+addr+"/api/game/new", "application/json", strings.NewReader(`{"light":"human","dark":"greedy"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("beside 300 slow clients: %s", answer.Status)
	}
}

// A stream goes on when the time is over in which an answer must have been written.
func TestStreamOutlivesAnswers(t *testing.T) {
	s := newPage(t, web.Config{})
	const limit = 200 * time.Millisecond
	s.LimitAnswers(limit)
	addr, stop := listen(t, s)
	stream, err := http.Get("http://" + addr + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	in := bufio.NewReader(stream.Body)
	event(t, in)
	time.Sleep(5 * limit) // not to wait for something, but to let the limit pass
	if begun := ask(s, "POST", "/api/runs", `{"players":["greedy","random"],"games":2,"pieces":1}`, nil); begun.Code != http.StatusCreated {
		t.Fatalf("%d %s", begun.Code, begun.Body)
	}
	if e := event(t, in); len(e.Runs) != 1 {
		t.Errorf("after a while the stream says %+v", e)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// A request that was received before the server ends is answered from the data folder.
func TestLastRequest(t *testing.T) {
	data := t.TempDir()
	brain, err := os.ReadFile(filepath.Join("..", "brain_default.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "mine.txt"), brain, 0o666); err != nil {
		t.Fatal(err)
	}
	addr, stop := listen(t, newPage(t, web.Config{Data: data}))
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const question = `{"light":"human","dark":"brain:mine.txt"}`
	fmt.Fprintf(c, "POST /api/game/new HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", addr, len(question), question[:1])
	time.Sleep(50 * time.Millisecond) // a request that has not been read yet is dropped, which is no news
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	for refused := false; !refused; time.Sleep(time.Millisecond) { // until nobody listens
		other, err := net.Dial("tcp", addr)
		if refused = err != nil; !refused {
			other.Close()
		}
	}
	fmt.Fprint(c, question[1:])
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
		t.Errorf("the last request is answered by %s: %s", answer.Status, text)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// The status of a fleet is told, and why there is none.
func TestFleet(t *testing.T) {
	var back atomic.Bool
	s := newPage(t, web.Config{Fleet: func(context.Context) (any, error) {
		if !back.Load() {
			return nil, errors.New("the fleet is away")
		}
		return map[string]int{"results": 7}, nil
	}})
	if r := waitFor(t, s, "fleet", "failed"); r["error"] != "the fleet is away" {
		t.Errorf("a fleet that is away is told as %v", r)
	}
	back.Store(true)
	if r := waitFor(t, s, "fleet", "running"); fmt.Sprint(r["fleet"]) != "map[results:7]" {
		t.Errorf("the status is told as %v", r)
	}
	if !strings.Contains(ask(s, "GET", "/api/about", "", nil).Body.String(), `"fleet":true`) {
		t.Error("the page is not told that there is a fleet")
	}
}
