// Package live follows long-running work: matches that it plays itself, and tournaments and
// training runs whose files it watches. A [Hub] holds the state of each and notifies its
// listeners of changes. It never waits for a listener: a slow reader gets the newest state and
// misses those in between.
//
// # Locks
//
//	Hub.mutex    runs, departures, version, and how to stop matches
//	match.mutex  the score of one match
//
// No goroutine holds both, and neither is held during a game, a read of a file or a send to a
// client: a match computes its state under its own mutex, and puts it into the hub afterwards.
package live
