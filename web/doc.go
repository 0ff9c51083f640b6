// Package web serves the Royal Game of Ur as a page. Users play against any player with hints
// and analysis, share games by link, follow matches, tournaments and training runs, and see the
// ladder of engines. [New] returns the handler, [Server.Serve] listens with limits on requests,
// and [Export] writes the page for use without a server, with the engine as WebAssembly.
//
// # Endpoints
//
//	GET  /                     the page
//	GET  /api/about            version, players, features
//	POST /api/game/VERB        a question about a game; see package web/game
//	POST /api/friends          creates a game of two people; see package web/internal/friend
//	POST /api/friends/ID/VERB  a request about one: show, join, move, resign
//	GET  /api/friends/ID/events  its state as server-sent events
//	GET  /api/runs             the state of matches, tournaments and training runs
//	POST /api/runs             starts a match
//	POST /api/runs/ID/stop     stops a match started here
//	GET  /api/events           the same as server-sent events, whenever something changes
//	GET  /api/ladder           the records of results/
//	GET  /api/plots/FILE       a plot of one, as SVG
//
// Answers are JSON with a schema, and {"error": "..."} with a status of 400 and above.
//
// # Security
//
// The server opens only files in the data folder and in the folder of results, and follows no
// link out of them. It accepts only its own host names ([Config.Hosts]), which prevents other
// sites from reaching it through a browser, and only requests from pages it served itself.
// Requests are limited in size, number and time. An event that a client does not read in time
// ends its stream, so slow clients never delay others.
//
// # Locks
//
// Places are taken before locks: a request takes one of the server's places (answers, analyses,
// streams) and holds it until it is answered. Under it, at most one of these locks is held at a
// time:
//
//	game.Roster.mutex   players and their preparations. It is held while the file of a player
//	                    is read, not while a player is prepared or moves
//	friend.Lobby.mutex  games of two people and their watchers
//	live.Hub.mutex      see package live
//
// Seats and judges are kept in pools, without locks. [Server.Close] ends the hub, the lobby and
// the roster in this order, and closes the data folder last, because the others read it.
package web
