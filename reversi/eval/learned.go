package eval

import (
	"bytes"
	_ "embed"
	"sync"
)

//go:embed weights.bin
var builtIn []byte

var learned = sync.OnceValues(func() (*Weights, error) { return ReadWeights(bytes.NewReader(builtIn)) })

// Learned returns the built-in weights, learned by "reversi train" from self-play. They
// are unpacked at the first call and shared by all.
func Learned() (*Weights, error) { return learned() }
