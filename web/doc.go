// Package web is the Royal Game of Ur as a page: play against any player, with hints,
// analysis and games that are shared by their link; matches, tournaments and trainings as
// they run; and the ladder of engines. [New] returns the handler, [Server.Serve] lets it
// listen with limits that hold, and [Export] writes the same page for a place without a
// server, with the engine as WebAssembly.
//
// # What it answers
//
//	GET  /                     the page
//	GET  /api/about            version, players, what there is
//	POST /api/game/VERB        a question about a game; see package web/game
//	GET  /api/runs             matches, tournaments and trainings, as they stand
//	POST /api/runs             begins a match
//	POST /api/runs/ID/stop     ends one that was begun here
//	GET  /api/events           the same as server-sent events, whenever something changes
//	GET  /api/ladder           the records of results/
//	GET  /api/plots/FILE       a plot of one, as SVG
//
// Answers are JSON with a schema, and {"error": "..."} with a status of 400 and above.
//
// # What it does not do
//
// It opens no file but those of the data folder and of the folder of results, and follows
// no link out of them. It answers only to names that are its own ([Config.Hosts]), which
// keeps other sites from reaching it through a browser, and only to pages that it served
// itself. Requests are limited in size, number and time; an event that a client does not
// read in time ends its stream, and nobody waits for it.
//
// # Locks
//
// Places are taken before locks: a request takes one of the server's places (answers,
// analyses, streams) and holds it until it is answered. Under it, at most one of these locks
// is held at a time:
//
//	game.Roster.mutex  players and their preparations. It is held while the file of a player
//	                   is read, not while a player is prepared or moves
//	live.Hub.mutex     see package live
//
// Seats and judges are kept in pools, without locks. [Server.Close] ends the hub, then the
// roster, and closes the data folder last, since both read it.
package web
