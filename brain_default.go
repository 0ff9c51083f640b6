package ur

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"
)

// brain_default.txt is the best brain learned so far. Its comments name the command that
// learned it and its strength. To install a better one, replace the file.
//
//go:embed brain_default.txt
var defaultBrainText []byte

var defaultBrain = sync.OnceValue(func() *Brain {
	b, err := ReadBrain(bytes.NewReader(defaultBrainText))
	if err != nil {
		panic(fmt.Sprintf("brain_default.txt: %v", err)) // a test reads it
	}
	return b
})

// DefaultBrain returns a copy of the built-in brain of the player "brain". It was fitted to the
// choices of the exact solution and loses 0.07 percentage points of win probability per
// decision of a perfect game; [ClassicBrain] loses 0.39.
func DefaultBrain() *Brain {
	b := *defaultBrain()
	return &b
}
