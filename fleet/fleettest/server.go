// Package fleettest runs a NATS server inside tests of fleets. No program imports it.
package fleettest

import (
	"errors"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rogpeppe/go-internal/testscript"
)

// Server is a NATS server of this process.
type Server struct {
	server *server.Server
	addr   string
}

// Start starts a server with JetStream on the loopback address addr, or on a free port if it is
// "". Its store is a folder. A function may change the options.
func Start(store, addr string, change ...func(*server.Options)) (*Server, error) {
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: store}
	if _, port, err := net.SplitHostPort(addr); err == nil {
		if o.Port, err = strconv.Atoi(port); err != nil {
			return nil, err
		}
	}
	for _, f := range change {
		f(o)
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	go s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the NATS server does not start")
	}
	return &Server{s, s.Addr().String()}, nil
}

// Addr returns HOST:PORT.
func (s *Server) Addr() string { return s.addr }

// URL returns the address for clients, without credentials.
func (s *Server) URL() string { return "nats://" + s.Addr() }

// Stop stops the server. Its store stays.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// Script is the command "nats NAME" of scripts, or "nats NAME TOKEN": it runs a server until the script ends, and sets
// an environment variable to its address.
func Script(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: nats NAME [TOKEN]")
	}
	s, err := Start(ts.MkAbs("store-"+args[0]), "", func(o *server.Options) {
		if len(args) == 2 {
			o.Authorization = args[1]
		}
	})
	ts.Check(err)
	ts.Defer(s.Stop)
	ts.Setenv(args[0], s.URL())
}

// StopJetStream stops JetStream alone, as a server does whose disk is full.
func (s *Server) StopJetStream() error { return s.server.DisableJetStream() }
