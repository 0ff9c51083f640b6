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
}

// startTime is how long a server may take until it listens, its store read.
const startTime = time.Minute

// Serve starts a server. It listens when Serve returns.
func Serve(c ServeConfig) (*Server, error) {
	options, err := c.options()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Store, 0o700); err != nil {
		return nil, fmt.Errorf("store of the fleet: %w", err)
	}
	own, err := ownKey(options)
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("fleet server: %w", err)
	}
	if c.Log != nil {
		s.SetLoggerV2(serverLog{c.Log}, false, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		return nil, fmt.Errorf("fleet server does not listen on %s after %s: is the port in use, or the store %s damaged or held by another server?", c.Addr, startTime, c.Store)
	}
	return &Server{s, c, own}, nil
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
		NoLog:              c.Log == nil,
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
}

// serverLog hands the server's messages on.
type serverLog struct{ log func(string) }

func (l serverLog) Noticef(format string, v ...any) {}
func (l serverLog) Warnf(format string, v ...any)   { l.log(fmt.Sprintf(format, v...)) }
func (l serverLog) Errorf(format string, v ...any)  { l.log(fmt.Sprintf(format, v...)) }
func (l serverLog) Fatalf(format string, v ...any)  { l.log(fmt.Sprintf(format, v...)) }
func (l serverLog) Debugf(format string, v ...any)  {}
func (l serverLog) Tracef(format string, v ...any)  {}
