// Package web serves the Royal Game of Ur as a page. Users play against any player with hints
// and analysis, and share games by link. [New] returns the handler, [Server.Serve] listens with
// limits on requests, and [Export] writes the page for use without a server, with the engine as
// WebAssembly.
//
// The paths are the list of [Server.routes]; docs/serve.md describes them. Answers are JSON with a
// schema, and {"error": "..."} with a status of 400 and above.
//
// # Security
//
// The server opens no files but its user's tables. It accepts only its own host names
// ([Config.Hosts]), which prevents other sites from reaching it through a browser, and only
// requests from pages it served itself. Requests are limited in size, number and time. An event
// that a client does not read in time ends its stream, so slow clients never delay others.
//
// # Locks
//
// Places are taken before locks: a request takes one of the server's places (answers, analyses,
// streams) and holds it until it is answered. Under it, at most one of these locks is held at a
// time:
//
//	game.Service.mutex  players and their preparations, not while a player is prepared or moves
//	friend.Games.mutex  games of two people and their watchers
//
// Players and evaluators are kept in pools, without locks. [Server.Close] ends the games by a link,
// then the preparations.
package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/web/internal/friend"
	"github.com/seed-09dcdc84/ur/web/internal/game"
	"golang.org/x/net/netutil"
)

// Config configures a server.
type Config struct {
	Version string // program version

	// Hosts are additional host names to accept, without a port. Addresses are always accepted,
	// and "localhost" for requests from this machine.
	Hosts []string
}

// Limits of requests. A client beyond one gets an error; other clients are unaffected.
const (
	maxConnections = 1024
	maxAnswers     = 256 // questions in progress or waiting at a time
	maxStreams     = 256 // browsers that follow games by a link
	maxBody        = game.MaxQuestion
	maxHeader      = 1 << 14

	preparePatience = 2 * time.Second // a request's wait for the preparation of a player

	answerTime = 20 * time.Second // limit for an answer, the wait for a processor included
	readTime   = 10 * time.Second // limit for reading a request
	writeTime  = 30 * time.Second // limit for writing an answer
	idleTime   = 2 * time.Minute  // limit for a connection without requests
)

// Server is the page as an [http.Handler]. It must be closed.
type Server struct {
	config   Config
	service  *game.Service
	handler  http.Handler
	answers  chan struct{} // one for each question in progress or waiting
	analyses chan struct{} // one for each game being analyzed: others wait
	streams  chan struct{} // one for each connected client
	friends  *friend.Games

	writeTime time.Duration // limit for writing an answer
}

// New returns a server.
func New(c Config) *Server {
	s := &Server{
		config:    c,
		service:   &game.Service{Patience: preparePatience},
		answers:   make(chan struct{}, maxAnswers),
		analyses:  make(chan struct{}, runtime.GOMAXPROCS(0)),
		streams:   make(chan struct{}, maxStreams),
		friends:   friend.NewGames(),
		writeTime: writeTime,
	}
	s.handler = s.guardRequests(s.routes())
	return s
}

// Close ends all streams and preparations of players.
func (s *Server) Close() {
	s.friends.Close()
	s.service.Close()
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for path, handler := range map[string]http.HandlerFunc{
		"/":                             s.answerPage,
		"/api/":                         s.answerNothing,
		"GET /api/about":                s.answerAbout,
		"POST /api/game/{verb}":         s.questionHandler(s.answerGame),
		"POST /api/friends":             s.questionHandler(s.answerFriend),
		"POST /api/friends/{id}/{verb}": s.questionHandler(s.answerFriend),
		"GET /api/friends/{id}/events":  s.friendEvents,
	} {
		mux.HandleFunc(path, handler)
	}
	return mux
}

// Serve answers on a listener until ctx ends. Requests received by then are still answered, for
// at most a few seconds; streams end at once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: readTime, ReadTimeout: readTime, WriteTimeout: s.writeTime,
		IdleTimeout:    idleTime,
		MaxHeaderBytes: maxHeader, ErrorLog: log.New(io.Discard, "", 0), // clients break connections all the time
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(netutil.LimitListener(l, maxConnections)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.friends.Close() // streams would keep Shutdown waiting
	const patience = 5 * time.Second
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := server.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return server.Close()
}

// policy limits the page to resources of this server and to WebAssembly.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guardRequests rejects requests not meant for this server and sets the page's security headers.
func (s *Server) guardRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !s.knowsHost(r.Host):
			writeError(w, http.StatusMisdirectedRequest,
				"unknown host %q (want an address, localhost or a configured host name)", text.Clip(r.Host))
		case !fromHere(r):
			writeError(w, http.StatusForbidden, "a page of another site asks, from %q: only pages of this server may",
				text.Clip(r.Header.Get("Origin")))
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			next.ServeHTTP(w, r)
		}
	})
}

// knowsHost reports whether a Host header names this server. This prevents DNS rebinding: a
// page of another site whose name was made to resolve to this server has that name as its host.
// An address cannot be rebound.
func (s *Server) knowsHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	known := func(name string) bool { return host != "" && strings.EqualFold(name, host) }
	return known("localhost") || net.ParseIP(host) != nil || slices.ContainsFunc(s.config.Hosts, known)
}

// fromHere reports whether a request comes from a page of this server, or from no page.
func fromHere(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		// A user may open the page by a link from another site.
		return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
			!strings.HasPrefix(r.URL.Path, "/api/")
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		writeError(w, http.StatusInternalServerError, "the answer cannot be written as JSON: %v", err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(text, '\n')) //nolint:errcheck // the client is gone: there is no one to report to
}

// writeError answers with an error, on one line.
func writeError(w http.ResponseWriter, status int, format string, args ...any) {
	line := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	writeJSON(w, status, map[string]string{"error": line})
}

