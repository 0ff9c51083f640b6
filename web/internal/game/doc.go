// Package game answers what a page asks about a game: who may play, what the position is,
// what can be moved and what that is worth, and where a game was won and lost.
//
// It keeps nothing. Each question carries the whole game as a link, a short text that
// [Parse] reads, and each answer carries the game as it is then. So there are no sessions
// that could be full, stale or lost, a game is shared by sending its link, and a page that
// loses its server goes on with the next one.
//
// A [Room] answers. It knows nothing of the network: package web lets it answer over HTTP,
// and the program web/wasm inside a page that has no server.
package game
