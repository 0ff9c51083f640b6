package play

import "errors"

// humanKind is a player with a name but no seat: a human needs a keyboard.
var humanKind = Kind{
	Name:     "human",
	Patterns: []Pattern{{Text: "human", Help: `you, at the keyboard; only in "ur play"`}},
	Parse: func(string, string, Opener) (Player, error) {
		return nil, errors.New(`player "human" needs a keyboard (want another player, or "ur play")`)
	},
}
