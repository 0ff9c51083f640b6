// Package train lets players learn: [Evolution] the weights of a brain by matches
// between perturbed brains, [Tree] the values of squares by a tree of greedy players,
// and [Fit] the weights of a brain from the exact solution. [Methods] lists all ways to learn,
// those of nets among them.
//
// Ways to learn differ; what is around them does not. A [Learner] learns in steps,
// and a [Run] takes these steps until the budget of games or time is spent. It
// measures the strength as it grows, which gives a learning [Curve]; it saves a
// [Checkpoint] from time to time, from which a run that was killed goes on as if
// nothing had happened; and what has been learned is written with its [Provenance],
// so that it can be made again.
//
// A seed names a result: it does not depend on the engine, the number of threads,
// the clock, or interruptions.
package train
