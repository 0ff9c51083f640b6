package fleet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names in the store of a fleet.
const (
	jobsStream    = "UR_JOBS"
	jobsPrefix    = "ur.job."
	resultsBucket = "ur-results"
	specsBucket   = "ur-specs"
	workersBucket = "ur-workers"
	controlBucket = "ur-control"
	filesBucket   = "ur-files"
)

// Times of a fleet.
const (
	// keepResults is how long results stay, so that whoever asks again within it finds
	// what was computed.
	keepResults = 14 * 24 * time.Hour

	// fadeWorkers is how long a worker that says nothing is listed.
	fadeWorkers = 30 * time.Second

	// DefaultHold is how long a worker holds a piece without renewing, before the queue
	// gives it to another.
	DefaultHold = 10 * time.Second
)

// DialConfig says where a fleet is, and who comes.
type DialConfig struct {
	URL   string // nats://HOST:PORT or tls://HOST:PORT, several separated by commas
	Token string // of the server, if it asks for one
	Seed  string // file with the seed of a user's nkey, if the server asks for that
	CA    string // file with the certificate that signed the server's, if no system knows it
	Name  string // of the connection, as the server lists it

	// Reach, when not nil, makes the connection to the server in place of the network.
	Reach func() (net.Conn, error)

	// Hold is how long a worker holds a piece without renewing; 0 means [DefaultHold].
	// All of a fleet must say the same.
	Hold time.Duration
}

// Conn is a connection to a fleet, with its stores opened or made.
type Conn struct {
	stores
	nc   *nats.Conn
	js   jetstream.JetStream
	hold time.Duration
}

// reach is a way to a server that is no network.
type reach func() (net.Conn, error)

// Dial makes a connection, wherever the address says that the server is.
func (r reach) Dial(string, string) (net.Conn, error) { return r() }

// stores are what a fleet keeps. They are known by their names.
type stores struct {
	jobs    jetstream.Stream
	results jetstream.KeyValue
	specs   jetstream.KeyValue
	workers jetstream.KeyValue
	control jetstream.KeyValue // what all workers are told
	files   jetstream.ObjectStore
}

// Dial connects. A server that goes away later is waited for, however long.
func Dial(ctx context.Context, c DialConfig) (*Conn, error) {
	options := []nats.Option{
		nats.Name(c.Name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.PingInterval(5 * time.Second),
		nats.Timeout(5 * time.Second),
	}
	if c.Reach != nil {
		options = append(options, nats.SetCustomDialer(reach(c.Reach)))
	}
	if c.Token != "" {
		options = append(options, nats.Token(c.Token))
	}
	if c.Seed != "" {
		seed, err := nats.NkeyOptionFromSeed(c.Seed)
		if err != nil {
			return nil, fmt.Errorf("seed of the user's key: %w", err)
		}
		options = append(options, seed)
	}
	if c.CA != "" {
		options = append(options, nats.RootCAs(c.CA))
	}
	nc, err := nats.Connect(c.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("no fleet at %s: %w", c.URL, err)
	}
	conn := &Conn{nc: nc, hold: c.Hold}
	if conn.hold == 0 {
		conn.hold = DefaultHold
	}
	conn.js, err = jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(1024))
	if err == nil {
		conn.stores, err = conn.open(ctx, conn.js)
	}
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("fleet at %s: %w", c.URL, err)
	}
	return conn, nil
}

// open makes the stores that are not there yet. It may be called again, from any
// goroutine: a server that came back without its store gets them anew, under the names
// that the connection knows.
func (c *Conn) open(ctx context.Context, js jetstream.JetStream) (s stores, err error) {
	s.jobs, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name:       jobsStream,
		Subjects:   []string{jobsPrefix + "*.*.*"},
		Retention:  jetstream.WorkQueuePolicy,
		Duplicates: time.Minute,
	})
	if err != nil {
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) {
			return s, errors.New("this NATS server has no JetStream: start it with -js, or use \"ur fleet serve\"")
		}
		return s, err
	}
	for _, b := range []struct {
		store  *jetstream.KeyValue
		config jetstream.KeyValueConfig
	}{
		{&s.results, jetstream.KeyValueConfig{Bucket: resultsBucket, TTL: keepResults, MaxValueSize: maxResult}},
		{&s.specs, jetstream.KeyValueConfig{Bucket: specsBucket, TTL: keepResults}},
		{&s.workers, jetstream.KeyValueConfig{Bucket: workersBucket, TTL: fadeWorkers}},
		{&s.control, jetstream.KeyValueConfig{Bucket: controlBucket}},
	} {
		if *b.store, err = js.CreateOrUpdateKeyValue(ctx, b.config); err != nil {
			return s, err
		}
	}
	s.files, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: keepResults})
	return s, err
}

// reopen makes anew what the server lacks.
func (c *Conn) reopen(ctx context.Context) error {
	_, err := c.open(ctx, c.js)
	return err
}

// Close ends the connection.
func (c *Conn) Close() { c.nc.Close() }

// jobSubject is where a piece waits.
func jobSubject(code, experiment string, piece uint64) string {
	return fmt.Sprintf("%s%s.%s.%d", jobsPrefix, code, experiment, piece)
}

// resultKey is under which name a result is put.
func resultKey(experiment string, piece uint64) string {
	return fmt.Sprintf("%s.%d", experiment, piece)
}
