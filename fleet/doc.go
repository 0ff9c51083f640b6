// Package fleet lets many machines do one task of work: a match, a tournament, a
// generation of learning, a measurement on every kind of processor. It stands on an
// existing queue, NATS JetStream, and has no protocol of its own.
//
// # Experiments and tasks
//
// An [Experiment] is what is to be computed: its kind, its settings, and the version of
// the code that computes it. Its ID is a hash of all that. It is cut into tasks, each
// named by a number that means the same whoever computes it, and the result of a task
// is a pure function of experiment and number. So results are put under the name of
// their task and never added up on the way: a task that is computed twice, late or in
// another order changes nothing, and who asked adds up what stands there in the order
// of numbers, as one machine would have done. That is why a fleet gives the same bits
// as one process.
//
// # What is where
//
//	stream UR_JOBS     one message for each task that waits or is being computed;
//	                   subject ur.job.CODE.EXPERIMENT.TASK
//	bucket ur-results  key EXPERIMENT.TASK, the sealed result
//	bucket ur-specs    key EXPERIMENT, the experiment
//	bucket ur-workers  key WORKER, who is there; entries fade when they are not renewed
//	objects ur-files   weights and tables, by SHA-256
//
// A worker takes only subjects of its own version of the code. It renews its leases on the
// tasks that it has; when it dies, the queue hands them to another. It acknowledges a
// task after the result has been stored.
//
// # Who does what
//
// [Serve] runs a server inside this process, with its store on disk. [Conn.Work] runs a
// worker. [Session] asks: many goroutines may call [Session.Do] at a time, each for one task.
package fleet
