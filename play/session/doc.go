// Package session implements an interactive game, without display or network. Every interface
// shares it: a terminal and a page show the same [Session].
//
// # A game between a person and a player
//
// [New] starts a game between two players, each a [Person] or a player parsed by
// [play.ParsePlayer]. The session is always in one [Phase], which determines the next call:
//
//	Choosing   a person: Move, with the number of one of Turn().Moves
//	Thinking   a player: Task, whose Choose may run elsewhere, then Answer
//	Passing    no legal move: Pass
//	Over       nothing: Undo, or Again
//
// An interface that may block while a player thinks calls [Session.Run], which plays until a
// person has to choose.
//
// # Undo
//
// [Session.Undo] returns to the last move of a person and undoes the replies of players;
// [Session.Redo] plays them again. The dice do not change: turn t of a game has the same roll
// whatever moves precede it, so undo never changes a roll.
//
// # Saved games
//
// [Session.Record] returns the game so far as a record, and [Load] resumes one. A [Store] keeps
// interrupted games in a directory, each written atomically after every move.
//
// A Session is not safe for concurrent use, except for [Task.Choose].
package session
