// Command generate writes the corpus of package bench to the file that it is
// given:
//
//	go run ./bench/internal/corpus/generate FILE
package main

import (
	"fmt"
	"os"

	"github.com/seed-09dcdc84/ur/bench/internal/corpus"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate FILE")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(file string) error {
	turns, err := corpus.Sample(corpus.Seed, corpus.Size)
	if err != nil {
		return err
	}
	return os.WriteFile(file, corpus.Format(turns), 0o644)
}
