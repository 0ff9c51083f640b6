// Package live follows what takes a while: matches that it plays itself, and tournaments
// and trainings whose files it watches. A [Hub] holds how each stands, and tells of changes
// whoever listens. Nobody who listens is waited for: one who reads slowly gets the newest
// state and misses what was between.
//
// # Locks
//
//	Hub.mutex    runs, departures, version, and how to stop matches
//	match.mutex  the score of one match
//
// No goroutine holds both, and neither is held during a game, a read of a file or a send to
// a client: a match computes its state under its own mutex, and puts it into the hub
// afterwards.
package live
