package web

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/web/internal/friend"
	"github.com/seed-09dcdc84/ur/web/internal/game"
	"github.com/seed-09dcdc84/ur/web/internal/live"
)

// Config configures a server.
type Config struct {
	Version string // of the program

	// Hosts are additional host names to accept, without a port. Addresses are always accepted,
	// and "localhost" for requests from this machine.
	Hosts []string

	// Data is the folder of tournaments, trainings, brains, nets and tables; "" is none.
	Data string

	// Records are the records of the ladder.
	Records []record.Record

	// Fleet, when not nil, returns the status of a fleet, to be written as JSON.
	Fleet func(context.Context) (any, error)

	// Parallel is how many goroutines a match may play on; 0 means GOMAXPROCS.
	Parallel int
}

// Limits of requests. A client that exceeds one gets an error; other clients are unaffected.
const (
	maxConnections = 1024
	maxAnswers     = 256 // questions in progress or waiting at a time
	maxStreams     = 128
	maxBody        = game.MaxQuestion
	maxHeader      = 1 << 14

	preparePatience = 2 * time.Second // a request's wait for the preparation of a player

	answerTime = 20 * time.Second // to answer a question, the wait for a processor included
	readTime   = 10 * time.Second // to read a request
	writeTime  = 30 * time.Second // to write an answer
	idleTime   = 2 * time.Minute  // to keep a connection without requests
)

// Server is the page as an [http.Handler]. It must be closed.
type Server struct {
	config   Config
	folder   *folder
	room     *game.Room
	hub      *live.Hub
	handler  http.Handler
	answers  chan struct{} // one for each question in progress or waiting
	analyses chan struct{} // one for each game being analyzed: others wait
	streams  chan struct{} // one for each connected client
	lobby    *friend.Lobby

	playerStreams chan struct{} // one for each connected player or watcher

	writeTime time.Duration // to write an answer
}

// New returns a server. It watches the data folder until it is closed.
func New(c Config) (*Server, error) {
	folder, err := openFolder(c.Data)
	if err != nil {
		return nil, err
	}
	s := &Server{
		config:   c,
		folder:   folder,
		room:     &game.Room{Players: &game.Roster{Files: folder.players, Patience: preparePatience, Ponders: true}},
		hub:      live.NewHub(),
		answers:  make(chan struct{}, maxAnswers),
		analyses: make(chan struct{}, runtime.GOMAXPROCS(0)),
		streams:  make(chan struct{}, maxStreams),
		lobby:    friend.NewLobby(),

		playerStreams: make(chan struct{}, maxPlayerStreams),

		writeTime: writeTime,
	}
	s.handler = s.guard(s.routes())
	s.watch()
	return s, nil
}

// Close ends all matches, streams and preparations of players, and closes the data folder.
func (s *Server) Close() {
	s.hub.Close()
	s.lobby.Close()
	s.room.Players.Close()
	s.folder.close()
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// routes returns the handlers of all paths.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", s.page)
	mux.HandleFunc("GET /api/about", s.about)
	mux.HandleFunc("POST /api/game/{verb}", s.game)
	mux.HandleFunc("POST /api/friends", s.createFriend)
	mux.HandleFunc("POST /api/friends/{id}/{verb}", s.friend)
	mux.HandleFunc("GET /api/friends/{id}/events", s.friendEvents)
	mux.HandleFunc("GET /api/runs", s.runs)
	mux.HandleFunc("POST /api/runs", s.beginMatch)
	mux.HandleFunc("POST /api/runs/{id}/stop", s.stopMatch)
	mux.HandleFunc("GET /api/events", s.events)
	mux.HandleFunc("GET /api/ladder", s.ladder)
	mux.HandleFunc("GET /api/plots/{slug}/{file}", s.plot)
	mux.HandleFunc("/api/", s.nothing)
	return mux
}

// Serve answers on a listener until ctx ends. Requests received by then are still answered, for
// at most a few seconds; streams and matches end at once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: readTime, ReadTimeout: readTime, WriteTimeout: s.writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeader, ErrorLog: log.New(discard{}, "", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(limitListener(l, maxConnections)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.hub.Close() // streams would keep Shutdown waiting
	s.lobby.Close()
	const patience = 5 * time.Second
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := server.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return server.Close()
}

// discard drops net/http's messages about broken connections: clients disconnect all the time.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
