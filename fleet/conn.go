package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// Names in the store of a fleet.
const (
	jobsStream    = "UR_JOBS"
	jobsPrefix    = "ur.job."
	measurePrefix = "ur.measure."
	resultsBucket = "ur-results"
	specsBucket   = "ur-specs"
	workersBucket = "ur-workers"
	controlBucket = "ur-control"
	filesBucket   = "ur-files"
)

// Times of a fleet.
const (
	// openTime is how long it may take to find or make what a fleet keeps.
	openTime = time.Minute

	// keepResults is how long results stay, so that whoever asks again within it finds
	// what was computed.
	keepResults = 14 * 24 * time.Hour

	// DefaultLease is how long a worker holds a task without renewing, before the queue
	// gives it to another.
	DefaultLease = 10 * time.Second
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

	key nkeys.KeyPair // of the server itself

	// Hold is how long a worker holds a task without renewing; 0 means [DefaultLease].
	// Thrice as long, a worker that says nothing is listed. All of a fleet must say the
	// same.
	Lease time.Duration
}

// Conn is a connection to a fleet, with its stores opened or made.
type Conn struct {
	stores
	nc         *nats.Conn
	js         jetstream.JetStream
	lease      time.Duration
	publishing chan struct{} // filled by those who publish
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
		nats.Timeout(10 * time.Second),
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
	if c.key != nil {
		public, err := c.key.PublicKey()
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Nkey(public, c.key.Sign))
	}
	if c.CA != "" {
		options = append(options, nats.RootCAs(c.CA))
	}
	nc, err := nats.Connect(c.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("no fleet at %s: %w", c.URL, err)
	}
	conn := &Conn{nc: nc, lease: c.Lease, publishing: make(chan struct{}, maxPublishing)}
	if conn.lease == 0 {
		conn.lease = DefaultLease
	}
	conn.js, err = jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(2*maxPublishing), jetstream.WithPublishAsyncTimeout(publishTime))
	if err == nil {
		opening, cancel := context.WithTimeout(ctx, openTime)
		defer cancel()
		conn.stores, err = conn.open(opening, conn.js)
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
	s.jobs, err = js.Stream(ctx, jobsStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		s.jobs, err = js.CreateStream(ctx, jetstream.StreamConfig{
			Name:      jobsStream,
			Subjects:  []string{jobsPrefix + "*.*.*", measurePrefix + "*.*.*.*"},
			Retention: jetstream.WorkQueuePolicy,

			// A task that is queued already is not queued again: asking twice is no matter.
			MaxMsgsPerSubject:    1,
			Discard:              jetstream.DiscardNew,
			DiscardNewPerSubject: true,
		})
	}
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) {
		return s, errors.New("this NATS server has no JetStream: start it with -js, or use \"ur fleet serve\"")
	}
	if err != nil {
		return s, err
	}
	for _, b := range []struct {
		store  *jetstream.KeyValue
		config jetstream.KeyValueConfig
	}{
		{&s.results, jetstream.KeyValueConfig{Bucket: resultsBucket, TTL: keepResults, MaxValueSize: maxResult}},
		{&s.specs, jetstream.KeyValueConfig{Bucket: specsBucket, TTL: keepResults}},
		{&s.workers, jetstream.KeyValueConfig{Bucket: workersBucket, TTL: 3 * c.lease}},
		{&s.control, jetstream.KeyValueConfig{Bucket: controlBucket}},
	} {
		*b.store, err = js.KeyValue(ctx, b.config.Bucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			*b.store, err = js.CreateKeyValue(ctx, b.config)
		}
		if err != nil {
			return s, err
		}
	}
	s.files, err = js.ObjectStore(ctx, filesBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		s.files, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: keepResults})
	}
	return s, err
}

// reopen makes anew what the server lacks.
func (c *Conn) reopen(ctx context.Context) error {
	_, err := c.open(ctx, c.js)
	return err
}

// How messages are published: so many at a time, and each again when the server has not
// confirmed it for so long.
const (
	maxPublishing = 1024
	publishTime   = 2 * time.Second
	publishPause  = 200 * time.Millisecond // after an error
)

// errQueued is the number of the server's error about a subject that has a message.
const errQueued = 10077

// publish publishes a message until the server has stored it, or ctx ends. Many go
// together: nobody waits for the confirmation of another. A server that is away is waited
// for. A message on a subject that takes one only counts as stored when one is there.
func (c *Conn) publish(ctx context.Context, subject string, data []byte) error {
	select {
	case c.publishing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-c.publishing }()
	for {
		err := c.publishOnce(ctx, subject, data)
		var refused *jetstream.APIError
		switch {
		case err == nil, errors.As(err, &refused) && refused.ErrorCode == errQueued:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case c.nc.IsClosed():
			return fmt.Errorf("fleet: %w", err)
		}
		pause(ctx, publishPause)
	}
}

// publishOnce publishes a message once.
func (c *Conn) publishOnce(ctx context.Context, subject string, data []byte) error {
	future, err := c.js.PublishAsync(subject, data)
	if err != nil {
		return err
	}
	select {
	case <-future.Ok():
		return nil
	case err := <-future.Err():
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends the connection.
func (c *Conn) Close() { c.nc.Close() }

// measureSubject is where a task waits for a kind of processor.
func measureSubject(code, kind, experiment string, task uint64) string {
	return fmt.Sprintf("%s%s.%s.%s.%d", measurePrefix, code, kindToken(kind), experiment, task)
}

// kindToken stands for a kind of processor where only a short name can.
func kindToken(kind string) string {
	sum := sha256.Sum256([]byte(kind))
	return hex.EncodeToString(sum[:8])
}

// jobSubject is where a task waits.
func jobSubject(code, experiment string, task uint64) string {
	return fmt.Sprintf("%s%s.%s.%d", jobsPrefix, code, experiment, task)
}

// resultSubject is where the bucket of results takes what is put under a key: NATS's
// ADR-8. Publishing there is putting, and many can be under way.
func resultSubject(experiment string, task uint64) string {
	return "$KV." + resultsBucket + "." + resultKey(experiment, task)
}

// resultKey is under which name a result is put.
func resultKey(experiment string, task uint64) string {
	return fmt.Sprintf("%s.%d", experiment, task)
}
