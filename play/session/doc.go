// Package session is a game that people sit at: what every interface has in common, and
// nothing that draws or listens. A terminal and a page show the same [Session].
//
// # A game between a person and a player
//
// [New] begins a game between two seats, each a [Person] or a player that
// [play.ParsePlayer] reads. At any time the session is in one [Phase], which says what it
// waits for:
//
//	Choosing   a person: Move, with the number of one of Turn().Moves
//	Thinking   a player: Task, whose Choose may run elsewhere, then Answer
//	Passing    nobody can move: Pass
//	Over       nothing: Undo, or Again
//
// An interface that need not stay awake while a player thinks calls [Session.Run], which
// goes on until a person has to choose.
//
// # Taking back
//
// [Session.Undo] goes back to the last move of a person, over what players answered to it,
// and [Session.Redo] forth again. The dice stay as they fell: turn t of a game has the same
// roll whatever was played before it, so nobody can undo a throw.
//
// # Keeping
//
// [Session.Record] is the game so far as a record, and [Load] goes on with one. A [Store]
// keeps games that were interrupted in a folder, written whole after every move.
//
// A Session belongs to one goroutine, but for [Task.Choose].
package session
