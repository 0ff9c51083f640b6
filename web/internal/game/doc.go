// Package game answers a page's questions about a game: the players, the position, the legal
// moves and their values, and an analysis.
//
// It keeps no state. Each question carries the whole game as a link, a short text parsed by
// [Parse], and each answer carries the link of the new state. So there are no sessions to fill
// up, expire or lose, a game is shared by sending its link, and a page that loses its server
// can continue with another.
//
// A [Room] answers questions. It knows nothing of the network: package web serves it over HTTP,
// and the program web/wasm runs it inside a page without a server.
package game
