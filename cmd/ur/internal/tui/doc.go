// Package tui is the full-screen interface of "ur play": a Bubble Tea [Model] that shows a
// session and turns keys and the mouse into actions.
//
// Slow work runs outside the update loop, as a command of the model that answers by a message:
// players that think, hints, players being prepared. Each message carries the generation of its
// board and is dropped when the board has changed since.
package tui
