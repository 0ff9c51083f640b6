// Package fleet distributes the tasks of a match, a tournament or an evolution over many
// machines. Its queue and its store are a NATS server with JetStream.
//
// # Experiments and tasks
//
// An [Experiment] describes work: its kind, its settings, the files it reads, and the version
// of the code that computes it. Its ID is a hash of all that. It is divided into
// tasks, each named by the hash of its work. A task's result is a pure function of experiment and work,
// and is stored under both names. A task that is computed twice, late or in another order changes
// nothing. The client adds the results in its own order, as one process would have done, so
// a fleet gives the same bits as one process.
//
// # Storage
//
//	stream UR_JOBS     one message for each task that waits or is being computed;
//	                   subject ur.job.CODE.EXPERIMENT.TASK
//	bucket ur-results  key EXPERIMENT.TASK, the sealed result
//	bucket ur-specs    key EXPERIMENT, the experiment
//	bucket ur-workers  key WORKER, its status; entries fade unless they are renewed
//	objects ur-files   weights and tables, by SHA-256
//
// A worker takes only subjects of its own version of the code. It renews the leases of its
// tasks; when it dies, the queue hands them to another worker. It acknowledges a task after
// the result has been stored.
//
// # Roles
//
// [Conn.Work] runs a worker. A [Session] is a client of one experiment: many goroutines may
// call [Session.Do] at a time, each for one task. Package fleet/work defines the experiments of
// this module.
package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Names in a fleet's store.
const (
	jobsStream    = "UR_JOBS"
	jobsPrefix    = "ur.job."
	resultsBucket = "ur-results"
	specsBucket   = "ur-specs"
	workersBucket = "ur-workers"
	filesBucket   = "ur-files"
)

// Times of a fleet.
const (
	keepResults   = 14 * 24 * time.Hour    // lifetime of results, which a repeated request reuses
	keepConsumers = 24 * time.Hour         // lifetime of the queue of a version without workers
	defaultLease  = 10 * time.Second       // hold of a worker on a task without renewing, before another gets it
	requestTime   = 5 * time.Second        // time of one request
	retryPause    = 200 * time.Millisecond // between attempts
	troubleTime   = 5 * time.Second        // default of DialConfig.trouble
	logPause      = 30 * time.Second       // between messages about the same problem
)

var leastServer = [2]int{2, 10} // server's oldest version with all that a fleet needs

// DialConfig sets a fleet's address.
type DialConfig struct {
	// URL is nats://HOST:PORT or tls://HOST:PORT, or several separated by commas, with
	// credentials as in nats://TOKEN@HOST:PORT or nats://USER:PASSWORD@HOST:PORT.
	URL  string
	Name string // connection, as the server lists it

	// Patience is how long Dial waits for an unreachable server; 0 means not at all. A server
	// that refuses the connection is an error at once.
	Patience time.Duration

	// Log, if not nil, is called when the server goes away, comes back, or needs no
	// authentication. Several goroutines may call it at a time.
	Log func(message string)

	// Lease is how long a worker has a task without renewing it; 0 means ten seconds.
	// A silent worker stays in the list for three times as long. All members of a fleet
	// must use the same.
	Lease time.Duration

	trouble time.Duration // time of failing requests to the connected server, before an error; 0 means troubleTime
}

// Conn is a connection to a fleet, with its stores opened or made.
type Conn struct {
	stores
	nc     *nats.Conn
	js     jetstream.JetStream
	url    string // without credentials
	lease  time.Duration
	log    func(message string)
	logged atomic.Int64 // when warn was last called, in Unix nanoseconds

	trouble time.Duration
}

// stores are a fleet's stores, known by their names.
type stores struct {
	jobs    jetstream.Stream
	results jetstream.KeyValue
	specs   jetstream.KeyValue
	workers jetstream.KeyValue
	files   jetstream.ObjectStore
}

// Dial connects. The connection survives restarts of the server: requests wait for it.
func Dial(ctx context.Context, c DialConfig) (*Conn, error) {
	conn := &Conn{url: hideCredentials(c.URL), lease: cmp.Or(c.Lease, defaultLease), log: c.Log,
		trouble: cmp.Or(c.trouble, troubleTime)}
	if conn.log == nil {
		conn.log = func(string) {}
	}
	err := conn.connectServer(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("no fleet at %s: %w", conn.url, err)
	}
	if conn.js, err = jetstream.New(conn.nc); err == nil {
		err = conn.checkServer()
	}
	if err == nil {
		err = conn.retryRequest(ctx, func(ctx context.Context) (err error) {
			conn.stores, err = conn.openStores(ctx)
			return err
		})
	}
	if err != nil {
		conn.nc.Close()
		return nil, fmt.Errorf("fleet at %s: %w", conn.url, err)
	}
	return conn, nil
}

