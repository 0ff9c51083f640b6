// Package train trains players. An [EvolveConfig] learns the weights of a brain by matches
// between perturbed brains, a [TreeConfig] the values of squares by a tree of greedy players, and
// a [FitConfig] the weights of a brain from the exact solution. A [DistillConfig] and a [TDConfig]
// train a value network. [Methods] lists all methods.
//
// All methods share one frame. A [Learner] learns in steps, and a [Run] takes these steps until
// the budget of games or time is spent. The run measures the growing strength in a learning
// [Curve], and saves a [Checkpoint] from time to time, so a killed run continues with the same
// result. The result is written with its [Provenance], so it can be reproduced.
//
// A seed determines a result: the engine, the number of threads, the clock, and interruptions
// do not matter.
package train