func (s *Server) answerNothing(w http.ResponseWriter, r *http.Request) {
	writeError(w, http.StatusNotFound, "not found: %s %s", r.Method, text.Clip(r.URL.Path))
}

func (s *Server) answerAbout(w http.ResponseWriter, _ *http.Request) {
	a := game.NewAbout(s.config.Version)
	a.Server = true
	writeJSON(w, http.StatusOK, a)
}

// enterPlace takes one of the places for requests, or answers with an error if there is none. leave
// gives it back.
func enterPlace(w http.ResponseWriter, places chan struct{}, what string) (leave func(), ok bool) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, true
	default:
		w.Header().Set("Retry-After", "1")
		writeError(w, http.StatusServiceUnavailable, "%d %s at a time are too many: try again in a second",
			cap(places), what)
		return nil, false
	}
}

// readBody reads the JSON of a request. Its type is asked for, since a page of another site
// could send any other without being asked by its browser.
func readBody(w http.ResponseWriter, r *http.Request) (content []byte, ok bool) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		writeError(w, http.StatusUnsupportedMediaType, "the request is %q (want application/json)",
			text.Clip(r.Header.Get("Content-Type")))
		return nil, false
	}
	content, err = io.ReadAll(r.Body)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		writeError(w, http.StatusRequestEntityTooLarge, "the request has more than %d bytes", long.Limit)
	case err != nil:
		writeError(w, http.StatusBadRequest, "the request was not read completely: %v", err)
	}
	return content, err == nil
}

func (s *Server) questionHandler(answer func(ctx context.Context, r *http.Request, question []byte) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		question, ok := readBody(w, r) // no place is taken yet: a slow sender must not block others
		if !ok {
			return
		}
		leave, ok := enterPlace(w, s.answers, "questions")
		if !ok {
			return
		}
		defer leave()
		ctx, cancel := context.WithTimeout(r.Context(), answerTime)
		defer cancel()
		value, err := answer(ctx, r, question)
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %s (try again, or choose a faster player): %w",
				answerTime, context.DeadlineExceeded)
		}
		if err == nil {
			writeJSON(w, http.StatusOK, value)
			return
		}
		status := statusOf(err)
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", strconv.Itoa(int(preparePatience.Seconds())))
		}
		writeError(w, status, "%v", err)
	}
}

// statusOf returns the HTTP status of an error. After 503 a page repeats its request.
func statusOf(err error) int {
	switch {
	case errors.As(err, new(*game.PreparingError)), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	case errors.Is(err, friend.ErrUnknown):
		return http.StatusNotFound
	case errors.Is(err, friend.ErrFull):
		return http.StatusTooManyRequests
	case errors.Is(err, friend.ErrSeats), errors.Is(err, friend.ErrToken):
		return http.StatusForbidden
	}
	return http.StatusBadRequest
}

// answerGame answers a question about a game. Analyses, which take longest, leave processors to others.
func (s *Server) answerGame(ctx context.Context, r *http.Request, question []byte) (any, error) {
	verb := r.PathValue("verb")
	if verb == "analysis" {
		select {
		case s.analyses <- struct{}{}:
			defer func() { <-s.analyses }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.service.Answer(ctx, verb, question)
}

// answerFriend answers a request about a game of two people, or one for a new game.
func (s *Server) answerFriend(_ context.Context, r *http.Request, question []byte) (any, error) {
	var q friend.Request
	if err := game.Decode(question, &q); err != nil {
		return nil, fmt.Errorf("the question is not the JSON of one: %w", err)
	}
	if id := r.PathValue("id"); id != "" {
		return s.friends.Do(id, r.PathValue("verb"), &q)
	}
	return s.friends.Create(addressOf(r), &q)
}

// addressOf returns a client's address; a whole network of 64 bits counts as one client. A
// proxy on this machine names its client in the last X-Forwarded-For.
func addressOf(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	client := at.Addr().Unmap()
	if forwarded := r.Header.Values("X-Forwarded-For"); client.IsLoopback() && len(forwarded) > 0 {
		last := forwarded[len(forwarded)-1]
		if named, err := netip.ParseAddr(strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])); err == nil {
			client = named.Unmap()
		}
	}
	network, _ := client.Prefix(min(client.BitLen(), 64)) // the length fits
	return network.String()
}

// How events are sent.
const (
	eventTime = 10 * time.Second       // limit for a client to receive one
	beat      = 15 * time.Second       // between signs of life
	eventGap  = 150 * time.Millisecond // between events at least
)

// friendEvents sends the state of a game of two people, at first and after every change.
func (s *Server) friendEvents(w http.ResponseWriter, r *http.Request) {
	leave, ok := enterPlace(w, s.streams, "players and watchers")
	if !ok {
		return
	}
	defer leave()
	next, leaveGame, err := s.friends.Watch(r.PathValue("id"))
	if err != nil {
		writeError(w, statusOf(err), "%v", err)
		return
	}
	defer leaveGame()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // or nginx would keep events until its buffer is full
	to := http.NewResponseController(w)
	for {
		state, err := next(r.Context(), beat)
		if err != nil {
			return
		}
		event := ": still here\n\n"
		if state != nil {
			line, err := json.Marshal(state)
			if err != nil {
				return
			}
			event = "event: game\ndata: " + string(line) + "\n\n"
		}
		if err := to.SetWriteDeadline(time.Now().Add(eventTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return
		}
		if _, err := io.WriteString(w, event); err != nil || to.Flush() != nil {
			return
		}
		select {
		case <-time.After(eventGap):
		case <-s.friends.Closed:
			return
		case <-r.Context().Done():
			return
		}
	}
}
