// Package live follows what takes a while: matches that it plays itself, and tournaments
// and trainings whose files it watches. A [Hub] holds how each stands, and tells of changes
// whoever listens. Nobody who listens is waited for: one who reads slowly gets the newest
// state and misses what was between.
package live
