package main

import (
	"bytes"
	"net"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/fleet"
)

// far returns a way to a server over which every byte takes a time, each way.
func far(server *fleet.Server, latency time.Duration) func() (net.Conn, error) {
	return func() (net.Conn, error) {
		near, err := server.Reach()
		if err != nil || latency == 0 {
			return near, err
		}
		here, there := net.Pipe()
		c := &line{here, near, sync.OnceFunc(func() { near.Close(); here.Close(); there.Close() })}
		go c.carry(there, near, latency)
		go c.carry(near, there, latency)
		return c, nil
	}
}

// line is a connection whose bytes are carried by goroutines.
type line struct {
	net.Conn
	near  net.Conn
	close func()
}

// Close breaks the connection at both ends.
func (l *line) Close() error {
	l.close()
	return nil
}

// parcel is bytes under way.
type parcel struct {
	data []byte
	due  time.Time
}

// carry takes bytes from one end and brings them to the other when they are due.
func (l *line) carry(from, to net.Conn, latency time.Duration) {
	defer l.close()
	way := make(chan parcel, 64)
	go func() {
		defer close(way)
		data := make([]byte, 16<<10)
		for {
			n, err := from.Read(data)
			if n > 0 {
				way <- parcel{bytes.Clone(data[:n]), time.Now().Add(latency)}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range way {
		time.Sleep(time.Until(p.due))
		if _, err := to.Write(p.data); err != nil {
			l.close()
			for range way { // until the reader notices
			}
			return
		}
	}
}
