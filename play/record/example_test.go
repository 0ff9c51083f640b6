package record_test

import (
	"bytes"
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
)

// Games are written and read in any of the formats.
func ExampleReader() {
	format, err := record.LookupFormat("jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	game := &record.Game{Rules: board.Finkel(), Players: [2]string{"anna", "brain"}, Pieces: 7,
		Dice: &record.DiceOrigin{Seed: 1}}
	var w *record.Writer = record.NewWriter(&file, format)
	if err := w.Write(game); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	read, err := record.NewReader(&file, format).Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Players, read.Pieces, read.Result == record.Unfinished)
	// Output: [anna brain] 7 true
}
