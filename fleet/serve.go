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

// ServeConfig configures a server inside this process.
type ServeConfig struct {
	Store string // folder for jobs and results; created if missing
	Addr  string // HOST:PORT; port 0 picks a free one

	// Token and Users authenticate clients: by the token, or by the seed of one of these public
	// keys (nkeys of users, U...). One of them is required unless Addr is local to this
	// machine.
	Token string
	Users []string

	// CertFile and KeyFile make the server speak TLS.
	CertFile, KeyFile string

	// Repair sets damaged streams of the store aside, and begins them anew.
	Repair bool

	// Log, if not nil, is called with the server's messages.
	Log func(message string)
}

// Server is a NATS server with JetStream inside this process.
type Server struct {
	server *server.Server
	config ServeConfig
	own    nkeys.KeyPair // of the server itself, if users have keys; otherwise nil
	unlock func() error  // the store
	log    *serverLog
}

// ErrStoreInUse reports that another server uses the store. Two would destroy it; NATS does not
// prevent that.
var ErrStoreInUse = errors.New("another server uses this store")

// lockFile is the lock file of a store's server.
const lockFile = "ur-fleet.lock"

// Serve starts a server. It listens when Serve returns. A store in use by another server is an
// [ErrStoreInUse], and one that cannot be loaded a [*DamagedStoreError].
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
	if s.own, err = ownKey(options); err == nil {
		err = s.startOrRepair(options)
	}
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return s, nil
}

// startOrRepair starts the server, and sets damaged parts of its store aside if configured.
func (s *Server) startOrRepair(options *server.Options) error {
	for {
		var damaged *DamagedStoreError
		err := s.start(options.Clone())
		if !s.config.Repair || !errors.As(err, &damaged) {
			return err
		}
		to, err := setAside(s.config.Store, damaged.damaged)
		if err != nil {
			return errors.Join(damaged, err)
		}
		s.log.report(fmt.Sprintf("%v: it was moved to %s, and is begun anew", damaged, to))
	}
}

// start starts the server, waits until it listens, and checks its store.
func (s *Server) start(options *server.Options) (err error) {
	if err := forgetConsumers(s.config.Store); err != nil {
		return fmt.Errorf("store of the fleet: %w", err)
	}
	if s.server, err = server.NewServer(options); err != nil {
		return fmt.Errorf("fleet server: %w", err)
	}
	s.log = newServerLog(s.config.Log)
	s.server.SetLoggerV2(s.log, false, false, false)
	limit := loadLimit(s.config.Store)
	ready := make(chan bool, 1)
	go func() { s.server.Start(); ready <- s.server.ReadyForConnections(limit) }()
	select {
	case ok := <-ready:
		if ok {
			err = s.check()
			break
		}
		err = s.notLoaded(limit)
	case <-time.After(limit): // Start itself loads the store
		return s.notLoaded(limit) // it cannot be interrupted
	case message := <-s.log.fatal:
		err = fmt.Errorf("fleet server: %s", message)
	}
	if err != nil {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	return err
}

// notLoaded returns the error about a store that takes too long to load.
func (s *Server) notLoaded(limit time.Duration) error {
	folder := filepath.Join(s.config.Store, storeFolder)
	return s.damage(folder, fmt.Errorf("not loaded within %s", limit))
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
	return Dial(ctx, s.dialConfig(name))
}

// dialConfig leads to the server from inside this process.
func (s *Server) dialConfig(name string) DialConfig {
	return DialConfig{URL: "nats://in-process", Token: s.config.Token, Name: name, Reach: s.reach, key: s.own}
}

// Wait waits until ctx ends, and returns nil, or until the server can store no more messages,
// and returns the reason. Clients and workers receive that reason, too.
func (s *Server) Wait(ctx context.Context) error {
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		reason := ""
		select {
		case <-ctx.Done():
			return nil
		case reason = <-s.log.unwritable:
		case <-look.C:
			if s.server.JetStreamEnabled() {
				continue
			}
			reason = "JetStream was disabled"
		}
		err := fmt.Errorf("the store %s cannot be written: %s", s.config.Store, reason)
		s.announce(err)
		return err
	}
}

// announce sends all connections the reason why the server ends.
func (s *Server) announce(reason error) {
	nc, _, err := dialServer(context.Background(), s.dialConfig("ur serve"))
	if err != nil {
		return // they notice that it is away
	}
	defer nc.Close()
	if nc.Publish(troubleSubject, []byte(reason.Error())) == nil {
		_ = nc.FlushTimeout(publishTime)
	}
}

// Check returns an error that names the invalid field of the configuration.
func (c ServeConfig) Check() error {
	_, err := c.options()
	return err
}

// options returns the options of the NATS server, or an error that names the invalid field of
// c.
func (c ServeConfig) options() (*server.Options, error) {
	host, port, err := splitAddr(c.Addr)
	if err != nil {
		return nil, err
	}
	if c.Store == "" {
		return nil, errors.New("fleet server: no folder for the store")
	}
	if c.Token != "" && len(c.Users) > 0 {
		return nil, errors.New("fleet server: both a token and public keys of users (want one of them)")
	}
	if !isLoopback(host) && c.Token == "" && len(c.Users) == 0 {
		return nil, fmt.Errorf("fleet server: %s accepts other machines without authentication (want a token or public keys of users, or the address 127.0.0.1)", c.Addr)
	}
	o := &server.Options{
		ServerName:         "ur-fleet",
		Host:               host,
		Port:               port,
		NoSigs:             true, // the caller handles signals
		JetStream:          true,
		StoreDir:           c.Store,
		JetStreamMaxMemory: 64 << 20, // consumers only; streams are on disk
		JetStreamMaxStore:  1 << 40,
		MaxPayload:         maxResult,
		Authorization:      c.Token,
	}
	for _, user := range c.Users {
		if !nkeys.IsValidPublicUserKey(user) {
			return nil, fmt.Errorf("fleet server: %q is not a public key of a user (want a key that begins with U, as printed by \"ur fleet key\")", user)
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
		return "", 0, fmt.Errorf("invalid address %q (want HOST:PORT, as in 127.0.0.1:4222)", addr)
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

// reach makes a connection to the server inside this process.
func (s *Server) reach() (net.Conn, error) { return s.server.InProcessConn() }

// Close stops the server. Its stored messages are on disk.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	s.unlock() //nolint:errcheck // a leftover lock file blocks no process
}
