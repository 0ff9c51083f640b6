// Package fleet distributes work over many machines: a match, a tournament, a generation of
// learning, a measurement on every kind of processor. It uses an existing queue, NATS
// JetStream, and has no protocol of its own.
//
// # Experiments and tasks
//
// An [Experiment] describes work: its kind, its settings, the files it reads, and the version
// of the code that computes it. Its ID is a hash of all that. It is divided into numbered
// tasks. The result of a task is a pure function of experiment and number, and is stored
// under both. A task that is computed twice, late or in another order changes nothing. The
// client adds the results in the order of their numbers, as one process would have done, so
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
// [Serve] runs a server inside this process, with its store on disk. [Conn.Work] runs a
// worker. A [Session] is a client of one experiment: many goroutines may call [Session.Do]
// at a time, each for one task.
//
// # Locks
//
// No goroutine holds two of these locks at a time, except that worker.alone is held while a
// task runs, and so is taken before any other. None but fetching and verifier.mutex is held
// during a call to the server or a read of a file.
//
//	worker.alone      held for reading by each task, for writing by a measurement, which
//	                  runs alone
//	fetching          of the process: one file is fetched at a time, and others find it
//	Session.mutex     results, waiting, delivered, refused, and the fields of every
//	                  pendingResult; a result is delivered by closing its channel
//	verifier.mutex    which tasks are verified, and idle runners; held while a runner is
//	                  made, since the next finds what the first has read or solved
//	rate.mutex        the mean duration of tasks
//	serverLog.mutex   the first messages of a server
//
// worker.held, worker.latest and checked are concurrent maps, counters are atomic, and
// goroutines pass tasks and results over channels: Session.invalid, worker.queue,
// worker.taken, worker.underWay, Conn.publishing.
package fleet
