// Package tui shows a game and puzzles to a person: on a full screen in the manner of Bubble Tea,
// a model that takes messages and draws itself, or line by line, with drawn boards or in words. All
// forms share the models, their tables of actions and the picker of moves.
package tui
