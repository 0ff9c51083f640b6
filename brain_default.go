package ur

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"
)

// brain_default.txt is the best brain that was learned so far. Its comments tell by
// which command, and how strong it is. To take a better one, put its file there.
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

// DefaultBrain returns the built-in brain, which the player "brain" uses: a copy of
// the caller's own. It was fitted to the exact solution by its choices, and gives away
// 0.07 percentage points of the probability to win in a decision of a perfect game,
// where [ClassicBrain] gives away 0.39.
func DefaultBrain() *Brain {
	b := *defaultBrain()
	return &b
}
