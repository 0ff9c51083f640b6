package fleet

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"github.com/seed-09dcdc84/ur/internal/filelock"
)

// ServeConfig says how a server is run inside this process.
type ServeConfig struct {
	Store string // folder that keeps jobs and results; made if it is not there
	Addr  string // HOST:PORT; port 0 takes any that is free

	// Token and Users are ways to say who may come: whoever knows the token, or has
	// the seed of one of these public keys (nkeys of users, U...). One of them must be
	// set where Addr is not of this machine alone.
	Token string
	Users []string

	// CertFile and KeyFile make the server speak TLS.
	CertFile, KeyFile string

	// Log, when not nil, is called with what the server has to say.
	Log func(message string)
}

// Server is a NATS server with JetStream inside this process.
type Server struct {
	server *server.Server
	config ServeConfig
	own    nkeys.KeyPair // of the server itself, where users have keys; else nil
	unlock func() error  // the store
}

// ErrStoreInUse says that another server has the store. Two would destroy it, which NATS does
// not prevent.
var ErrStoreInUse = errors.New("another server keeps its jobs and results there")

// lockFile is the file of a store that its server has locked.
const lockFile = "ur-fleet.lock"

// startTime is how long a server may take until it listens, its store read.
const startTime = time.Minute

// Serve starts a server. It listens when Serve returns. A store that another server has is an
// [ErrStoreInUse].
func Serve(c ServeConfig) (*Server, error) {
	options, err := c.options()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Store, 0o700); err != nil {
		return nil, fmt.Errorf("store of the fleet: %w", err)
	}
	unlock, err := filelock.Hold(filepath.Join(c.Store, lockFile))
	switch {
	case errors.Is(err, filelock.ErrLocked):
		return nil, fmt.Errorf("store of the fleet: %s: %w", c.Store, ErrStoreInUse)
	case err != nil:
		return nil, fmt.Errorf("store of the fleet: %w", err)
	}
	s := &Server{config: c, unlock: unlock}
	if err := s.start(options); err != nil {
		return nil, errors.Join(err, unlock())
	}
	return s, nil
}

// start starts the server, and waits until it listens.
func (s *Server) start(options *server.Options) (err error) {
	if s.own, err = ownKey(options); err != nil {
		return err
	}
	if s.server, err = server.NewServer(options); err != nil {
		return fmt.Errorf("fleet server: %w", err)
	}
	log := serverLog{s.config.Log, make(chan string, 1)}
	s.server.SetLoggerV2(log, false, false, false)
	s.server.Start()
	ready := make(chan bool, 1)
	go func() { ready <- s.server.ReadyForConnections(startTime) }()
	select {
	case ok := <-ready:
		if ok {
			return nil
		}
		err = fmt.Errorf("fleet server does not listen on %s after %s: is its store %s damaged?", s.config.Addr, startTime, s.config.Store)
	case message := <-log.fatal:
		err = fmt.Errorf("fleet server: %s", message)
	}
	s.server.Shutdown()
	s.server.WaitForShutdown()
	return err
}

// ownKey lets the server itself in, where only users with keys come in.
func ownKey(o *server.Options) (nkeys.KeyPair, error) {
	if len(o.Nkeys) == 0 {
		return nil, nil
	}
	own, err := nkeys.CreateUser()
	if err != nil {
		return nil, fmt.Errorf("fleet server: %w", err)
	}
	public, err := own.PublicKey()
	o.Nkeys = append(o.Nkeys, &server.NkeyUser{Nkey: public})
	return own, err
}

// Dial connects to the server from inside this process.
func (s *Server) Dial(ctx context.Context, name string) (*Conn, error) {
	return Dial(ctx, DialConfig{URL: "nats://in-process", Token: s.config.Token, Name: name, Reach: s.Reach, key: s.own})
}

// Check returns an error that says what is wrong with the configuration.
func (c ServeConfig) Check() error {
	_, err := c.options()
	return err
}

// options returns what the server is told, or an error that says what is wrong with c.
func (c ServeConfig) options() (*server.Options, error) {
	host, port, err := splitAddr(c.Addr)
	if err != nil {
		return nil, err
	}
	if c.Store == "" {
		return nil, errors.New("fleet server: a folder for its store is missing")
	}
	if c.Token != "" && len(c.Users) > 0 {
		return nil, errors.New("fleet server: give a token or public keys of users, not both")
	}
	if !isLoopback(host) && c.Token == "" && len(c.Users) == 0 {
		return nil, fmt.Errorf("fleet server: %s can be reached from other machines, so that a token or public keys of users are needed; 127.0.0.1 needs none", c.Addr)
	}
	o := &server.Options{
		ServerName:         "ur-fleet",
		Host:               host,
		Port:               port,
		NoSigs:             true, // whoever runs the server handles signals
		JetStream:          true,
		StoreDir:           c.Store,
		JetStreamMaxMemory: 64 << 20, // consumers only; streams are on disk
		JetStreamMaxStore:  1 << 40,
		MaxPayload:         maxResult,
		Authorization:      c.Token,
	}
	for _, user := range c.Users {
		if !nkeys.IsValidPublicUserKey(user) {
			return nil, fmt.Errorf("fleet server: %q is not the public key of a user, which begins with U, as \"ur fleet key\" prints it", user)
		}
		o.Nkeys = append(o.Nkeys, &server.NkeyUser{Nkey: user})
	}
	if c.CertFile != "" || c.KeyFile != "" {
		cert, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("fleet server: certificate: %w", err)
		}
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
		o.TLS = true
	}
	return o, nil
}

// splitAddr takes an address apart.
func splitAddr(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("address %q: want HOST:PORT, as in 127.0.0.1:4222", addr)
	}
	port, err = strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("address %q: port must be 0 to 65535", addr)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if host == "" {
		host = "0.0.0.0"
	}
	return host, port, nil
}

// isLoopback reports whether a host can be reached from this machine alone.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// URL is where clients and workers connect.
func (s *Server) URL() string {
	scheme := "nats"
	if s.config.CertFile != "" {
		scheme = "tls"
	}
	return scheme + "://" + s.server.Addr().String()
}

// Reach makes a connection to the server inside this process.
func (s *Server) Reach() (net.Conn, error) { return s.server.InProcessConn() }

// Store returns where the server keeps its data.
func (s *Server) Store() string { return filepath.Clean(s.config.Store) }

// Close stops the server. What it was told is on disk.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	s.unlock() //nolint:errcheck // a lock file that stays behind holds up nobody
}

// serverLog hands the server's messages on: to log, which may be nil, and the first one with
// which it gives up to fatal, too.
type serverLog struct {
	log   func(string)
	fatal chan string
}

func (l serverLog) Noticef(format string, v ...any) {}
func (l serverLog) Warnf(format string, v ...any)   { l.say(fmt.Sprintf(format, v...)) }
func (l serverLog) Errorf(format string, v ...any)  { l.say(fmt.Sprintf(format, v...)) }
func (l serverLog) Debugf(format string, v ...any)  {}
func (l serverLog) Tracef(format string, v ...any)  {}

// Fatalf is called for what keeps the server from beginning, and for what it cannot go on with.
func (l serverLog) Fatalf(format string, v ...any) {
	message := fmt.Sprintf(format, v...)
	l.say(message)
	select {
	case l.fatal <- message:
	default: // nobody waits for the beginning any more
	}
}

func (l serverLog) say(message string) {
	if l.log != nil {
		l.log(message)
	}
}
