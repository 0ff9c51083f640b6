// Package tui is the full-screen interface of "ur play": a [Model] in the sense of Bubble
// Tea, which shows a session and turns keys and the mouse into what can be done with it.
//
// Everything that takes time runs outside the update loop, as a command of the model that
// answers by a message: players that think, hints, players that are made ready. Each such
// message carries the generation of the board that it is about, and comes to nothing when
// the board has changed since.
package tui
