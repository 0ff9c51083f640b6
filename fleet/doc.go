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
