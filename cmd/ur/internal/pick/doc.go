// Package pick holds what commands of ur take from their user: engines, players, brains,
// tables and positions; the flags for them, what completes them, and what is said when
// one is not there.
package pick