// credentials matches those of an address, in a list of addresses.
var credentials = text.Regexp(`://[^,]*@`)

func hideCredentials(addresses string) string {
	return credentials().ReplaceAllString(addresses, "://")
}

func (c *Conn) connectServer(ctx context.Context, config DialConfig) (err error) {
	options := []nats.Option{
		nats.DisconnectErrHandler(func(nc *nats.Conn, _ error) {
			if !nc.IsClosed() {
				c.log("the fleet's server is away: waiting for it")
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { c.log("the fleet's server is back") }),
		nats.Name(config.Name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.PingInterval(5 * time.Second),
		nats.Timeout(10 * time.Second),
	}
	begun := time.Now()
	for waiting := false; ; waiting = true {
		if c.nc, err = nats.Connect(config.URL, options...); err == nil {
			return nil
		}
		if text, _, found := strings.Cut(err.Error(), "@"); found && strings.Contains(text, "://") {
			err = errors.New("invalid address (want nats://HOST:PORT or tls://HOST:PORT)") // it quotes the credentials
		}
		if time.Since(begun) >= config.Patience || !isAway(err) {
			return err
		}
		if !waiting {
			c.log(fmt.Sprintf("no fleet at %s yet: waiting for it (%v)", c.url, err))
		}
		if pauseFor(ctx, 500*time.Millisecond); ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// isAway reports whether a connection failed since no server is there yet.
func isAway(err error) bool {
	var network net.Error
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) ||
		errors.As(err, &network)
}

// checkServer rejects a server that is too old, and reports one that lets other machines in
// without authentication.
func (c *Conn) checkServer() error {
	var version [2]int
	text := c.nc.ConnectedServerVersion()
	if n, _ := fmt.Sscanf(text, "%d.%d", &version[0], &version[1]); n == 2 &&
		cmp.Or(cmp.Compare(version[0], leastServer[0]), cmp.Compare(version[1], leastServer[1])) < 0 {
		return fmt.Errorf("the NATS server has version %s (want %d.%d or newer)", text, leastServer[0], leastServer[1])
	}
	host, _, err := net.SplitHostPort(c.nc.ConnectedAddr())
	if ip := net.ParseIP(host); err == nil && !c.nc.AuthRequired() && !(ip != nil && ip.IsLoopback()) {
		c.log(fmt.Sprintf(
			"the fleet's server at %s needs no authentication: anyone who reaches it can change results (see docs/matches.md)", c.url))
	}
	return nil
}

// openStores makes the missing stores. It may be called again, from any goroutine: a server that came
// back without its store gets them anew, under the names known to the connection.
func (c *Conn) openStores(ctx context.Context) (s stores, err error) {
	s.jobs, err = openOrCreate(ctx, jobsStream, c.js.Stream, c.js.CreateStream, jetstream.StreamConfig{
		Name:      jobsStream,
		Subjects:  []string{jobsPrefix + "*.*.*"},
		Retention: jetstream.WorkQueuePolicy,

		// A queued task is not queued again, so a repeated request is harmless.
		MaxMsgsPerSubject:    1,
		Discard:              jetstream.DiscardNew,
		DiscardNewPerSubject: true,
	})
	if err != nil {
		return s, fmt.Errorf("stream %s: %w", jobsStream, err)
	}
	for _, b := range []struct {
		store  *jetstream.KeyValue
		config jetstream.KeyValueConfig
	}{
		{&s.results, jetstream.KeyValueConfig{Bucket: resultsBucket, TTL: keepResults}},
		{&s.specs, jetstream.KeyValueConfig{Bucket: specsBucket, TTL: keepResults}},
		{&s.workers, jetstream.KeyValueConfig{Bucket: workersBucket, TTL: 3 * c.lease}},
	} {
		*b.store, err = openOrCreate(ctx, b.config.Bucket, c.js.KeyValue, c.js.CreateKeyValue, b.config)
		if err != nil {
			return s, fmt.Errorf("stream KV_%s: %w", b.config.Bucket, err)
		}
	}
	s.files, err = openOrCreate(ctx, filesBucket, c.js.ObjectStore, c.js.CreateObjectStore,
		jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: keepResults})
	if err != nil {
		return s, fmt.Errorf("stream OBJ_%s: %w", filesBucket, err)
	}
	return s, nil
}

// openOrCreate opens a store as it is: its operator may have changed the settings, such as the number of replicas. It
// creates a missing one.
func openOrCreate[Store, Config any](ctx context.Context, name string,
	open func(context.Context, string) (Store, error), create func(context.Context, Config) (Store, error),
	config Config) (Store, error) {
	store, err := open(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) {
		return create(ctx, config)
	}
	return store, err
}

// openQueue returns the queue of a version of the code, shared by its workers. The server keeps
// it in memory: leases are worthless after a restart, and the remaining tasks are leased again.
func (c *Conn) openQueue(ctx context.Context, code string) (jetstream.Consumer, error) {
	return c.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable:           consumerPrefix + code,
		FilterSubject:     jobsPrefix + code + ".>",
		AckPolicy:         jetstream.AckExplicitPolicy,
		AckWait:           c.lease,
		MaxAckPending:     -1,
		InactiveThreshold: keepConsumers,
		MemoryStorage:     true,
	})
}

// consumerPrefix begins the name of the consumer of a version of the code.
const consumerPrefix = "code-"

// publishTask puts a task's work into the queue of a version of the code until the server has
// stored it. A task that is queued counts as stored.
func (c *Conn) publishTask(ctx context.Context, code, key string, work []byte) error {
	return c.retryRequest(ctx, func(ctx context.Context) error {
		_, err := c.js.Publish(ctx, jobsPrefix+code+"."+key, work)
		if refused, ok := errors.AsType[*jetstream.APIError](err); ok && refused.ErrorCode == errNotStored &&
			strings.Contains(refused.Description, "maximum messages per subject exceeded") {
			return nil // it is queued
		}
		return err
	})
}

// Error numbers of the server.
const (
	errNotStored = 10077 // the description has the reason
	errResources = 10023
	errStorage   = 10047
)

// errNotKept reports a message that the server accepted and does not have.
var errNotKept = errors.New("the server accepted a message and has lost it")

// isFull reports whether the server has no space for a message.
func isFull(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) &&
		(refused.ErrorCode == errNotStored || refused.ErrorCode == errResources || refused.ErrorCode == errStorage)
}

