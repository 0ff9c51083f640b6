package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/seed-09dcdc84/ur/fleet/fleettest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A server that cannot hold a fleet is reported, with the reason, as are the troubles below. A client that tries for
// ever reaches the time limit of all tests.
func TestUnfitServer(t *testing.T) {
	t.Parallel()
	off := newServer(t, "", t.TempDir(), func(o *server.Options) { o.JetStream = false })
	old := oldServer(t)
	for url, want := range map[string]string{
		off.URL(): "has no JetStream",
		old:       "has version 2.9.25 (want 2.10 or newer)",
	} {
		testkit.WantError(t, testkit.ErrorOf(Dial(t.Context(), DialConfig{URL: url})), want, "the server")
	}
}

// oldServer returns the address of a server that says it is an old one.
func oldServer(t *testing.T) string {
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, `INFO {"server_id":"old","version":"2.9.25","max_payload":1048576,"headers":true}`+"\r\n")
			var said []byte
			for part := make([]byte, 1024); !bytes.Contains(said, []byte("PING")); {
				n, err := c.Read(part)
				if err != nil {
					return
				}
				said = append(said, part[:n]...)
			}
			fmt.Fprint(c, "PONG\r\n")
		}
	}()
	return "nats://" + l.Addr().String()
}

// A full store is reported to the client.
func TestFullStore(t *testing.T) {
	t.Parallel()
	s := newServer(t, "", t.TempDir(), func(o *server.Options) { o.JetStreamMaxStore = 64 << 10 })
	session := open(t, dial(t, s.URL()), squares(0), nil)
	session.conn.trouble = time.Second
	testkit.WantError(t, testkit.ErrorOf(session.Do(t.Context(), strings.Repeat("x", 100<<10))),
		"store of the NATS server is full", "a full store")
}

// A server that stops JetStream, as it does when its disk is full, is reported to the client. Started again, it goes on.
func TestJetStreamStops(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	s := newServer(t, "", store)
	session := open(t, dial(t, s.URL()), squares(0), nil)
	testkit.NoError(t, s.StopJetStream())
	session.conn.trouble = time.Second
	testkit.WantError(t, testkit.ErrorOf(session.Do(t.Context(), 1)), "JetStream", "without JetStream")
	session.conn.trouble = patience
	s.Stop()
	newServer(t, s.Addr(), store)
	startWorkers(t, s.URL(), squareKind{}, 1)
	testkit.Equal(t, string(testkit.Must(session.Do(t.Context(), 2))(t)), "4", "with JetStream again")
}

// A server that drops what it has accepted, as one with a damaged store may, is reported to the client.
func TestStoreKeepsNothing(t *testing.T) {
	_, c := newFleet(t)
	config := testkit.Must(c.js.Stream(t.Context(), "KV_"+specsBucket))(t).CachedInfo().Config
	config.Discard, config.MaxBytes = jetstream.DiscardOld, 1
	testkit.Must(c.js.UpdateStream(t.Context(), config))(t)
	c.trouble = time.Second
	testkit.WantError(t, testkit.ErrorOf(c.Open(t.Context(), squares(0), nil)), "damaged", "a store that keeps nothing")
}

// A stream that is deleted is made again, and the tasks are requested again.
func TestMissingStreams(t *testing.T) {
	url, c := newFleet(t)
	s := open(t, c, squares(0), nil)
	for i, stream := range []string{jobsStream, "KV_" + resultsBucket, "KV_" + specsBucket, "KV_" + workersBucket} {
		testkit.NoError(t, c.js.DeleteStream(t.Context(), stream))
		stop := startWorkers(t, url, squareKind{}, 1)
		output, err := s.Do(t.Context(), 20+i)
		testkit.Equal(t, err, nil, "without %s", stream)
		testkit.Equal(t, string(output), fmt.Sprint((20+i)*(20+i)), "without %s", stream)
		stop()
	}
}

// A store keeps the settings that its operator has chosen, whatever the next client would create.
func TestStoresKeepTheirSettings(t *testing.T) {
	url, c := newFleet(t)
	const chosen = time.Hour
	for _, stream := range []string{"KV_" + resultsBucket, "OBJ_" + filesBucket} {
		config := testkit.Must(c.js.Stream(t.Context(), stream))(t).CachedInfo().Config
		config.MaxAge = chosen
		testkit.Must(c.js.UpdateStream(t.Context(), config))(t)
	}
	again := dial(t, url)
	for _, stream := range []string{"KV_" + resultsBucket, "OBJ_" + filesBucket} {
		config := testkit.Must(again.js.Stream(t.Context(), stream))(t).CachedInfo().Config
		testkit.Equal(t, config.MaxAge, chosen, "lifetime in %s", stream)
	}
}

