package bench

import (
	"bytes"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/bench/corpus"
)

func TestCorpusIsWhatTheGeneratorMakes(t *testing.T) {
	turns, err := corpus.Sample(corpus.Seed, corpus.Size)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(corpus.Format(turns), corpusText) {
		t.Error("corpus.txt differs from a new sample: run \"go generate ./internal/bench\"")
	}
}
