package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
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
	// openTime limits finding or making the stores of a fleet.
	openTime = 20 * time.Second

	// keepResults is the lifetime of results; a client that repeats a request within it reuses
	// them.
	keepResults = 14 * 24 * time.Hour

	// defaultLease is how long a worker holds a task without renewing, before the queue
	// gives it to another.
	defaultLease = 10 * time.Second
)

// DialConfig sets the address of a fleet, and the credentials.
type DialConfig struct {
	URL   string // nats://HOST:PORT or tls://HOST:PORT, several separated by commas
	Token string // of the server, if it asks for one
	Seed  string // file with the seed of a user's nkey, if the server requires it
	CA    string // file with the certificate of the server's authority, if the system does not know it
	Name  string // of the connection, as the server lists it

	// Reach, if not nil, makes the connection to the server instead of the network.
	Reach func() (net.Conn, error)

	// Patience is how long Dial waits for an unreachable server; 0 means not at all. A server
	// that refuses the connection is an error at once.
	Patience time.Duration

	// Log, if not nil, is called when the server goes away, comes back, or does not store a
	// message. Several goroutines may call it at a time.
	Log func(message string)

	key nkeys.KeyPair // of the server itself

	// Lease is how long a worker has a task without renewing it; 0 means ten seconds.
	// A silent worker stays in the list for three times as long. All members of a fleet
	// must use the same.
	Lease time.Duration
}

// Conn is a connection to a fleet, with its stores opened or made.
type Conn struct {
	stores
	nc         *nats.Conn
	js         jetstream.JetStream
	lease      time.Duration
	log        func(message string)
	warned     atomic.Int64  // when log was last called about publishing, in Unix nanoseconds
	publishing chan struct{} // filled by publishers
}

// reach is a way to a server without a network.
type reach func() (net.Conn, error)

// Dial makes a connection, whatever the address.
func (r reach) Dial(string, string) (net.Conn, error) { return r() }

// stores are the stores of a fleet, known by their names.
type stores struct {
	jobs    jetstream.Stream
	results jetstream.KeyValue
	specs   jetstream.KeyValue
	workers jetstream.KeyValue
	control jetstream.KeyValue // settings for all workers
	files   jetstream.ObjectStore
}

// Dial connects. It waits for a server that goes away later, however long.
func Dial(ctx context.Context, c DialConfig) (*Conn, error) {
	nc, log, err := dialServer(ctx, c)
	if err != nil {
		return nil, err
	}
	conn := &Conn{nc: nc, log: log, lease: c.Lease, publishing: make(chan struct{}, maxPublishing)}
	conn.lease = cmp.Or(conn.lease, defaultLease)
	conn.js, err = jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(2*maxPublishing), jetstream.WithPublishAsyncTimeout(publishTime))
	if err == nil {
		opening, cancel := context.WithTimeout(ctx, openTime)
		defer cancel()
		err = conn.patiently(opening, func(ctx context.Context) (err error) {
			conn.stores, err = conn.open(ctx, conn.js)
			return err
		})
	}
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("fleet at %s: %w", c.URL, err)
	}
	return conn, nil
}

// dialServer connects to a server. log is that of the configuration, or a no-op.
func dialServer(ctx context.Context, c DialConfig) (nc *nats.Conn, log func(string), err error) {
	log = c.Log
	if log == nil {
		log = func(string) {}
	}
	options := []nats.Option{
		nats.DisconnectErrHandler(func(nc *nats.Conn, _ error) {
			if !nc.IsClosed() {
				log("the fleet's server is away: waiting for it")
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log("the fleet's server is back") }),
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
			return nil, nil, fmt.Errorf("seed of the user's key: %w", err)
		}
		options = append(options, seed)
	}
	if c.key != nil {
		public, err := c.key.PublicKey()
		if err != nil {
			return nil, nil, err
		}
		options = append(options, nats.Nkey(public, c.key.Sign))
	}
	if c.CA != "" {
		options = append(options, nats.RootCAs(c.CA))
	}
	nc, err = connect(ctx, c, options, log)
	if err != nil {
		return nil, nil, fmt.Errorf("no fleet at %s: %w", c.URL, err)
	}
	if c.Log == nil {
		return nc, log, nil
	}
	if _, err := nc.Subscribe(troubleSubject, func(m *nats.Msg) { log("the fleet's server reports: " + string(m.Data)) }); err != nil {
		nc.Close()
		return nil, nil, fmt.Errorf("fleet at %s: %w", c.URL, err)
	}
	return nc, log, nil
}

// dialPause is how long Dial waits between attempts.
const dialPause = 500 * time.Millisecond