// isTransient reports whether an error may go away when a server comes back, or comes back
// without its store.
func isTransient(err error) bool {
	refused, ok := errors.AsType[*jetstream.APIError](err)
	return isFull(err) || ok && refused.Code >= 500 || slices.ContainsFunc([]error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded,
		jetstream.ErrNoStreamResponse, jetstream.ErrStreamNotFound, jetstream.ErrBucketNotFound,
		jetstream.ErrConsumerNotFound, errNotKept,
	}, func(transient error) bool { return errors.Is(err, transient) })
}

// retryRequest repeats a request until it succeeds, while the server is away or comes back without its
// store. A connected server that cannot serve it for some seconds is an error.
func (c *Conn) retryRequest(ctx context.Context, request func(context.Context) error) error {
	var failing time.Time // since when a connected server fails
	for ; ; pauseFor(ctx, retryPause) {
		once, cancel := context.WithTimeout(ctx, requestTime)
		err := request(once)
		cancel()
		switch {
		case err == nil || ctx.Err() != nil || c.nc.IsClosed() || !isTransient(err):
			return err
		case !c.nc.IsConnected():
			failing = time.Time{}
			continue
		case failing.IsZero():
			failing = time.Now()
		case time.Since(failing) > c.trouble:
			return explainError(err)
		}
		once, cancel = context.WithTimeout(ctx, requestTime)
		_, reopened := c.openStores(once)
		cancel()
		if reopened != nil && !isTransient(reopened) {
			return explainError(reopened)
		}
	}
}

// explainError adds the probable reason to the error of a server that is connected and does not
// serve.
func explainError(err error) error {
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled) ||
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) ||
		errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse):
		return fmt.Errorf(
			"the NATS server has no JetStream, or has stopped it as with a full disk (start it with -js -sd DIR): %w",
			err)
	case isFull(err):
		return fmt.Errorf("the store of the NATS server is full: %w", err)
	}
	return fmt.Errorf("the store of the NATS server does not answer or is damaged (see its log): %w", err)
}

// warnSometimes reports a problem, at most once in a while.
func (c *Conn) warnSometimes(message string) {
	last, now := c.logged.Load(), time.Now().UnixNano()
	if time.Duration(now-last) > logPause && c.logged.CompareAndSwap(last, now) {
		c.log(message)
	}
}

// pauseFor waits, or until ctx ends.
func pauseFor(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Close ends the connection.
func (c *Conn) Close() { c.nc.Close() }
