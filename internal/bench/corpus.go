package bench

import (
	_ "embed"

	"github.com/seed-09dcdc84/ur/internal/bench/corpus"
)

//go:generate go run ./corpus/generate corpus.txt

// corpusText is a sample of turns of real games; package corpus made it.
//
//go:embed corpus.txt
var corpusText []byte

// CorpusVersion names the corpus by its content. Figures of different versions
// must not be compared.
func CorpusVersion() string { return corpus.Version(corpusText) }