// connect connects, and waits for the server if configured.
func connect(ctx context.Context, c DialConfig, options []nats.Option, log func(string)) (*nats.Conn, error) {
	begun := time.Now()
	for waiting := false; ; waiting = true {
		nc, err := nats.Connect(c.URL, options...)
		if err == nil || time.Since(begun) >= c.Patience || !isAway(err) {
			return nc, err
		}
		if !waiting {
			log(fmt.Sprintf("no fleet at %s yet: waiting for it (%v)", c.URL, err))
		}
		pause(ctx, dialPause)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// isAway reports whether a connection failed since no server is there yet.
func isAway(err error) bool {
	var network net.Error
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) || errors.As(err, &network)
}

// open makes the missing stores. It may be called again, from any goroutine: a server that came
// back without its store gets them anew, under the names known to the connection.
func (c *Conn) open(ctx context.Context, js jetstream.JetStream) (s stores, err error) {
	s.jobs, err = js.Stream(ctx, jobsStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		s.jobs, err = js.CreateStream(ctx, jetstream.StreamConfig{
			Name:      jobsStream,
			Subjects:  []string{jobsPrefix + "*.*.*", measurePrefix + "*.*.*.*"},
			Retention: jetstream.WorkQueuePolicy,

			// A queued task is not queued again, so a repeated request is harmless.
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

// reopen remakes the stores missing on the server.
func (c *Conn) reopen(ctx context.Context) error {
	_, err := c.open(ctx, c.js)
	return err
}

// Limits of publishing: messages under way, and the time after which an unconfirmed one is
// repeated.
const (
	maxPublishing = 1024
	publishTime   = 2 * time.Second
	publishPause  = 200 * time.Millisecond // after an error
)

// Errors of the server, by their numbers.
const (
	errNotStored = 10077 // for a reason in the description
	errTooLong   = 10054
)

// queuedReason is why a message is not stored whose subject has one already.
const queuedReason = "maximum messages per subject exceeded"

// isQueued reports whether a message was not stored since its subject has one.
func isQueued(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.ErrorCode == errNotStored && strings.Contains(refused.Description, queuedReason)
}

// isHopeless reports whether a message will never be stored.
func isHopeless(err error) bool {
	var refused *jetstream.APIError
	return errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, nats.ErrBadSubject) || errors.As(err, &refused) && refused.ErrorCode == errTooLong
}

// publish publishes a message until the server has stored it, or ctx ends. Messages are
// pipelined: none waits for the confirmation of another. It waits for an unreachable server. On
// a subject limited to one message, an existing one counts as stored.
func (c *Conn) publish(ctx context.Context, subject string, data []byte) error {
	select {
	case c.publishing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-c.publishing }()
	begun := time.Now()
	for {
		err := c.publishOnce(ctx, subject, data)
		switch {
		case err == nil || isQueued(err):
			return nil
		case isHopeless(err):
			return fmt.Errorf("fleet: %w", err)
		case ctx.Err() != nil:
			return ctx.Err()
		case c.nc.IsClosed():
			return fmt.Errorf("fleet: %w", err)
		case time.Since(begun) > troubleTime:
			c.warn(err)
		}
		pause(ctx, publishPause)
	}
}

// How failures to publish are reported.
const (
	troubleTime  = 3 * time.Second  // before an unstored message is reported
	troubleEvery = 30 * time.Second // between reports
)

// troubleSubject is where a server reports why it cannot go on.
const troubleSubject = "ur.trouble"

// warn reports, once in a while, that the server does not store messages.
func (c *Conn) warn(err error) {
	last, now := c.warned.Load(), time.Now().UnixNano()
	if c.nc.IsConnected() && time.Duration(now-last) > troubleEvery && c.warned.CompareAndSwap(last, now) {
		c.log(fmt.Sprintf("the fleet's server does not store messages: %v: trying again", err))
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

// requestTime is how long one request to the server may take.
const requestTime = 5 * time.Second

// patiently repeats a request until it succeeds, while the server is away or comes back without
// its store. Other errors, and the end of ctx, end it.
func (c *Conn) patiently(ctx context.Context, request func(context.Context) error) error {
	for begun := time.Now(); ; pause(ctx, publishPause) {
		once, cancel := context.WithTimeout(ctx, requestTime)
		err := request(once)
		cancel()
		switch {
		case err == nil || ctx.Err() != nil || c.nc.IsClosed() || !isTransient(err):
			return err
		case time.Since(begun) > troubleTime:
			c.warn(err)
		}
		if c.nc.IsConnected() {
			once, cancel := context.WithTimeout(ctx, requestTime)
			_ = c.reopen(once) // or the next request reports the problem
			cancel()
		}
	}
}

// isTransient reports whether an error may go away when a server comes back.
func isTransient(err error) bool {
	var refused *jetstream.APIError
	for _, transient := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded,
		jetstream.ErrNoStreamResponse, jetstream.ErrStreamNotFound, jetstream.ErrBucketNotFound, jetstream.ErrConsumerNotFound,
	} {
		if errors.Is(err, transient) {
			return true
		}
	}
	return errors.As(err, &refused) && refused.Code >= 500
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

// resultSubject is the subject behind a key of the bucket of results: NATS's ADR-8. Publishing
// there puts a value, and many can be under way.
func resultSubject(experiment string, task uint64) string {
	return "$KV." + resultsBucket + "." + resultKey(experiment, task)
}

// resultKey is the key of a result.
func resultKey(experiment string, task uint64) string {
	return fmt.Sprintf("%s.%d", experiment, task)
}