// A file of a store is damaged while the server is away: the sum is right, or the client ends with an error.
// A server may also block itself, and a client then waits: NATS server 2.15.2 and 2.15.3 sometimes keep a
// stream of damaged messages locked, or a damaged task in the queue. Only few of the stores may do this.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	const n, mostWaiting = 60, 3
	var waiting atomic.Int32
	t.Cleanup(func() {
		testkit.ErrorIf(t, waiting.Load() > mostWaiting, "%d clients wait (want at most %d)", waiting.Load(), mostWaiting)
	})
	whole := t.TempDir()
	s := newServer(t, "", whole)
	stop := startWorkers(t, s.URL(), squareKind{}, 1)
	testkit.NoError(t, askAll(t.Context(), open(t, dial(t, s.URL()), squares(2), nil), n, 2))
	stop()
	s.Stop()
	var files []string
	err := filepath.WalkDir(whole, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, err = filepath.Rel(whole, name)
			files = append(files, name)
		}
		return err
	})
	testkit.FatalIf(t, err != nil || len(files) < 10, "the store has the files %v: %v", files, err)
	for i, file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			store := t.TempDir()
			testkit.NoError(t, os.CopyFS(store, os.DirFS(whole)))
			what := damageFile(t, filepath.Join(store, file), uint64(i))
			s := testkit.Must(fleettest.Start(store, ""))(t)
			t.Cleanup(func() { stopDamaged(t, s, what) })
			url := s.URL()
			ctx, cancel := context.WithTimeout(t.Context(), patience/3)
			defer cancel()
			c, err := Dial(ctx, DialConfig{URL: url, Lease: 2 * time.Second, Patience: patience})
			if err != nil {
				t.Logf("%s: %v", what, err)
				return
			}
			defer c.Close()
			startWorkers(t, url, squareKind{}, 1)
			session, err := c.Open(ctx, squares(2), nil)
			if err == nil {
				err = askAll(ctx, session, n, 2)
			}
			if ctx.Err() != nil {
				waiting.Add(1)
				t.Logf("%s: the client waits", what)
			}
			testkit.ErrorIf(t, errors.Is(err, errSum), "%s: %v", what, err)
		})
	}
}

// stopDamaged stops a server whose store was damaged, unless it has blocked itself.
func stopDamaged(t *testing.T, s *fleettest.Server, what string) {
	ended := make(chan struct{})
	go func() { s.Stop(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(patience / 4):
		t.Logf("%s: the server does not stop", what)
	}
}

// damageFile damages or removes a file.
func damageFile(t *testing.T, name string, seed uint64) (what string) {
	t.Helper()
	data := testkit.Must(os.ReadFile(name))(t)
	if len(data) == 0 || seed%9 == 8 {
		testkit.NoError(t, os.Remove(name))
		return "removed"
	}
	testkit.NoError(t, os.WriteFile(name, testkit.Damaged(data, seed), 0o600))
	return fmt.Sprintf("damaged by seed %d", seed)
}

// Only a server that other machines reach without authentication is reported.
func TestAuthenticationIsMissed(t *testing.T) {
	t.Parallel()
	var address string
	for _, a := range testkit.Must(net.InterfaceAddrs())(t) {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			address = ip.IP.String()
		}
	}
	testkit.SkipIf(t, address == "", "this machine has no address but the loopback one")
	for _, test := range []struct {
		host, token string
		want        bool
	}{{"127.0.0.1", "", false}, {address, "", true}, {address, "sesame", false}} {
		s := newServer(t, "", t.TempDir(), func(o *server.Options) { o.Host, o.Authorization = test.host, test.token })
		said := ""
		url := "nats://" + s.Addr()
		if test.token != "" {
			url = "nats://" + test.token + "@" + s.Addr()
		}
		c := testkit.Must(Dial(t.Context(), DialConfig{URL: url, Log: func(message string) { said += message }}))(t)
		c.Close()
		testkit.Equal(t, strings.Contains(said, "needs no authentication"), test.want, "%+v: %q is reported", test, said)
		testkit.ErrorIf(t, strings.Contains(said, "sesame"), "%+v: %q", test, said)
	}
}

// Messages that no worker or client has written are ignored (status) or removed (queue).
func TestJunk(t *testing.T) {
	url, c := newFleet(t)
	for _, text := range []string{"junk", `{}`, `{"name":"other","code":"v1"}`, `{"name":"junk"}`} {
		testkit.Must(c.workers.Put(t.Context(), "junk", []byte(text)))(t)
		testkit.Equal(t, len(testkit.Must(c.Status(t.Context()))(t).Workers), 0, "%s: workers", text)
	}
	testkit.NoError(t, c.publishTask(t.Context(), testCode, "e.many", []byte("junk")))
	startWorkers(t, url, squareKind{}, 1)
	waitFor(t, func() bool { return queued(t, c) == 0 })
}
